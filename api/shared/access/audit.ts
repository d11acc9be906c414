/** The audit log: one line for each change of applications, keys, people and grants, with who made it. */
import { randomBytes } from "node:crypto";
import { hostname, userInfo } from "node:os";
import type { DocumentStore } from "../stores/mongodb/mongo.ts";

const COLLECTION = "audit";

interface AuditLine {
  /** The moment and a random suffix, so that ids sort by time. */
  _id: string;
  at: string;
  /** What was done: `key created`. */
  action: string;
  /** The thing that was changed: a name or an id, never a secret. */
  subject: string;
  /** Who did it: `user@machine` for a CLI command; on the OAuth pages, the person or the client. */
  by: string;
  details?: Record<string, unknown>;
}

/** Writes a line. `by`: by default the operating system's user, as `user@machine`. */
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
    // `userInfo` fails in a container whose user id has no name.
    return `${process.getuid?.() ?? "user"}@${hostname()}`;
  }
}
