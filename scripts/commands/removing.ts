/** Owns how a command takes away what lets somebody call: it says what would go, asks, writes the audit line, and removes it. */
import { writeAudit } from "../../api/shared/access/audit.ts";
import {
  confirm,
  type CommandContext,
  type CommandSource,
  type GivenOptions,
} from "../../ingest/commands/define-command.ts";

/** What goes. */
interface Removal {
  /** What it is called in the lines of the result. */
  label: string;
  /** A whole sentence that says what is lost. */
  question: string;
  /** What the result names for machines, besides whether it is done. */
  data: object;
  /** Absent: `remove` writes lines of its own. */
  audit?: Parameters<typeof writeAudit>[1];
  remove: () => Promise<unknown>;
}

const WORDS = {
  remove: { done: "removed", member: "removed" },
  revoke: { done: "revoked", member: "revoked" },
  end: { done: "ended", member: "revoked" },
};

/**
 * The `run` of a command that removes what its argument, or its options, name; `find` throws CommandError where there is no
 * such thing.
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
    // First: where this ends in between, what is gone would have no line.
    if (audit) await writeAudit(context.openStores().mongo.documents, audit);
    await remove();
    return { exitCode: 0, data: { ...data, [member]: true }, lines: [`${done} ${label}`] };
  };
}
