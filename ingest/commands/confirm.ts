/** Owns the question that a command asks before it deletes. */
import type { CommandContext } from "./define-command.ts";
import { CommandError } from "../../api/shared/runtime/errors.ts";

const YES = /^\s*y(es)?\s*$/i;

/**
 * True when the person agrees, or has agreed beforehand by `--yes`. `question` is a whole sentence that names what is
 * going to be deleted. Throws CommandError where nobody can be asked and nobody has agreed.
 */
export async function confirm(
  context: Pick<CommandContext, "ask" | "tell">,
  question: string,
  isYes: boolean,
): Promise<boolean> {
  if (isYes) return true;
  const answer = await context.ask(`${question} [y/N] `);
  if (answer === null) {
    throw new CommandError(
      `${question} There is no terminal to ask on, so nothing was done; add --yes to agree`,
    );
  }
  if (YES.test(answer)) return true;
  context.tell("nothing was done");
  return false;
}
