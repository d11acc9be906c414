/** Changes the context of a command, which otherwise comes from the register of its test. */
import type { CommandContext, CommandDefinition } from "../../ingest/commands/define-command.ts";

/** The same command, with other answers to its questions, other settings or other stores. */
export function changedCommand(
  command: CommandDefinition,
  change: (context: CommandContext) => Partial<CommandContext>,
): CommandDefinition {
  return {
    ...command,
    run: (context, ...given) => command.run({ ...context, ...change(context) }, ...given),
  };
}

/** The same command, with every question answered "n". */
export function sayingNo(command: CommandDefinition): CommandDefinition {
  return changedCommand(command, () => ({ ask: () => Promise.resolve("n") }));
}
