/** The history of loads: when, from which files and with what outcome each was loaded. */
import type { Config } from "../../api/shared/settings/config.ts";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { fetchLoads, LOADS, LOADS_LOOKED_AT } from "../../api/shared/stores/collections/loaded-sources.ts";
import { fromTexts, toTexts } from "../../api/shared/stores/mongodb/form.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { CUT_VERSION, type BatchLimits } from "../queue/batches.ts";
import type { LoadedRuns, SeriesRun, SetPart, SourceContext } from "../sources/define-source.ts";
import type { BatchCounts } from "../queue/queue.ts";
import { noCounts } from "./counts.ts";
import type { Encoding } from "../readers/read-rows.ts";

// Warnings quote rows, and a store may refuse member names with dots or dollars.
const TEXTS = ["counts"];

/** The distance between the revisions of two batches. A record that both write at once gets a revision in between. */
export const REVISIONS_PER_BATCH = 20;

/** One load, with all its resumptions. */
export interface LoadRecord {
  /** `20261121T061200123-3f9c`: sorts by time. */
  _id: string;
  /** `undone` also while the undo is running. */
  state: "running" | "succeeded" | "failed" | "undone";
  files: string[];
  started_at: string;
  finished_at?: string;
  counts: BatchCounts;
  /** Records removed because a complete edition did not contain them. */
  retired?: number;
  /** With --mends: how many refused rows it mended, and how many of that load were left then. */
  mended?: { rows: number; left: number };
  /** Refused rows of earlier loads that were deleted, since this load replaced them. */
  replaced?: number;
  /** Refused rows that a person has discarded, or a later load replaced: their content is lost. */
  discarded?: number;
  reason?: string;
  /** True: it failed because the format of a file is unknown, so it does not count as a load of any source. */
  isUnknownFormat?: true;
  /** True: it began with --force, or can only continue with it. */
  isForced?: true;
  /** True: it failed because its files had changed. */
  isChanged?: true;
  /** When its undo ended; absent while the undo is not complete. */
  undone_at?: string;
  /** What its undo has taken back so far. */
  taken?: TakenBack;
  plan: LoadPlan;
  /** The formats recognised so far; only until all files have been read to their end. */
  formats?: string[];
  /** Absent until all files have been read to their end. */
  surveyed?: SurveyedFile[];
}

/** How many records an undo has changed, and how many of these are missing since. */
export interface TakenBack {
  records: number;
  missing: number;
}

/** How a load reads its files, kept for resuming: the same plan and files make the same batches. */
export interface LoadPlan {
  /** Name of the source, if the user gave it. */
  as?: string;
  encoding: Encoding;
  limits: BatchLimits;
  /** `CUT_VERSION`; absent in loads of releases that had none. */
  cut?: number;
  /** Revision of its first batch; 0 until it writes. */
  revision: number;
  /** True: records that the edition does not contain are removed. */
  isComplete: boolean;
  /** Collections that were empty when writing began. */
  first?: string[];
  /** The moment (UTC) as of which rows without a day count; absent: that of the load. */
  asOf?: string;
  /** True: files are loaded even if their end, totals, encoding or day look wrong. */
  isUnchecked?: boolean;
  mends?: MendPlan;
  /** True: its files are streams of another server. */
  isFollowing?: true;
}

/** Which refused rows a load mends. */
export interface MendPlan {
  /** The load that refused the rows. */
  load: string;
  /** Orders the rows: after all of that load, before later statements. */
  place: number;
}

export interface SurveyedFile {
  file: string;
  source: string;
  rows: number;
  /** The CRC-32 of its header and rows; absent in loads of a release that had none. */
  checksum?: number;
  /** The part of its source that it covers; absent: all of it. */
  scope?: string;
  /** The day of a snapshot, where the file gives it. */
  production_date?: string;
  part?: SetPart;
  /** True: not known to be a whole edition or a part of one. */
  isExtract?: true;
  /** Collections that its rows fill; absent for a stream, whose events may be of any kind. */
  fills?: readonly string[];
  /** Its run in a series, once it is loaded completely. */
  run?: SeriesRun;
  /** The file of an earlier load whose rows it mends; rows refused again are listed under its name. */
  mends?: string;
  /** Used to read its rows again: its base name, its header or, if the format has none, its context. */
  name: string;
  header?: string;
  context?: SourceContext;
}

/** The moment the load began, and four hexadecimal digits that distinguish loads of one moment. `random`: 0 to 1. */
export function newLoadId(moment: Date, random: number): string {
  const stamp = moment.toISOString().slice(0, 23).replace(/[-:.]/g, "");
  const digits = Math.floor(random * 0x10000).toString(16);
  return `${stamp}-${digits.padStart(4, "0")}`;
}

/** The record of a load that begins now. `files`: their absolute paths, `-` for standard input, or stream addresses. */
export function beginLoad(
  files: string[],
  { BATCH_ROWS: rows, BATCH_BYTES: bytes }: Pick<Config, "BATCH_ROWS" | "BATCH_BYTES">,
  plan: Omit<LoadPlan, "limits" | "cut" | "revision">,
): LoadRecord {
  const now = new Date();
  return {
    _id: newLoadId(now, Math.random()),
    state: "running",
    files,
    started_at: now.toISOString(),
    counts: noCounts(),
    plan: { ...plan, limits: { rows, bytes }, cut: CUT_VERSION, revision: 0 },
  };
}

export const EXAMPLE_LOAD = newLoadId(new Date("2026-11-21T06:12:00.123Z"), 0x3f9c / 0x10000);

export const loadLock = (load: string) => `load:${load}`;

export async function fetchLoad(documents: DocumentStore, load: string): Promise<LoadRecord | null> {
  const found = await documents.fetch(LOADS, load);
  return found && fromTexts<LoadRecord>(found, TEXTS);
}

type Resumed = Pick<LoadRecord, "_id" | "surveyed" | "files" | "plan" | "isForced" | "isChanged">;

/** True if this release would cut the load into other batches, and the load may have written some. */
export function hasOtherBatches({ surveyed, plan }: Pick<LoadRecord, "surveyed" | "plan">): boolean {
  return surveyed !== undefined && plan.cut !== CUT_VERSION;
}

/** The advice for a load that `hasOtherBatches`. */
export const OTHER_RELEASE = "it began under another release: load its files again, without --resume";

/**
 * The command that continues a load. Undefined if the load cannot be resumed: it has written nothing yet, it read
 * standard input or streams, its files have changed, or it began under another release.
 */
export function resumeCommand(load: Resumed, isForced = load.isForced): string | undefined {
  const { _id, surveyed, files, plan, isChanged } = load;
  if (!surveyed || files.includes("-") || plan.isFollowing || isChanged || hasOtherBatches(load))
    return undefined;
  return `npm run cli -- load --resume ${_id}${isForced ? " --force" : ""}`;
}

/** Throws CommandError when there is no such load. */
export async function requireLoad(documents: DocumentStore, load: string): Promise<LoadRecord> {
  const found = await fetchLoad(documents, load);
  if (found) return found;
  throw new CommandError(`there is no load ${load}; npm run cli -- loads list shows them`);
}

const RESUMABLE_MS = 30 * 86_400_000;

export async function listResumable(documents: DocumentStore): Promise<LoadFacts[]> {
  const filter = { state: ["running", "failed"] };
  // The cast: loads are written below.
  const found = (await documents.fetchAll(LOADS, filter, FACTS)) as unknown as LoadFacts[];
  const oldest = Date.now() - RESUMABLE_MS;
  return found.filter(({ started_at, plan }) => Date.parse(started_at) >= oldest && !plan.isFollowing);
}

/** The latest loads, latest first; at most `limit`, a thousand by default. */
export async function fetchLatestLoads(documents: DocumentStore, limit = LOADS_LOOKED_AT) {
  return (await documents.listLatest(LOADS, limit)).map((found) => fromTexts<LoadRecord>(found, TEXTS));
}

const FACTS = ["state", "files", "started_at", "finished_at", "plan", "surveyed", "undone_at"] as const;
/** The members that are read of many loads. Counts are left out, since they may have many warnings. */
export type LoadFacts = Pick<LoadRecord, "_id" | (typeof FACTS)[number]>;

/**
 * A file that was read to its end, and its path now, since `watch` moves files. It counts as loaded even if its load
 * failed later or has not ended.
 */
export type LoadedFile = SurveyedFile & { of: LoadFacts; path: string };

/** The loads that a new one is checked against, latest first. */
export async function fetchKnownLoads(documents: DocumentStore): Promise<LoadFacts[]> {
  // The cast: loads are written below.
  return (await fetchLoads(documents, FACTS)) as unknown as LoadFacts[];
}

/** The files of the loads that a new one is checked against. */
export async function fetchLoadedFiles(documents: DocumentStore): Promise<LoadedFile[]> {
  return filesOf(await fetchKnownLoads(documents));
}

/** The files of these loads; an undone load counts as never loaded. */
export function filesOf(loads: readonly LoadFacts[]): LoadedFile[] {
  const counted = loads.filter(({ state }) => state !== "undone");
  return counted.flatMap((of) =>
    (of.surveyed ?? []).map((file, at) => ({ ...file, of, path: of.files[at] ?? file.file })),
  );
}

/** Two files of equal identity count as the same file, which may have been corrected in between. */
export function identityOf({ file, source, rows, production_date: day }: SurveyedFile): string {
  return JSON.stringify([file, source, rows, day]);
}

/** The last loaded run of each series. */
export function lastRuns(loaded: readonly LoadedFile[]): LoadedRuns {
  const runs = new Map<string, number>();
  for (const { run } of loaded) if (run) runs.set(run.series, Math.max(run.run, runs.get(run.series) ?? 0));
  return runs;
}

/** True if editions of these scopes of one source can share a record. Without a scope an edition covers its source. */
export function isOverlapping(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a === b;
}

/** The last successful load of a source. `productionDate`: latest day of its files; `isExtract`: all are extracts. */
type LastLoad = { load: string; finishedAt: string; productionDate: string | undefined; isExtract: boolean };

/** The last successful load of each source, by the name of the source. */
export async function fetchLastLoads(documents: DocumentStore) {
  const last = new Map<string, LastLoad>();
  const files = await fetchLoadedFiles(documents);
  for (const { source, mends, of } of files) {
    const { _id: load, state, finished_at: finishedAt = "" } = of;
    const isLater = finishedAt > (last.get(source)?.finishedAt ?? "");
    if (state !== "succeeded" || mends !== undefined || !isLater) continue;
    const ofLoad = files.filter((file) => file.of === of && file.source === source);
    const days = ofLoad.flatMap((file) => file.production_date ?? []);
    const isExtract = ofLoad.every((file) => file.isExtract);
    last.set(source, { load, finishedAt, productionDate: days.sort().at(-1), isExtract });
  }
  return last;
}

/** A load with its real state: `interrupted` if its process has died. */
export type KnownLoad = Omit<LoadRecord, "state"> & { state: LoadRecord["state"] | "interrupted" };

/** Adds the real states. Read the loads first: each running load then has its lock when the locks are listed. */
export async function withStates<Load extends Pick<KnownLoad, "_id" | "state">>(
  { locks }: Stores["redis"],
  loads: readonly Load[],
): Promise<(Omit<Load, "state"> & Pick<KnownLoad, "state">)[]> {
  const stored = new Set(await locks.list());
  const isAlive = ({ _id, state }: Load) => state !== "running" || stored.has(loadLock(_id));
  return loads.map((load) => (isAlive(load) ? load : { ...load, state: "interrupted" }));
}

/** The highest revision that a load can use, with at most one batch a row. For `follow`, from its last batch. */
export function reachedBy({
  plan,
  files,
  surveyed = [],
}: Pick<LoadRecord, "plan" | "files" | "surveyed">): number {
  if (plan.isFollowing) return plan.revision + REVISIONS_PER_BATCH;
  const batches = surveyed.reduce((sum, { rows }) => sum + rows, files.length);
  return plan.revision + batches * REVISIONS_PER_BATCH;
}

export async function writeLoad(documents: DocumentStore, load: LoadRecord): Promise<void> {
  await documents.put(LOADS, toTexts(load, TEXTS));
}
