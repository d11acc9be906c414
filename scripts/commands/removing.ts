/** What all commands that remove access do: say what will be removed, ask, write the audit line, and remove it. */
import { writeAudit } from "../../api/shared/access/audit.ts";
import {
  confirm,
  type CommandContext,
  type CommandSource,
  type GivenOptions,
} from "../../ingest/commands/define-command.ts";

/** What a command will remove. */
interface Removal {
  /** Its name in the lines of the result. */
  label: string;
  /** A whole sentence that says what will be lost. */
  question: string;
  /** Members of the JSON result, besides the one that says whether it was done. */
  data: object;
  /** The audit line; absent if `remove` writes its own. */
  audit?: Parameters<typeof writeAudit>[1];
  remove: () => Promise<unknown>;
}

const WORDS = {
  remove: { done: "removed", member: "removed" },
  revoke: { done: "revoked", member: "revoked" },
  end: { done: "ended", member: "revoked" },
};

/**
 * Makes the `run` of a command that removes something. `find` gets the argument and the options, and throws
 * CommandError if there is no such thing.
 */
export function removing(
  verb: keyof typeof WORDS,
  find: (context: CommandContext, asked: string, options: GivenOptions) => Promise<Removal>,
): CommandSource["run"] {
  const { done, member } = WORDS[verb];
  return async (context, [asked = ""], options) => {
    const { label, question, data, audit, remove } = await find(context, asked, options);
    if (options.dryRun !== undefined) {
      return { exitCode: 0, data: { ...data, [member]: false }, lines: [`would ${verb} ${label}`] };
    }
    if (!(await confirm(context, question, options.yes !== undefined))) return 1;
    // Before the removal: if the process ends in between, no removal lacks its audit line.
    if (audit) await writeAudit(context.openStores().mongo.documents, audit);
    await remove();
    return { exitCode: 0, data: { ...data, [member]: true }, lines: [`${done} ${label}`] };
  };
}
