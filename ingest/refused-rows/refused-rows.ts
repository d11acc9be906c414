/** Stores refused rows unchanged, with the rows of their groups, and exports them as files to be mended. */
import { parse } from "node:path";
import { idsOf, readBetween } from "../../api/shared/stores/mongodb/documents.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { fetchLoad, type SurveyedFile } from "../history/loads.ts";
import { cutGroups, isUnreadable, type Encoding } from "../readers/read-rows.ts";
import type { SourceDefinition } from "../sources/define-source.ts";
import type { BatchJob } from "../queue/queue.ts";
import { findSource } from "../sources/index.ts";

// The name that earlier releases gave it.
const COLLECTION = "dead_letters";
// Limit: rows in memory at a time; nearly all are below a kilobyte, and none is above a megabyte.
const PAGE = 1_000;
const LF = Buffer.from("\n");

/** A refused row, or a row of its group, without which it cannot be read. */
export interface KeptRow {
  load: string;
  file: string;
  /** Line on which the row begins, from 1. */
  line: number;
  source: string;
  /** Absent if the row was not refused. */
  reason?: string;
  field?: string;
  /** Absent if the row could not be decoded. */
  text?: string;
  /** Base64 of a row that could not be decoded. */
  bytes?: string;
}

export type RefusedRow = KeptRow & { reason: string };

type Place = Pick<KeptRow, "load" | "file" | "line">;

/** Stores the refused rows of a batch and the rows of their groups, such as an officer's company line. */
export async function keepRefused(
  documents: DocumentStore,
  groupKey: SourceDefinition["groupKey"],
  { load, file, source, rows, unreadable }: BatchJob,
  refusedRows: RefusedRow[],
): Promise<void> {
  const refused = new Set(refusedRows.map(({ line }) => line));
  const inFileOrder = [...rows, ...unreadable].sort((a, b) => a.line - b.line);
  const groups = groupKey ? cutGroups(inFileOrder, groupKey) : [];
  const others = groups
    .filter((group) => group.some((row) => refused.has(row.line)))
    .flatMap((group) => group.flatMap((row) => (isUnreadable(row) || refused.has(row.line) ? [] : row)))
    .map(({ line, text }): KeptRow => ({ load, file, source, line, text }));
  await writeKeptRows(documents, [...others, ...refusedRows]);
}

/** A retry stores nothing twice. A refused row stays refused if another batch stores it for its group. */
export async function writeKeptRows(documents: DocumentStore, rows: readonly KeptRow[]): Promise<void> {
  const stored = rows.map((row) => ({ ...row, _id: rowId(row) }));
  const existing = await documents.putMissing(COLLECTION, stored);
  for (const row of stored) if (existing.has(row._id) && isRefused(row)) await documents.put(COLLECTION, row);
}

/** Deletes the rows of a load, or of one of its files (`LOAD:FILE`). */
export async function removeKeptRows(documents: DocumentStore, owner: string): Promise<void> {
  await documents.removeBetween(COLLECTION, idsOf(owner));
}

export async function fetchRefusedRow(documents: DocumentStore, place: Place): Promise<RefusedRow | null> {
  const row = (await documents.fetch(COLLECTION, rowId(place))) as KeptRow | null;
  return row && isRefused(row) ? row : null;
}

export async function countRefusedRows(documents: DocumentStore) {
  const counts = await documents.countBy(COLLECTION, ["load", "field", "reason"]);
  return counts.flatMap(({ values: [load = "", field = "", reason = ""], count }) =>
    reason === "" ? [] : { load, ...(field && { field }), reason, count },
  );
}

export function countOf(counts: readonly { load: string; count: number }[], load: string): number {
  return counts.reduce((sum, one) => (one.load === load ? sum + one.count : sum), 0);
}

export async function fetchRefusedRows(documents: DocumentStore, load: string, limit: number) {
  const rows: RefusedRow[] = [];
  for await (const row of readRefusedRows(documents, load)) if (rows.push(row) >= limit) break;
  return rows;
}

/** In file order. */
export async function* readRefusedRows(documents: DocumentStore, load: string): AsyncGenerator<RefusedRow> {
  for await (const row of readKeptRows(documents, load)) if (isRefused(row)) yield row;
}

/** All rows of a load, or of one of its files (`LOAD:FILE`), in file order. `members`: all if absent. */
function readKeptRows(
  documents: DocumentStore,
  owner: string,
  members?: readonly (keyof KeptRow)[],
): AsyncGenerator<KeptRow> {
  const span = { ...idsOf(owner), ...(members && { members }) };
  // The cast: this file writes the collection.
  return readBetween(documents, COLLECTION, span, PAGE) as unknown as AsyncGenerator<KeptRow>;
}

function isRefused(row: KeptRow): row is RefusedRow {
  return row.reason !== undefined;
}

/** Leading zeros sort ids by line. */
function rowId({ load, file, line }: Place): string {
  return `${load}:${file}:${String(line).padStart(10, "0")}`;
}

export interface RefusedFile {
  file: string;
  /** Name of its export, unique in the load. It begins like the original, to be recognised. */
  name: string;
  source: string;
  encoding: Encoding;
  /** The line of each row of its export, in order. */
  lines: number[];
  refused: number;
  /** How it was read; absent if the record of its load no longer exists. */
  facts?: SurveyedFile | undefined;
}

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

/** A name for the export; files of equal names in different folders are numbered. */
function chooseFree(given: string, taken: readonly RefusedFile[]): string {
  const { name, ext } = parse(given);
  for (let count = 1; ; count += 1) {
    const free = `${name.replace(/\s+/g, "-")}-refused${count > 1 ? `-${count}` : ""}${ext}`;
    if (taken.every((other) => other.name !== free)) return free;
  }
}

/** A bulk file, in memory: with header and trailer if the format has them, ended by line feeds. */
export async function exportRows(
  documents: DocumentStore,
  load: string,
  { file, source, encoding, facts }: RefusedFile,
): Promise<Buffer> {
  const rows: Buffer[] = [];
  for await (const { text, bytes = "" } of readKeptRows(documents, `${load}:${file}`))
    rows.push(text === undefined ? Buffer.from(bytes, "base64") : Buffer.from(text, encoding));
  const trailer = findSource(source).trailerOf?.(rows.map((row) => row.toString(encoding)));
  const encode = (line: string | undefined) => (line === undefined ? [] : [Buffer.from(line, encoding)]);
  const lines = [...encode(facts?.header), ...rows, ...encode(trailer)];
  return Buffer.concat(lines.flatMap((line) => [line, LF]));
}
