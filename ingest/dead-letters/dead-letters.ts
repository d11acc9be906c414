/** Owns refused rows: they are kept with file, line, reason and the row as it came, and with the rows of their group. */
import { idsOf, readBetween } from "../../api/core/stores/document-walk.ts";
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import type { SourceDefinition } from "../sources/define-source.ts";
import type { BatchJob } from "../queue/queue.ts";
import { cutGroups, isUnreadable } from "../readers/read-rows.ts";

const COLLECTION = "dead_letters";
// Limit: rows read and held in memory at a time; nearly all are below a kilobyte, and none is above a megabyte.
const PAGE = 1_000;

/** A row that is kept: a refused one, or one without which refused ones cannot be read. */
export interface KeptRow {
  load: string;
  file: string;
  /** Line on which the row begins, from 1. */
  line: number;
  source: string;
  /** Absent in a row that was not refused. */
  reason?: string;
  /** Member or column at fault, where one is. */
  field?: string;
  /** The row as it came; absent when it is no text. */
  text?: string;
  /** The row's bytes in base64, when they are no text in the expected encoding. */
  bytes?: string;
}

/** A refused row. */
export type DeadLetter = KeptRow & { reason: string };

/** How many rows a load refused for one reason. */
export interface ReasonCount {
  load: string;
  reason: string;
  count: number;
}

/** Keeps the rows that a batch has refused, and those of their groups: without its company line an officer says less. */
export async function keepRefused(
  documents: DocumentStore,
  groupKey: SourceDefinition["groupKey"],
  { load, file, source, rows, unreadable }: BatchJob,
  letters: DeadLetter[],
): Promise<void> {
  const refused = new Set(letters.map(({ line }) => line));
  const inFileOrder = [...rows, ...unreadable].sort((a, b) => a.line - b.line);
  const groups = groupKey ? cutGroups(inFileOrder, groupKey) : [];
  const others = groups
    .filter((group) => group.some((row) => refused.has(row.line)))
    .flatMap((group) => group.flatMap((row) => (isUnreadable(row) || refused.has(row.line) ? [] : row)))
    .map(({ line, text }): KeptRow => ({ load, file, source, line, text }));
  await writeDeadLetters(documents, [...others, ...letters]);
}

/**
 * Keeps rows. A retried batch keeps the same rows under the same ids, so nothing is kept twice. A row that one batch has
 * refused and another one has in the group of a refused one is a refused one.
 */
export async function writeDeadLetters(documents: DocumentStore, rows: readonly KeptRow[]): Promise<void> {
  const stored = rows.map((row) => ({ ...row, _id: rowId(row) }));
  const existing = await documents.putMissing(COLLECTION, stored);
  for (const row of stored) if (existing.has(row._id) && isRefused(row)) await documents.put(COLLECTION, row);
}

/** Lets the rows go that are kept of a load, or of one of its files (`LOAD:FILE`). */
export async function removeKeptRows(documents: DocumentStore, owner: string): Promise<void> {
  await documents.removeBetween(COLLECTION, idsOf(owner));
}

/** What is kept of a refused row, or null. */
export async function fetchDeadLetter(
  documents: DocumentStore,
  place: Pick<DeadLetter, "load" | "file" | "line">,
): Promise<DeadLetter | null> {
  const row = (await documents.fetch(COLLECTION, rowId(place))) as KeptRow | null;
  return row && isRefused(row) ? row : null;
}

/** The refused rows of all loads, counted by load and reason. */
export async function countDeadLetters(documents: DocumentStore): Promise<ReasonCount[]> {
  const counts = await documents.countBy(COLLECTION, ["load", "reason"]);
  return counts.flatMap(({ values: [load = "", reason = ""], count }) =>
    reason === "" ? [] : { load, reason, count },
  );
}

/** The first refused rows of a load, in file order. `limit`: most that are returned. */
export async function fetchDeadLetters(
  documents: DocumentStore,
  load: string,
  limit: number,
): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = [];
  for await (const letter of readDeadLetters(documents, load)) {
    if (letters.push(letter) >= limit) break;
  }
  return letters;
}

/** All refused rows of a load, in file order. */
export async function* readDeadLetters(documents: DocumentStore, load: string): AsyncGenerator<DeadLetter> {
  for await (const row of readKeptRows(documents, load)) if (isRefused(row)) yield row;
}

/** All rows that are kept of a load, or of one of its files (`LOAD:FILE`), in file order. `members`: absent means all. */
export function readKeptRows(
  documents: DocumentStore,
  owner: string,
  members?: readonly (keyof KeptRow)[],
): AsyncGenerator<KeptRow> {
  const span = { ...idsOf(owner), ...(members && { members }) };
  // The cast: documents of this collection are written here.
  return readBetween(documents, COLLECTION, span, PAGE) as unknown as AsyncGenerator<KeptRow>;
}

/** True for a row that was refused itself. */
export function isRefused(row: KeptRow): row is DeadLetter {
  return row.reason !== undefined;
}

/** Zeros before the line make the order of ids the order of lines. */
function rowId({ load, file, line }: Pick<KeptRow, "load" | "file" | "line">): string {
  return `${load}:${file}:${String(line).padStart(10, "0")}`;
}
