/** Owns a command that goes on beside its test. */
import { closeStores, openStores } from "../../api/shared/stores/index.ts";
import type { CommandContext, CommandDefinition } from "../../ingest/commands/define-command.ts";
import type { TestRegister } from "./register.ts";

/** Runs a command; gives what it has said so far, its end, and what stops it as Ctrl-C does. */
export function beginCommand(
  { config }: TestRegister,
  command: CommandDefinition,
  args: string[],
  options: Record<string, string>,
) {
  const told: string[] = [];
  const nothing = () => undefined;
  const stores = openStores(config);
  let isStopping = false;
  const context: CommandContext = {
    config,
    openStores: () => stores,
    ...{ print: nothing, write: nothing, tell: (line) => told.push(line), ask: () => Promise.resolve(null) },
    ...{ isTerminal: false, isStopping: () => isStopping },
  };
  let hasEnded = false;
  const ended = command.run(context, args, options).finally(() => {
    hasEnded = true;
    return closeStores(stores);
  });
  return { told, ended, hasEnded: () => hasEnded, stop: () => void (isStopping = true) };
}
