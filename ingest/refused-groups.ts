/** Owns the rows that belong with refused ones: without its company line a refused officer cannot be read again. */
import type { DocumentStore } from "../api/core/stores/mongo.ts";
import { cutGroups } from "./cut-groups.ts";
import { writeDeadLetters, type DeadLetter } from "./dead-letters.ts";
import type { SourceDefinition } from "./define-source.ts";
import type { BatchJob } from "./queue.ts";
import { isUnreadable, type ReadRow } from "./readers/read-rows.ts";

const COLLECTION = "dead_letter_groups";
// Limit: characters of a group, far above the largest of any known file. Rows of a longer one cannot be replayed.
const MAX_CHARACTERS = 8_000_000;

/** The rows of a group, refused ones and others, in file order. */
export interface RefusedGroup {
  /** Line on which it begins, from 1. */
  line: number;
  rows: ReadRow[];
  /** How often it has been run again with rows that were accepted; absent: never. */
  replays?: number;
}

/** Keeps the rows that a batch has refused, with what is needed to run them again. */
export async function keepRefused(
  documents: DocumentStore,
  groupKey: SourceDefinition["groupKey"],
  job: BatchJob,
  letters: DeadLetter[],
): Promise<void> {
  if (letters.length === 0) return;
  const { load, file, revision } = job;
  const refused = new Set(letters.map(({ line }) => line));
  const groups = groupKey ? groupsOf(groupKey, [...job.rows, ...job.unreadable]) : [];
  const kept = groups.filter(({ rows }) => rows.some(({ line }) => refused.has(line)));
  await documents.putMissing(
    COLLECTION,
    kept.filter(isBounded).map((group) => ({ _id: groupId({ load, file, ...group }), ...group })),
  );
  const groupOf = new Map(kept.flatMap(({ line, rows }) => rows.map((row) => [row.line, line] as const)));
  await writeDeadLetters(
    documents,
    letters.map((letter) => {
      const group = groupOf.get(letter.line);
      return { ...letter, revision, ...(group !== undefined && { group }) };
    }),
  );
}

/** A group that was kept, or null. */
export async function fetchRefusedGroup(
  documents: DocumentStore,
  place: { load: string; file: string; line: number },
): Promise<RefusedGroup | null> {
  return (await documents.fetch(COLLECTION, groupId(place))) as RefusedGroup | null;
}

/** Notes that a group is about to be run again, for the `replays`-th time. */
export async function noteReplay(
  documents: DocumentStore,
  place: { load: string; file: string },
  { line, rows, replays }: RefusedGroup,
): Promise<void> {
  await documents.put(COLLECTION, { _id: groupId({ ...place, line }), line, rows, replays });
}

/** Lets a group go of which no row is refused any more. */
export async function removeRefusedGroup(
  documents: DocumentStore,
  place: { load: string; file: string; line: number },
): Promise<void> {
  await documents.remove(COLLECTION, groupId(place));
}

function groupsOf(groupKey: (text: string) => string, rows: ReadRow[]): RefusedGroup[] {
  const inFileOrder = rows.toSorted((a, b) => a.line - b.line);
  return cutGroups(inFileOrder, groupKey).map((group) => ({ line: group[0].line, rows: group }));
}

function isBounded({ rows }: RefusedGroup): boolean {
  const characters = rows.map((row) => (isUnreadable(row) ? row.bytes.length : row.text.length));
  return characters.reduce((sum, length) => sum + length, 0) <= MAX_CHARACTERS;
}

function groupId({ load, file, line }: { load: string; file: string; line: number }): string {
  return `${load}:${file}:${String(line).padStart(10, "0")}`;
}
