/** Owns commands that get something else than what the register of their test gives them. */
import type { CommandContext, CommandDefinition } from "../../ingest/commands/define-command.ts";

/** A command with another answer to its question, other settings or other stores. */
export function changedCommand(
  command: CommandDefinition,
  change: (context: CommandContext) => Partial<CommandContext>,
): CommandDefinition {
  return {
    ...command,
    run: (context, ...given) => command.run({ ...context, ...change(context) }, ...given),
  };
}

/** The command as somebody who answers every question with no runs it. */
export function sayingNo(command: CommandDefinition): CommandDefinition {
  return changedCommand(command, () => ({ ask: () => Promise.resolve("n") }));
}
