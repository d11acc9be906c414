/** Owns a load: its files are surveyed, then written batch by batch; begun anew, or gone on with where it stopped. */
import { CommandError, messageOf } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import {
  addCounts,
  noCounts,
  REVISIONS_PER_BATCH,
  writeLoad,
  type LoadRecord,
  type SurveyedFile,
} from "../history/loads.ts";
import type { BatchProducer } from "../queue/batch-producer.ts";
import type { Input } from "../readers/open-input.ts";
import { fetchBatches } from "../log/changes.ts";
import { waitForSearch } from "../log/follow-live.ts";
import { requireWholeEdition, type WholeEdition } from "./completeness.ts";
import { cutSurveyed, type FileBatch } from "./cut-file.ts";
import { checkFiles } from "./check-files.ts";
import { guardRefusals } from "./guard-refusals.ts";
import { apartOf, isFirst, isScattered, openGathering } from "./first-load.ts";
import { pauseRefresh } from "./refresh-pause.ts";
import { Repeats } from "./repeats.ts";
import { lockKinds } from "./kind-locks.ts";
import { countUnmended, fetchMenders, letMendedGo, openMended } from "./mends.ts";
import { guardRefused, retire } from "./retire.ts";
import type { FileOpener } from "./spool.ts";
import { doubtsOf, readOnce, surveyFiles, toSurveyed, type Follow } from "./survey-files.ts";
import type { FileSurvey, SurveyObserver } from "./survey.ts";

/** What a load needs beside its record. */
export interface LoadRun {
  stores: Stores;
  /** As it is kept; its state and counts follow the run. */
  record: LoadRecord;
  producer: BatchProducer;
  /** Least share of what a whole edition covers that it must hold, in per cent. */
  completeMinPercent: number;
  /** Most refused rows of a file, in per cent. */
  refusedMaxPercent: number;
  /** True: the guards of editions, of daily updates and of refused rows are lifted. */
  isForced: boolean;
  /** Rows from which on refresh is paused. */
  refreshPauseRows: number;
  /** Opens a file again and again: each is read twice. */
  open: FileOpener;
  /** True once the person has asked to stop. */
  isStopping: () => boolean;
  observer: LoadObserver;
}

/** Who waits for a load. */
export interface LoadObserver {
  /** Called for each reading of a file; what it returns is told the rows read so far, and when the reading ends. */
  watch: (input: Input, phase: "survey" | "load") => SurveyObserver & { end: () => void };
  /** Told when all rows of a file are in both stores. */
  onLoaded: (survey: FileSurvey) => void;
  /** Told what a person should know of the files before they are loaded. */
  onNote: (note: string) => void;
}

// After this long a person wonders why a load that has failed does not end.
const LONG_WAIT_MS = 10_000;

/**
 * Runs a load to its end and keeps its outcome. Throws what ended it: SourceError for an unfit file, before anything
 * is written; CommandError for a batch that failed for good.
 */
export async function runLoad(run: LoadRun): Promise<void> {
  const { stores, record } = run;
  try {
    await writeLoad(stores.mongo.documents, record);
    await loadAll(run);
    await finish(run, null);
  } catch (error) {
    await settle(run, error);
    // When a store has gone away, that is the reason to tell, not that the end could not be written either.
    await finish(run, error).catch(() => undefined);
    throw error;
  }
}

/**
 * Waits for the batches under way, so that the totals tell of every batch that was enqueued. A wait that cannot end adds
 * nothing to the first fault; one that takes long says what it is for.
 */
async function settle({ producer, observer }: LoadRun, error: unknown): Promise<void> {
  const timer = setTimeout(() => {
    observer.onNote(
      `${messageOf(error)}; the load ends when its waiting batches are written, which needs a worker`,
    );
  }, LONG_WAIT_MS);
  await producer.settle().catch(() => undefined);
  clearTimeout(timer);
}

async function loadAll(run: LoadRun): Promise<void> {
  const { stores, record } = run;
  const repeats = (await mayBeFirst(run)) ? new Repeats() : undefined;
  const surveys = await surveyAll(run, repeats);
  const edition = record.plan.isComplete ? requireWholeEdition(surveys, run) : null;
  guardSurveyed(record, surveys);
  const { isStopping, observer } = run;
  const kinds = surveys.flatMap(({ fills }) => fills);
  const release = await lockKinds(stores.redis, kinds, { isStopping, onNote: observer.onNote });
  try {
    // Under the locks what is empty stays so.
    record.plan.isFirst = repeats !== undefined && isScattered(surveys) && (await mayBeFirst(run));
    await writeSurveyed(run, surveys, { edition, ...(record.plan.isFirst && { repeats }) });
  } finally {
    await release();
  }
}

/** Nobody else writes these kinds of record meanwhile: what is checked here still holds when it is written. */
async function writeSurveyed(
  run: LoadRun,
  surveys: FileSurvey[],
  { edition, repeats }: { edition: WholeEdition | null; repeats?: Repeats | undefined },
): Promise<void> {
  const { stores, record, completeMinPercent } = run;
  const { isComplete, isUnchecked, mends } = record.plan;
  // What has begun with a gap, or as an older edition, goes on.
  const isForced = run.isForced || record.surveyed !== undefined;
  const aim = { load: record._id, isComplete, isForced, completeMinPercent };
  if (!isUnchecked) for (const note of doubtsOf(surveys)) run.observer.onNote(note);
  const notes = mends ? [] : await checkFiles(stores.mongo.documents, surveys, aim);
  for (const note of notes) run.observer.onNote(note);
  record.surveyed ??= surveys.map(toSurveyed);
  await writeLoad(stores.mongo.documents, record);
  const rows = surveys.reduce((sum, survey) => sum + survey.rows, 0);
  const isLarge = rows >= run.refreshPauseRows;
  const endPause = isLarge ? await pauseRefresh(stores, record._id) : () => Promise.resolve();
  try {
    await writeAll(run, surveys, repeats);
    if (edition) record.retired = await retireLacking(run, edition);
    await waitForSearch(stores, record._id, run.observer.onNote);
  } finally {
    await endPause();
  }
}

async function finish({ stores, record }: LoadRun, error: unknown): Promise<void> {
  const { documents } = stores.mongo;
  record.state = error ? "failed" : "succeeded";
  record.finished_at = new Date().toISOString();
  if (error) record.reason = messageOf(error);
  // What was written can be found from now on, not only from the engine's next refresh. Asked before the load counts
  // as done: should the engine be away, there is something to go on with.
  else await stores.elasticsearch.refresh();
  await writeLoad(documents, record);
  if (!error) await letMendedGo(documents, record);
}

async function surveyAll(
  { stores, record: { files, plan }, open, observer }: LoadRun,
  repeats: Repeats | undefined,
): Promise<FileSurvey[]> {
  const { as, encoding, isUnchecked, mends } = plan;
  const mendedOf = mends && (await openMended(stores.mongo.documents, mends));
  const follow: Follow = (input) => Object.assign(observer.watch(input, "survey"), { repeats });
  return surveyFiles({ files, as, encoding, isUnchecked, mendedOf }, open, follow);
}

async function mayBeFirst({ stores, record: { surveyed, plan } }: LoadRun): Promise<boolean> {
  // One that is gone on with was asked as it began.
  return surveyed ? plan.isFirst === true : isFirst(stores.mongo.documents);
}

/** Batches are known again by their number, so that a load goes on with the files it began with. */
function guardSurveyed({ _id, surveyed }: LoadRecord, surveys: FileSurvey[]): void {
  if (!surveyed || identityOf(surveyed) === identityOf(surveys.map(toSurveyed))) return;
  throw new CommandError(
    `the files are not those any more that the load ${_id} began with: load them anew, without --resume`,
  );
}

/** What files are known again by. Not their scopes and parts, which earlier releases did not keep. */
function identityOf(files: readonly SurveyedFile[]): string {
  return JSON.stringify(
    files.map(({ file, source, rows, production_date: day }) => [file, source, rows, day]),
  );
}

async function writeAll(run: LoadRun, surveys: FileSurvey[], repeats: Repeats | undefined): Promise<void> {
  const { record, producer } = run;
  const done = await readDone(run);
  let number = 0;
  const take = async (batch: FileBatch, { source, mended }: FileSurvey) => {
    const revision = record.plan.revision + number * REVISIONS_PER_BATCH;
    number += 1;
    if (done.has(revision)) return;
    if (source.isOrdered) await producer.drain();
    await producer.add({
      load: record._id,
      revision,
      ...batch,
      ...mended?.job,
    });
  };
  for (const [position, survey] of surveys.entries()) {
    const guard = refusalGuard(run, survey);
    const follow: Follow = (input) => run.observer.watch(input, "load");
    const gathering = repeats && (await openGathering(surveys, survey, repeats));
    await readOnce(run.open, survey.path, follow, async (input, observer) => {
      const cutting = { ...record.plan, as: record.plan.as, mended: survey.mended, ...observer, gathering };
      const takeGuarded = (batch: FileBatch) => {
        guard();
        const apart = batch.apart ?? (repeats && apartOf(survey.source, batch, repeats));
        return take({ ...batch, ...(apart && { apart }) }, survey);
      };
      await cutSurveyed(input, survey, { ...cutting, take: takeGuarded });
      // A later file may tell of the same records: its batches wait for those of this one.
      await producer.drain();
      guard();
    }).finally(() => gathering?.remove());
    await keepRun(run, survey, position);
    run.observer.onLoaded(survey);
  }
}

/** Of a series the next file may follow this one, now that all of it is loaded. */
async function keepRun({ stores, record }: LoadRun, survey: FileSurvey, position: number): Promise<void> {
  const run = survey.mended ? undefined : survey.source.series?.runOf(survey.context);
  const surveyed = record.surveyed?.[position];
  if (!run || !surveyed) return;
  surveyed.run = run;
  await writeLoad(stores.mongo.documents, record);
}

/** What looks at the batches of a file that have been written since, of which some follow later. */
function refusalGuard({ record, refusedMaxPercent, isForced }: LoadRun, { file }: FileSurvey): () => void {
  const before = record.counts;
  return () => {
    // Of mended rows those are left in that nobody could mend.
    if (isForced || record.plan.mends) return;
    const { read, refused } = record.counts;
    const counts = { read: read - before.read, refused: refused - before.refused };
    guardRefusals(file, counts, { mostPercent: refusedMaxPercent, load: record._id });
  };
}

/** Revisions of the batches that an earlier run has written; its counts are counted in. */
async function readDone({ stores, record }: LoadRun): Promise<Set<number>> {
  const done = new Set<number>();
  record.counts = noCounts();
  for (const { revision, counts } of await fetchBatches(stores.mongo.documents, record._id)) {
    done.add(revision);
    record.counts = addCounts(record.counts, counts);
  }
  return done;
}

async function retireLacking(
  { stores, record, completeMinPercent, isForced }: LoadRun,
  edition: WholeEdition,
): Promise<number> {
  const { _id: load, plan, counts } = record;
  const menders = await fetchMenders(stores.mongo.documents, load);
  const refused = Math.min(counts.refused, await countUnmended(stores.mongo.documents, record, menders));
  // What was mended has been written by then, so that it changes nothing any more.
  record.counts = { ...counts, refused, unchanged: counts.unchanged + counts.refused - refused };
  if (!isForced) guardRefused(refused, load);
  const minimumPercent = isForced ? 0 : completeMinPercent;
  const loads = [load, ...menders.map(({ _id }) => _id)];
  return retire(stores, loads, { revision: plan.revision, ...edition, minimumPercent });
}
