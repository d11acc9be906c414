/** Owns refused rows: each is kept as it came, with the rows of its group, and they are exported as files that can be mended. */
import { parse } from "node:path";
import { idsOf, readBetween } from "../../api/core/stores/document-walk.ts";
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import { fetchLoad, type SurveyedFile } from "../history/loads.ts";
import { cutGroups, isUnreadable, type Encoding } from "../readers/read-rows.ts";
import type { SourceDefinition } from "../sources/define-source.ts";
import type { BatchJob } from "../queue/queue.ts";
import { findSource } from "../sources/index.ts";

const COLLECTION = "dead_letters";
// Limit: rows read and held in memory at a time; nearly all are below a kilobyte, and none is above a megabyte.
const PAGE = 1_000;
const LF = Buffer.from("\n");

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

export type DeadLetter = KeptRow & { reason: string };

type Place = Pick<KeptRow, "load" | "file" | "line">;

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
export async function fetchDeadLetter(documents: DocumentStore, place: Place): Promise<DeadLetter | null> {
  const row = (await documents.fetch(COLLECTION, rowId(place))) as KeptRow | null;
  return row && isRefused(row) ? row : null;
}

/** The refused rows of all loads, counted by load and reason. */
export async function countDeadLetters(documents: DocumentStore) {
  const counts = await documents.countBy(COLLECTION, ["load", "reason"]);
  return counts.flatMap(({ values: [load = "", reason = ""], count }) =>
    reason === "" ? [] : { load, reason, count },
  );
}

/** How many of them are of one load. */
export function countOf(counts: readonly { load: string; count: number }[], load: string): number {
  return counts.reduce((sum, one) => (one.load === load ? sum + one.count : sum), 0);
}

/** The first refused rows of a load, in file order, at most so many. */
export async function fetchDeadLetters(documents: DocumentStore, load: string, limit: number) {
  const letters: DeadLetter[] = [];
  for await (const letter of readDeadLetters(documents, load)) if (letters.push(letter) >= limit) break;
  return letters;
}

/** All refused rows of a load, in file order. */
export async function* readDeadLetters(documents: DocumentStore, load: string): AsyncGenerator<DeadLetter> {
  for await (const row of readKeptRows(documents, load)) if (isRefused(row)) yield row;
}

/** All rows that are kept of a load, or of one of its files (`LOAD:FILE`), in file order. `members`: absent means all. */
function readKeptRows(
  documents: DocumentStore,
  owner: string,
  members?: readonly (keyof KeptRow)[],
): AsyncGenerator<KeptRow> {
  const span = { ...idsOf(owner), ...(members && { members }) };
  // The cast: documents of this collection are written here.
  return readBetween(documents, COLLECTION, span, PAGE) as unknown as AsyncGenerator<KeptRow>;
}

function isRefused(row: KeptRow): row is DeadLetter {
  return row.reason !== undefined;
}

/** Zeros before the line make the order of ids the order of lines. */
function rowId({ load, file, line }: Place): string {
  return `${load}:${file}:${String(line).padStart(10, "0")}`;
}

/** A file of a load, of which rows are kept. */
export interface RefusedFile {
  file: string;
  /** A file name that says what it holds; the format's own beginning of the name stays. No two of a load are equal. */
  name: string;
  source: string;
  encoding: Encoding;
  /** Lines of the rows that its export holds, in their order. */
  lines: number[];
  /** Refused rows among them. */
  refused: number;
  /** How it was read; absent: no record of its load is there. */
  facts?: SurveyedFile | undefined;
}

/** The files of a load of which rows are kept. */
export async function listRefusedFiles(documents: DocumentStore, load: string): Promise<RefusedFile[]> {
  const { surveyed = [], plan } = (await fetchLoad(documents, load)) ?? {};
  const encoding = plan?.encoding ?? "utf-8";
  const files = new Map<string, RefusedFile>();
  for await (const row of readKeptRows(documents, load, ["file", "line", "source", "reason"])) {
    const { file, source, line } = row;
    let known = files.get(file);
    if (!known) {
      const facts = surveyed.find((one) => (one.mends ?? one.file) === file);
      const name = chooseFree(facts?.name ?? file, [...files.values()]);
      files.set(file, (known = { file, name, source, encoding, facts, lines: [], refused: 0 }));
    }
    known.lines.push(line);
    if (isRefused(row)) known.refused += 1;
  }
  return [...files.values()];
}

/** The name of a file for people to mend; files of one name in different folders are numbered. */
function chooseFree(given: string, taken: readonly RefusedFile[]): string {
  const { name, ext } = parse(given);
  for (let count = 1; ; count += 1) {
    const free = `${name.replace(/\s+/g, "-")}-refused${count > 1 ? `-${count}` : ""}${ext}`;
    if (taken.every((other) => other.name !== free)) return free;
  }
}

/** Its rows as a bulk file: header and trailer where the format has those, each line ended by a line feed. They are held in memory. */
export async function exportRows(
  documents: DocumentStore,
  load: string,
  { file, source, encoding, facts }: RefusedFile,
): Promise<Buffer> {
  const rows: Buffer[] = [];
  for await (const { text, bytes = "" } of readKeptRows(documents, `${load}:${file}`))
    rows.push(text === undefined ? Buffer.from(bytes, "base64") : Buffer.from(text, encoding));
  const trailer = findSource(source).trailerOf?.(rows.map((row) => row.toString(encoding)));
  const [header = [], end = []] = [facts?.header, trailer].map((line) =>
    line === undefined ? [] : [Buffer.from(line, encoding)],
  );
  return Buffer.concat([...header, ...rows, ...end].flatMap((line) => [line, LF]));
}
