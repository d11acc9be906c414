/** Runs a load, new or resumed: reads all its files once to check them, then writes them batch by batch. */
import { isDeepStrictEqual } from "node:util";
import { formatNumber } from "../../api/shared/runtime/format.ts";
import {
  ChangedFilesError,
  messageOf,
  NeedsForceError,
  UnknownFormatError,
} from "../../api/shared/runtime/errors.ts";
import { inSpan } from "../../api/shared/tracing/tracing.ts";
import { removeKeptRows, removeReplaced } from "../refused-rows/refused-rows.ts";
import { addCounts, noCounts, sumCounts } from "../history/counts.ts";
import {
  fetchKnownLoads,
  identityOf,
  reachedBy,
  REVISIONS_PER_BATCH,
  writeLoad,
  type LoadFacts,
  type LoadRecord,
  type SurveyedFile,
} from "../history/loads.ts";
import { drawRevisionOfLoad } from "../history/revisions.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { PERSONS } from "../../api/shared/stores/collections/persons.ts";
import { indices, neededIndices } from "../../index-mappings/index.ts";
import { wordsIndex } from "../../index-mappings/words/index.ts";
import { fetchBatches } from "../log/changes.ts";
import { waitForSearch } from "../log/log-follower.ts";
import { recordKeysOf } from "../pipeline.ts";
import { CUT_VERSION } from "../queue/batches.ts";
import type { BatchProducer } from "../queue/producer.ts";
import type { BatchCounts } from "../queue/queue.ts";
import { checkFiles } from "./editions.ts";
import { lockKinds, OvertakenError, type KindLocks } from "./kind-locks.ts";
import { waitForLeftBatches } from "./left-batches.ts";
import { countMended } from "./mends.ts";
import type { LoadRun, FileSurvey } from "./open-file.ts";
import {
  cutFile,
  guardRefusals,
  renewMended,
  surveyFiles,
  type Cutting,
  type FileBatch,
} from "./read-files.ts";
import { apartOf, isFirst, Repeats } from "./repeats.ts";
import { retireLacking } from "./retire.ts";

type StartedRun = LoadRun & { producer: BatchProducer };
type WritingRun = StartedRun & Pick<KindLocks, "requireKept"> & { isResumed: boolean };
type Surveyed = Awaited<ReturnType<typeof surveyFiles>>;

// After this long, a failed load explains why it has not ended yet.
const LONG_WAIT_MS = 10_000;

/** Runs a load and stores its outcome; returns its error, if any. An unfit file fails before any write. */
export async function runLoad(run: StartedRun): Promise<Error | null> {
  const { stores, record, context } = run;
  if (run.isForced) record.isForced = true;
  try {
    await writeLoad(stores.mongo.documents, record);
    const isResumed = record.surveyed !== undefined;
    // A resumed load is never a first load.
    const repeats = isResumed ? undefined : new Repeats();
    const surveyed = await inSpan({ name: "checking files" }, () => surveyFiles(run, repeats));
    guardSurveyed(record, surveyed.surveys);
    const { release, requireKept } = await during(
      run,
      "waiting until no other load writes these kinds of record",
      () => lockKinds(stores.redis, surveyed.fills, context),
    );
    run.producer.requireKept = requireKept;
    await writeSurveyed({ ...run, requireKept, isResumed }, surveyed, repeats).finally(release);
    return null;
  } catch (error) {
    // If a store is unavailable, the outcome cannot be stored either; report the first error.
    await endLoad(run, error).catch(() => undefined);
    return error as Error;
  }
}

/** Withdraws the load's batches, so that none is written while another load holds the locks. Rethrows the error. */
async function endBatches({ context, producer }: WritingRun, error: unknown): Promise<never> {
  const waiting = `${messageOf(error)}; the load ends when the workers have written the batches that they hold`;
  const timer = setTimeout(() => context.tell(waiting), LONG_WAIT_MS);
  await producer.withdraw().catch(() => undefined);
  clearTimeout(timer);
  throw error;
}

/** Runs under the locks of the record kinds: its checks stay true until it writes, and the next load finds it ended. */
async function writeSurveyed(
  run: WritingRun,
  surveyed: Surveyed,
  repeats: Repeats | undefined,
): Promise<void> {
  const { surveys, fills, edition } = surveyed;
  const { stores, record, isResumed } = run;
  const { documents } = stores.mongo;
  await waitForLeftBatches({ ...run, queue: run.producer.queue }, fills);
  // A resumed load is not planned as a first load, since others may have written since it began.
  const loads = await fetchKnownLoads(documents);
  const empty = isResumed ? null : await planWriting(run, surveyed, loads);
  await renewMended(run, surveys);
  checkFiles(run, surveys, loads);
  await run.requireKept();
  record.surveyed ??= surveys.map(({ facts }) => facts);
  delete record.formats;
  await writeLoad(documents, record);
  // Batches index documents of several records under their own revisions. Documents made later need higher ones,
  // whatever the clock says.
  await stores.redis.nextRevision(reachedBy(record));
  const known = empty && isFirst(surveys, empty) ? repeats : undefined;
  await writeFiles(run, surveys, known);
  if (edition) await inSpan({ name: "removing what the edition lacks" }, () => retireLacking(run, edition));
  if (record.plan.mends) record.mended = await countMended(documents, record, surveys);
  const replaced = await removeReplaced(stores, record);
  if (replaced > 0) record.replaced = (record.replaced ?? 0) + replaced;
  await during(run, "updating the search", () => waitForSearch(stores, record._id, run.context));
  await run.requireKept();
  await endLoad(run, null);
}

/** Stores the run of a file that is loaded completely, so that the next file of its series may follow. */
async function keepRun({ stores, record }: WritingRun, survey: FileSurvey, position: number): Promise<void> {
  const { source, context, mended } = survey;
  const ran = mended ? undefined : source.series?.runOf(context);
  const surveyed = record.surveyed?.[position];
  if (!surveyed || !ran) return;
  surveyed.run = ran;
  await writeLoad(stores.mongo.documents, record);
}

/** Completes the plan of a new load before it writes. Returns which of the collections that it fills are empty. */
async function planWriting(
  { stores, record: { plan } }: WritingRun,
  { surveys, fills }: Surveyed,
  loads: readonly LoadFacts[],
) {
  const persons = surveys.some(({ source }) => source.scattered) ? [PERSONS] : [];
  const empty = await fetchEmpty(stores.mongo.documents, new Set([...fills, ...persons]));
  plan.first = fills.filter((name) => empty.has(name));
  // A load that was interrupted before it wrote may have begun under another release.
  plan.cut = CUT_VERSION;
  // Of two loads of a kind, the one that writes later counts as later, whichever began first.
  plan.revision = await drawRevisionOfLoad(stores, loads);
  return empty;
}

/** Returns which of these collections have no documents. */
async function fetchEmpty(documents: DocumentStore, names: ReadonlySet<string>): Promise<Set<string>> {
  const empty = [...names].map(async (name) => ((await documents.fetchAny(name)) ? [] : name));
  return new Set((await Promise.all(empty)).flat());
}

/** Does `work`, which is shown as a step without counts. */
function during<T>({ watch }: LoadRun, doing: string, work: () => Promise<T>): Promise<T> {
  const { end } = watch({ doing });
  return inSpan({ name: doing }, work).finally(end);
}

/** Stores the outcome of a load: failed with this error, or succeeded if there is none. */
export async function endLoad(run: Pick<LoadRun, "stores" | "record">, error: unknown): Promise<void> {
  // Another process may have ended or undone the load since, so its stored record is left as it is.
  if (error instanceof OvertakenError) return;
  const { stores, record } = run;
  const { documents } = stores.mongo;
  record.state = error ? "failed" : "succeeded";
  record.finished_at = new Date().toISOString();
  if (error) record.reason = messageOf(error);
  if (error instanceof UnknownFormatError) record.isUnknownFormat = true;
  if (error instanceof NeedsForceError) {
    record.isForced = true;
    // Files that need --force, such as an older edition, have nothing that a later load must bring instead.
    delete record.formats;
  }
  if (error instanceof ChangedFilesError) record.isChanged = true;
  // Makes writes searchable before the load counts as done. If Elasticsearch is unavailable, it can be resumed.
  if (!error) {
    await stores.elasticsearch.refresh(neededIndices);
    await beginMerges(run);
  }
  await writeLoad(documents, record);
  // The mended rows are loaded now; any that were refused again are kept under this load.
  for (const { mends } of error ? [] : (record.surveyed ?? []))
    if (mends !== undefined) await removeKeptRows(documents, `${record.plan.mends?.load}:${mends}`);
}

// Tuned: fewer rows make few segments.
const MERGED_FROM_ROWS = 50_000;

/** Begins to merge the many segments that a first load makes. Does not wait: searches also work before the merge. */
async function beginMerges({ stores, record }: Pick<LoadRun, "stores" | "record">): Promise<void> {
  if (record.counts.read < MERGED_FROM_ROWS) return;
  const filled = indices.filter((index) => record.plan.first?.includes(index.record.collection));
  const merged = filled.length > 0 ? [wordsIndex, ...filled] : [];
  for (const { name } of merged) await stores.elasticsearch.builds.beginMerge(name).catch(() => undefined);
}

/** A batch is identified by its number, and cut by the number and size of rows: a resumed load needs the same files. */
function guardSurveyed({ _id, surveyed }: LoadRecord, surveys: readonly FileSurvey[]): void {
  const listOf = (files: readonly SurveyedFile[]) => files.map((file) => [identityOf(file), file.checksum]);
  if (!surveyed || isDeepStrictEqual(listOf(surveyed), listOf(surveys.map(({ facts }) => facts)))) return;
  throw new ChangedFilesError(
    `the files have changed since the load ${_id} began: load them without --resume`,
  );
}

/** One file after the other: a later one may hold the same records. `repeats`: keys of a first load (`repeats.ts`). */
async function writeFiles(run: WritingRun, surveys: readonly FileSurvey[], repeats: Repeats | undefined) {
  const { record, context, stores } = run;
  // Batches of an earlier run are not written again; their counts are included.
  const batches = run.isResumed ? await fetchBatches(stores.mongo.documents, record._id) : [];
  const done = new Map(batches.map(({ revision, counts }) => [revision, counts]));
  record.counts = sumCounts(batches);
  let first = record.plan.revision;
  for (const [position, survey] of surveys.entries()) {
    const { source, file, rows } = survey;
    const writing = { first, done, apart: repeats && apartOf(survey, repeats) };
    first = await inSpan({ name: "loading files" }, () => writeFile(run, survey, writing));
    await run.requireKept();
    await keepRun(run, survey, position);
    const doubt = survey.doubt ? `, although ${survey.doubt}` : "";
    context.tell(`${file}: ${formatNumber(rows, "row")} read as ${source.name}${doubt}`);
  }
}

interface Writing extends Pick<Cutting, "apart"> {
  /** Revision of the first batch. */
  first: number;
  /** The counts of the load's batches that are written, by revision. */
  done: ReadonlyMap<number, BatchCounts>;
}

/**
 * Writes the batches of a file that are not written yet, and waits for them. Returns the revision that follows the last
 * batch. Batches with rows of one record are written in their order: the last row counts, even if it leaves the record
 * unchanged.
 */
async function writeFile(run: WritingRun, survey: FileSurvey, { first, done, apart }: Writing) {
  const { producer, record } = run;
  const { source, mended } = survey;
  const { _id: load, plan } = record;
  let counted = noCounts();
  const guard = guardRefusals(run, survey, () => counted);
  let revision = first;
  const take = async (batch: FileBatch) => {
    const job = { load, first: plan.first ?? [], revision, ...batch, ...mended?.job };
    revision += REVISIONS_PER_BATCH;
    const counts = done.get(job.revision);
    if (counts) {
      counted = addCounts(counted, counts);
      return;
    }
    guard();
    if (source.isOrdered) await producer.drain();
    await producer.add(job, recordKeysOf(source, batch));
  };
  const cutting = { take, apart, drain: () => producer.drain() };
  await cutFile(run, survey, cutting).catch((error: unknown) => endBatches(run, error));
  guard();
  return revision;
}
