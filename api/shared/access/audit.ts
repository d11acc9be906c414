/** Owns the audit lines: who was let in to what, and by whom; one for each change of applications, keys, people and grants. */
import { randomBytes } from "node:crypto";
import { hostname, userInfo } from "node:os";
import type { DocumentStore } from "../stores/mongodb/mongo.ts";

const COLLECTION = "audit";

interface AuditLine {
  /** The moment and a random ending: they stand in the order in which they came. */
  _id: string;
  at: string;
  /** What was done: `key created`. */
  action: string;
  /** To what: a name or an id, never a secret. */
  subject: string;
  /** Who did it: `user@machine` at the CLI, the person or client on the pages of OAuth. */
  by: string;
  details?: Record<string, unknown>;
}

/** Writes a line. `by`: the user at this machine by default. */
export async function writeAudit(
  documents: DocumentStore,
  facts: Omit<AuditLine, "_id" | "at" | "by"> & { by?: string },
  moment = new Date(),
): Promise<void> {
  const at = moment.toISOString();
  const by = facts.by ?? whoIsHere();
  await documents.put(COLLECTION, { _id: `${at} ${randomBytes(4).toString("hex")}`, at, ...facts, by });
}

/** The latest lines, latest first. */
export async function fetchAudit(documents: DocumentStore, limit: number): Promise<AuditLine[]> {
  return (await documents.listLatest(COLLECTION, limit)) as unknown as AuditLine[];
}

function whoIsHere(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    // A container may run under a number that has no name.
    return `${process.getuid?.() ?? "user"}@${hostname()}`;
  }
}
