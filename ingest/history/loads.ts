/** Owns the record of loads: what was loaded when, from which files, with what outcome; and so which files came before a new one. */
import { CommandError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { fromTexts, toTexts } from "../../api/core/stores/mongo-form.ts";
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import type { BatchLimits } from "../queue/batches.ts";
import type { SetFile, SetPart, SourceContext } from "../sources/define-source.ts";
import type { BatchCounts } from "../queue/queue.ts";
import type { Encoding } from "../readers/read-rows.ts";

const COLLECTION = "loads";
// Warnings quote rows, and a store may refuse names of members that hold dots or dollars.
const TEXTS = ["counts"];

/** From the revision of one batch to that of the next: a record that two of them write at once bears one in between. */
export const REVISIONS_PER_BATCH = 20;

/** One load, however often it was gone on with. */
export interface LoadRecord {
  /** `20261121T061200123-3f9c`: sorts by time. */
  _id: string;
  state: "running" | "succeeded" | "failed";
  files: string[];
  started_at: string;
  finished_at?: string;
  counts: BatchCounts;
  /** Records that were removed since a whole edition no longer held them. */
  retired?: number;
  /** Refused rows that a person has let go: what they hold is not known. */
  discarded?: number;
  /** Why it failed. */
  reason?: string;
  plan: LoadPlan;
  /** What its files turned out to be; absent until all of them have been read to their end. */
  surveyed?: SurveyedFile[];
}

/** How a load reads its files, also when it is resumed: the same plan over the same files makes the same batches. */
export interface LoadPlan {
  /** Name of the source, when the person said it. */
  as?: string;
  encoding: Encoding;
  limits: BatchLimits;
  /** Revision of its first batch. */
  revision: number;
  /** True: what the edition no longer holds is removed. */
  isComplete: boolean;
  /** True: nothing was held of the kinds of which several records make one search document, as the load began to write. */
  isFirst?: boolean;
  /** Collections that held nothing as the load began to write. */
  first?: string[];
  /** True: files are taken although their ends do not bear them out. */
  isUnchecked?: boolean;
  /** Of a load of mended rows. */
  mends?: MendPlan;
  /** True: its files are streams of another server, which go on where they stopped when they are followed again. */
  isFollowing?: true;
}

/** Which load has refused the rows that a load of mended ones holds. */
export interface MendPlan {
  load: string;
  /** Orders the rows: behind all of that load, before what was told since. */
  place: number;
}

/** A file as it was read. */
export interface SurveyedFile {
  file: string;
  source: string;
  rows: number;
  /** What of its source it covers; absent: all of it. */
  scope?: string;
  /** The day that a snapshot shows, where the file tells it. */
  production_date?: string;
  /** Its place in an edition of several files; absent: it stands alone. */
  part?: SetPart;
  /** Which run of a series it is, once all of it has been loaded. */
  run?: SeriesRun;
  /** The file of an earlier load whose refused rows it mends: those that are refused again are listed under its name. */
  mends?: string;
  /** By these its rows are read again: its base name, its header, or where the format has none its context. */
  name: string;
  header?: string;
  context?: SourceContext;
}

/** A file's place in a series such as `officers-update`. */
export interface SeriesRun {
  series: string;
  run: number;
}

/** The highest run that has been loaded, by series. */
export type HeldRuns = ReadonlyMap<string, number>;

/** How the files of a source follow each other: each builds on the one before. */
export interface Series {
  /** What is kept of a file once all of it is loaded; undefined: nothing. */
  runOf: (context: SourceContext) => SeriesRun | undefined;
  /**
   * Checks the files of one load, in the order in which they are named, against each other and what is held. Returns
   * sentences for the person who loads. Throws SourceError when they cannot be applied; `isForced`: a gap is known.
   */
  check?: (files: readonly SetFile[], held: HeldRuns, isForced: boolean) => string[];
}

// Limit: reasons of warnings that a load tells apart; they may quote the row, so that a file could hold any number.
const MAX_REASONS = 100;
const OTHER_REASONS = "other warnings";
const COUNTED = ["read", "written", "removed", "unchanged", "refused", "skipped"] as const;

export function noCounts(): BatchCounts {
  return { read: 0, written: 0, removed: 0, unchanged: 0, refused: 0, skipped: 0, warnings: {} };
}

/** Two counts together. Reasons of warnings that are too many to tell apart are counted as one. */
export function addCounts(a: BatchCounts, b: BatchCounts): BatchCounts {
  const sum = { ...a, warnings: addWarnings(a.warnings, b.warnings) };
  for (const name of COUNTED) sum[name] += b[name];
  return sum;
}

export function sumCounts(batches: readonly { counts: BatchCounts }[]): BatchCounts {
  return batches.reduce((sum, { counts }) => addCounts(sum, counts), noCounts());
}

function addWarnings(a: BatchCounts["warnings"], b: BatchCounts["warnings"]): BatchCounts["warnings"] {
  const sum = new Map(Object.entries(a));
  for (const [reason, count] of Object.entries(b)) {
    const distinct = sum.size - (sum.has(OTHER_REASONS) ? 1 : 0);
    const told = sum.has(reason) || distinct < MAX_REASONS ? reason : OTHER_REASONS;
    sum.set(told, (sum.get(told) ?? 0) + count);
  }
  return Object.fromEntries(sum);
}

/** An id for a load: the moment it began, and four digits that keep two of the same moment apart. */
export function newLoadId(moment: Date, random: number): string {
  const stamp = moment.toISOString().slice(0, 23).replace(/[-:.]/g, "");
  const digits = Math.floor(random * 0x10000).toString(16);
  return `${stamp}-${digits.padStart(4, "0")}`;
}

/** An id as the help of commands shows it. */
export const EXAMPLE_LOAD = newLoadId(new Date("2026-11-21T06:12:00.123Z"), 0x3f9c / 0x10000);

/** Name of the lock that a load holds as long as its process lives. */
export const loadLock = (load: string) => `load:${load}`;

export async function fetchLoad(documents: DocumentStore, load: string): Promise<LoadRecord | null> {
  const found = await documents.fetch(COLLECTION, load);
  return found && fromTexts<LoadRecord>(found, TEXTS);
}

/**
 * True for a load that `--resume` goes on with: before its files had been read to their ends nothing was written, standard
 * input is gone, and streams are followed again.
 */
export function isResumable({
  surveyed,
  files,
  plan,
}: Pick<LoadRecord, "surveyed" | "files" | "plan">): boolean {
  return surveyed !== undefined && !files.includes("-") && !plan.isFollowing;
}

/** A load as it is kept. Throws CommandError for one that there is not. */
export async function requireLoad(documents: DocumentStore, load: string): Promise<LoadRecord> {
  const found = await fetchLoad(documents, load);
  if (found) return found;
  throw new CommandError(`there is no load ${load}; npm run cli -- loads list names them`);
}

// How long a load that failed may still be gone on with.
const RESUMABLE_MS = 30 * 86_400_000;

/** Loads that may be gone on with, or run. */
export async function listResumable(documents: DocumentStore): Promise<string[]> {
  const found = await documents.fetchAll(COLLECTION, { state: ["running", "failed"] }, [
    "started_at",
    "plan",
  ]);
  const oldest = Date.now() - RESUMABLE_MS;
  // The cast: loads are written below.
  return (found as unknown as LoadRecord[]).flatMap(({ _id, started_at, plan }) =>
    Date.parse(started_at) >= oldest && !plan.isFollowing ? _id : [],
  );
}

// Limit: a year of two loads a day and more. A source whose last load lies further back counts as never loaded.
const LOADS_LOOKED_AT = 1_000;

/** The latest loads, latest first. `limit`: most that are returned; unless told, as many as a new load is judged by. */
export async function fetchLatestLoads(documents: DocumentStore, limit = LOADS_LOOKED_AT) {
  return (await documents.listLatest(COLLECTION, limit)).map((found) => fromTexts<LoadRecord>(found, TEXTS));
}

/** A file that a load has read to its end. It counts as loaded also when the load has failed since, or has not ended. */
export type LoadedFile = SurveyedFile & { of: LoadRecord };

/** The files of the latest loads, of one load after the other, the latest first. */
export async function fetchLoadedFiles(documents: DocumentStore): Promise<LoadedFile[]> {
  const loads = await fetchLatestLoads(documents);
  return loads.flatMap((of) => (of.surveyed ?? []).map((file) => ({ ...file, of })));
}

/** True when one record may stand in editions of these scopes of one source: without a scope one covers all of it. */
export function isOverlapping(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a === b;
}

/**
 * The last load of each source that succeeded, by the source's name: when it ended, as an ISO time, and the latest day that
 * its files of this source tell, where they tell one: `2026-11-01`.
 */
export async function fetchLastLoads(documents: DocumentStore) {
  const last = new Map<string, { load: string; finishedAt: string; productionDate?: string }>();
  const files = await fetchLoadedFiles(documents);
  for (const { source, mends, of } of files) {
    const { _id: load, state, finished_at: finishedAt = "" } = of;
    const isLater = finishedAt > (last.get(source)?.finishedAt ?? "");
    if (state !== "succeeded" || mends !== undefined || !isLater) continue;
    const ofLoad = files.filter((file) => file.of === of && file.source === source);
    const days = ofLoad.flatMap((file) => file.production_date ?? []);
    const productionDate = days.sort().at(-1);
    last.set(source, { load, finishedAt, ...(productionDate && { productionDate }) });
  }
  return last;
}

/** A load with the state that it is really in: one whose process has died was broken off. */
export type KnownLoad = Omit<LoadRecord, "state"> & { state: LoadRecord["state"] | "broken off" };

/** Loads as they really are. To be asked after they were read: one that begins meanwhile has its lock. */
export async function withStates({ locks }: Stores["redis"], loads: LoadRecord[]): Promise<KnownLoad[]> {
  const held = new Set(await locks.list());
  const isAlive = ({ _id, state }: LoadRecord) => state !== "running" || held.has(loadLock(_id));
  return loads.map((load) => (isAlive(load) ? load : { ...load, state: "broken off" }));
}

// Limit: loads that are asked for the highest revision (an older one had a lower one), and loads that may mend one load:
// each stands at a place of its own behind it.
const LATEST = 20;
const MOST_MENDS = 1_000;

/**
 * What the latest loads can have reached, with those that mend them. What begins now must be above, also where Redis has lost
 * its data and its clock was set back.
 */
export async function fetchHighestRevision(documents: DocumentStore): Promise<number> {
  const latest = await fetchLatestLoads(documents, LATEST);
  return Math.max(0, ...latest.map((load) => reachedBy(load) + MOST_MENDS));
}

/** No batch of the load bears a higher revision: one batch a row at most. */
export function reachedBy({ plan, files, surveyed = [] }: LoadRecord): number {
  const batches = surveyed.reduce((sum, { rows }) => sum + rows, files.length);
  return plan.revision + batches * REVISIONS_PER_BATCH;
}

export async function writeLoad(documents: DocumentStore, load: LoadRecord): Promise<void> {
  await documents.put(COLLECTION, toTexts(load, TEXTS));
}
