/** Runs a command in the background of a test. */
import { closeStores, openStores } from "../../api/shared/stores/index.ts";
import type { CommandContext, CommandDefinition } from "../../ingest/commands/define-command.ts";
import type { TestRegister } from "./register.ts";

/** Starts a command. Returns its messages so far, a promise of its end, and a function that stops it like Ctrl-C. */
export function beginCommand(
  { config }: TestRegister,
  command: CommandDefinition,
  args: string[],
  options: Record<string, string>,
) {
  const messages: string[] = [];
  const nothing = () => undefined;
  const stores = openStores(config);
  let isStopping = false;
  const context: CommandContext = {
    config,
    openStores: () => stores,
    ...{
      print: nothing,
      write: nothing,
      tell: (line) => messages.push(line),
      ask: () => Promise.resolve(null),
    },
    ...{ isTerminal: false, isStopping: () => isStopping },
  };
  let hasEnded = false;
  const ended = command.run(context, args, options).finally(() => {
    hasEnded = true;
    return closeStores(stores);
  });
  return { messages, ended, hasEnded: () => hasEnded, stop: () => void (isStopping = true) };
}
