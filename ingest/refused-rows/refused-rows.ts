/**
 * Stores refused rows unchanged, with the rows of their groups. Exports them as files to be mended. Deletes them when
 * their file was corrected and loaded again.
 */
import { basename, parse } from "node:path";
import { idsOf, readBetween } from "../../api/shared/stores/mongodb/documents.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import {
  fetchLatestLoads,
  fetchLoad,
  filesOf,
  identityOf,
  withStates,
  writeLoad,
  type LoadedFile,
  type LoadRecord,
  type SurveyedFile,
} from "../history/loads.ts";
import { cutGroups, isUnreadable, toBytes, toText, type Encoding } from "../readers/read-rows.ts";
import type { SourceDefinition } from "../sources/define-source.ts";
import type { BatchJob } from "../queue/queue.ts";
import { findSource } from "../sources/index.ts";

// Another name would lose the rows that former releases have stored.
const COLLECTION = "dead_letters";
// Limit: rows in memory at a time; nearly all are below a kilobyte, and none is above a megabyte.
const PAGE = 1_000;
// Sorts after the ids of all loads, which begin with a digit.
const END = "~";
const LF = Buffer.from("\n");

/** A refused row, or another row of its group, without which the refused row cannot be read. */
interface KeptRow {
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
  { load, file, source, rows }: BatchJob,
  refusedRows: RefusedRow[],
): Promise<void> {
  const refused = new Set(refusedRows.map(({ line }) => line));
  const groups = groupKey ? cutGroups(rows, groupKey) : [];
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
export function removeKeptRows(documents: DocumentStore, owner: string): Promise<void> {
  return documents.removeBetween(COLLECTION, idsOf(owner));
}

export async function fetchRefusedRow(documents: DocumentStore, place: Place): Promise<RefusedRow | null> {
  const row = (await documents.fetch(COLLECTION, rowId(place))) as KeptRow | null;
  return row && isRefused(row) ? row : null;
}

/** The loads that have refused rows, earliest first. Makes one read for each load, however many rows it has. */
export async function listRefusing(documents: DocumentStore): Promise<string[]> {
  const loads: string[] = [];
  for (let after = ""; ; after = idsOf(loads.at(-1) ?? "").before) {
    const [row] = await documents.listBetween(COLLECTION, { after, before: END, members: ["load"] }, 1);
    if (!row) return loads;
    loads.push(String(row.load));
  }
}

/** How many rows of a load were refused, by field and reason. Reads all of them. */
export async function countReasons(documents: DocumentStore, load: string) {
  const counts = await documents.countBy(COLLECTION, idsOf(load), ["field", "reason"]);
  return counts.flatMap(({ values: [field = "", reason = ""], count }) =>
    reason === "" ? [] : { ...(field && { field }), reason, count },
  );
}

export async function countRefusedRows(documents: DocumentStore, load: string): Promise<number> {
  return (await countReasons(documents, load)).reduce((sum, { count }) => sum + count, 0);
}

/** About how many rows are stored, including those of groups, by MongoDB's own estimate. 0 only if there are none. */
export async function estimateKeptRows({ documents, health }: Stores["mongo"]): Promise<number> {
  if (!(await documents.fetchAny(COLLECTION))) return 0;
  const sizes = await health.fetchSizes([COLLECTION]);
  return Math.max(1, sizes.get(COLLECTION)?.records ?? 0);
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
async function* readKeptRows(
  documents: DocumentStore,
  owner: string,
  members?: readonly (keyof KeptRow)[],
): AsyncGenerator<KeptRow> {
  const span = { ...idsOf(owner), ...(members && { members }) };
  // The cast: this file writes the collection.
  for await (const page of readBetween(documents, COLLECTION, span, PAGE))
    yield* page as unknown as KeptRow[];
}

function isRefused(row: KeptRow): row is RefusedRow {
  return row.reason !== undefined;
}

/** The id of a row. Leading zeros sort ids by line. */
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
  /** How many of them were refused; the others are of their groups. */
  refused: number;
  /** How it was read. */
  facts: SurveyedFile;
}

/**
 * Lists the files whose rows a load has refused. A MongoDB that was restored in part may lack the load; it is then
 * unknown how a file was read.
 */
export async function listRefusedFiles(documents: DocumentStore, load: string): Promise<RefusedFile[]> {
  const record = await fetchLoad(documents, load);
  const encoding: Encoding = record?.plan.encoding ?? "utf-8";
  const files = new Map<string, RefusedFile>();
  for await (const row of readKeptRows(documents, load, ["file", "line", "source", "reason"])) {
    const { file, source, line } = row;
    let known = files.get(file);
    if (!known) {
      const read = record?.surveyed?.find((one) => (one.mends ?? one.file) === file);
      const facts = read ?? { file, source, rows: 0, name: basename(file) };
      const name = chooseFree(facts.name, [...files.values()]);
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

/** The lines of a bulk file: with header and trailer if the format has them, each ended by a line feed. */
export async function* exportRows(
  documents: DocumentStore,
  load: string,
  { file, source, encoding, facts }: Pick<RefusedFile, "file" | "source" | "encoding" | "facts">,
): AsyncGenerator<Buffer> {
  const { kindOf, trailerOf } = findSource(source);
  const tally: Record<string, number> = {};
  let count = 0;
  if (facts.header !== undefined) yield toBytes(`${facts.header}\n`, encoding);
  for await (const { text, bytes = "" } of readKeptRows(documents, `${load}:${file}`)) {
    const row = text === undefined ? Buffer.from(bytes, "base64") : toBytes(text, encoding);
    const kind = kindOf?.(text ?? toText(row, encoding));
    if (kind !== undefined) tally[kind] = (tally[kind] ?? 0) + 1;
    count += 1;
    yield Buffer.concat([row, LF]);
  }
  if (trailerOf) yield toBytes(`${trailerOf(count, tally)}\n`, encoding);
}

/**
 * Deletes the refused rows of earlier loads that this load, or one before it, replaces; returns their number. They
 * count as discarded, since it is unknown which of their records came again. Call it while holding the locks of the
 * record kinds.
 */
export async function removeReplaced({ mongo, redis }: Stores, record: LoadRecord): Promise<number> {
  const { documents } = mongo;
  const refusing = new Set(await listRefusing(documents));
  refusing.delete(record._id);
  if (refusing.size === 0) return 0;
  const loads = await fetchLatestLoads(documents);
  const succeeded = loads.filter(({ _id, state }) => _id !== record._id && state === "succeeded");
  const loaded = filesOf([record, ...succeeded]);
  let removed = 0;
  for (const [at, { _id, state }] of (await withStates(redis, loads)).entries()) {
    const load = loads[at];
    if (!load || !refusing.has(_id) || state === "running") continue;
    const { surveyed = [], ...of } = firstOf(load, loads);
    const later = loaded.filter((other) => other.of._id > _id);
    const replaced = surveyed.filter((file) => isReplaced({ ...file, of, path: file.file }, later));
    const names = replaced.map(({ file }) => file);
    if (names.length > 0) removed += await removeRows(documents, load, names);
  }
  return removed;
}

/** The load whose rows this one mends, directly or through others, or the load itself. It read the original files. */
function firstOf(load: LoadRecord, loads: readonly LoadRecord[]): LoadRecord {
  const mended = loads.find(({ _id }) => _id === load.plan.mends?.load);
  return mended ? firstOf(mended, loads) : load;
}

async function removeRows(documents: DocumentStore, load: LoadRecord, files: string[]): Promise<number> {
  const refused = (await listRefusedFiles(documents, load._id)).filter(({ file }) => files.includes(file));
  const rows = refused.reduce((sum, file) => sum + file.refused, 0);
  await writeLoad(documents, { ...load, discarded: (load.discarded ?? 0) + rows });
  for (const { file } of refused) await removeKeptRows(documents, `${load._id}:${file}`);
  return rows;
}

/**
 * True if the same file was loaded again, or a whole edition of its day or of a later one (`--complete`). Never true
 * for rows of updates and streams, which state changes: a later file does not repeat them.
 */
export function isReplaced(file: LoadedFile, later: readonly LoadedFile[]): boolean {
  if (!findSource(file.source).completeness) return false;
  const newer = later.filter(
    (other) => other.source === file.source && other.mends === undefined && momentOf(other) >= momentOf(file),
  );
  // Standard input never counts as the same file.
  const isSame = (other: LoadedFile) =>
    identityOf(other) === identityOf(file) && !other.of.files.includes("-");
  return newer.some((other) => isSame(other) || isEditionOf(other, file));
}

/** The moment as of which the rows of a file count. */
function momentOf({ production_date: day, of }: LoadedFile): string {
  return day ?? of.plan.asOf ?? of.started_at;
}

function isEditionOf(other: LoadedFile, { scope, part }: LoadedFile): boolean {
  const { of, scope: covered = scope, part: { product } = {} } = other;
  return of.plan.isComplete && covered === scope && product === part?.product;
}
