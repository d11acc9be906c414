/** Owns a load: its files are surveyed, then written batch by batch; begun anew, or gone on with where it stopped. */
import { CommandError, messageOf } from "../../api/core/errors.ts";
import { beginEdition, keepEdition, type EditionFile } from "../history/fingerprints.ts";
import {
  addCounts,
  noCounts,
  REVISIONS_PER_BATCH,
  writeLoad,
  type LoadRecord,
  type SurveyedFile,
} from "../history/loads.ts";
import { fetchBatches } from "../log/changes.ts";
import { waitForSearch } from "../log/follow-live.ts";
import { formatCount } from "../progress.ts";
import type { BatchProducer } from "../queue/batch-producer.ts";
import { checkFiles, guardRefusals } from "./check-files.ts";
import type { WholeEdition } from "./completeness.ts";
import type { FileBatch } from "./cut-file.ts";
import { apartOf, isFirst, isScattered, openGathering } from "./first-load.ts";
import { lockKinds } from "./kind-locks.ts";
import { readFile, surveyLoad, type LoadRun } from "./define-load.ts";
import { countUnmended, fetchMenders, letMendedGo } from "./mends.ts";
import { Repeats } from "./repeats.ts";
import { guardRefused, retire } from "./retire.ts";
import { toSurveyed, type FileSurvey } from "./survey.ts";

/** What writes the batches of a load. */
type WritingRun = LoadRun & { producer: BatchProducer };

// After this long a person wonders why a load that has failed does not end.
const LONG_WAIT_MS = 10_000;

/**
 * Runs a load to its end and keeps its outcome. Throws what ended it: SourceError for an unfit file, before anything
 * is written; CommandError for a batch that failed for good.
 */
export async function runLoad(run: WritingRun): Promise<void> {
  try {
    await writeLoad(run.stores.mongo.documents, run.record);
    await loadAll(run);
    await endLoad(run, null);
  } catch (error) {
    await settle(run, error);
    // When a store has gone away, that is the reason to tell, not that the end could not be written either.
    await endLoad(run, error).catch(() => undefined);
    throw error;
  }
}

/** Waits for the batches under way, so that the totals tell of all of them; a wait that cannot end adds nothing to the fault. */
async function settle({ producer, context }: WritingRun, error: unknown): Promise<void> {
  const timer = setTimeout(() => {
    context.tell(
      `${messageOf(error)}; the load ends when its waiting batches are written, which needs a worker`,
    );
  }, LONG_WAIT_MS);
  await producer.settle().catch(() => undefined);
  clearTimeout(timer);
}

async function loadAll(run: WritingRun): Promise<void> {
  const { stores, record } = run;
  const repeats = new Repeats();
  const { surveys, edition } = await surveyLoad(run, repeats);
  guardSurveyed(record, surveys);
  const kinds = surveys.flatMap(({ fills }) => fills);
  const release = await lockKinds(stores.redis, kinds, { ...run.context, onNote: run.context.tell });
  try {
    // Under the locks what is empty stays so.
    record.plan.isFirst = isScattered(surveys) && (await mayBeFirst(run));
    await writeSurveyed(run, surveys, { edition, repeats: isScattered(surveys) ? repeats : undefined });
  } finally {
    await release();
  }
}

/** What is asked of a load beside its files. */
interface WritingAim {
  edition: WholeEdition | null;
  /** By which rows that make one document are brought together; undefined: they stay where they are. */
  repeats: Repeats | undefined;
}

/** Nobody else writes these kinds of record meanwhile: what is checked here still holds when it is written. */
async function writeSurveyed(
  run: WritingRun,
  surveys: FileSurvey[],
  { edition, repeats }: WritingAim,
): Promise<void> {
  const { stores, record, context } = run;
  await checkFiles(run, surveys);
  record.surveyed ??= surveys.map(toSurveyed);
  await writeLoad(stores.mongo.documents, record);
  const { documents } = stores.mongo;
  const files = surveys.flatMap((survey) => editionOf(survey) ?? []);
  const usable = await beginEdition(documents, files, collectionsOf(surveys));
  const known = run.isForced ? new Map<string, string>() : usable;
  await writeAll(run, surveys, { repeats, known });
  if (edition) record.retired = await retireLacking(run, edition);
  const search = waitForSearch(stores, record._id, context.tell);
  await Promise.all([search, keepEdition(documents, record._id, files)]);
}

function collectionsOf(surveys: readonly FileSurvey[]): string[] {
  return surveys.flatMap(({ fills }) => fills.map(({ collection }) => collection));
}

/** A file by whose fingerprints that of the next edition is known; undefined for one that is no part of an edition. */
function editionOf(survey: FileSurvey): EditionFile | undefined {
  const { source, scope = "", production_date: day, part } = toSurveyed(survey);
  const { tellings, isOrdered } = survey.source;
  if (day === undefined || survey.mended || !tellings || isOrdered) return undefined;
  return {
    key: [source, scope, part?.product ?? "", part?.part ?? ""].join("/"),
    source,
    collections: collectionsOf([survey]),
  };
}

/** Keeps what came of a load. */
export async function endLoad(
  { stores, record }: Pick<LoadRun, "stores" | "record">,
  error: unknown,
): Promise<void> {
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

/** What files are known again by. */
function identityOf(files: readonly SurveyedFile[]): string {
  return JSON.stringify(
    files.map(({ file, source, rows, production_date: day }) => [file, source, rows, day]),
  );
}

/** How the rows of files become batches. */
interface Batching {
  repeats: Repeats | undefined;
  /** Loads with whose fingerprints rows can be compared, by the keys of their files. */
  known: ReadonlyMap<string, string>;
}

async function writeAll(run: WritingRun, surveys: FileSurvey[], { repeats, known }: Batching): Promise<void> {
  const { record, producer, context } = run;
  const done = await readDone(run);
  let revision = record.plan.revision;
  for (const [position, survey] of surveys.entries()) {
    const { source, mended } = survey;
    const before = record.counts;
    const guard = () => guardRefusals(run, survey, { before, isDryRun: false });
    const gathering = repeats && (await openGathering(surveys, survey, repeats));
    const file = editionOf(survey);
    const of = file && known.get(file.key);
    const prints = file && { prints: of === undefined ? {} : { of } };
    const take = async ({ apart: gathered, pieces, ...batch }: FileBatch) => {
      guard();
      const apart = record.plan.isFirst
        ? (gathered ?? (repeats && apartOf(source, batch, repeats)))
        : undefined;
      const job = {
        load: record._id,
        revision,
        ...batch,
        ...prints,
        ...(apart && { apart, ...(pieces && { pieces }) }),
        ...mended?.job,
      };
      revision += REVISIONS_PER_BATCH;
      if (done.has(job.revision)) return;
      if (source.isOrdered) await producer.drain();
      await producer.add(job);
    };
    // A later file may tell of the same records: its batches wait for those of this one.
    const drain = () => producer.drain();
    await readFile(run, survey, { take, gathering, drain }).finally(() => gathering?.remove());
    guard();
    await keepRun(run, survey, position);
    const doubt = survey.doubt ? `, although ${survey.doubt}` : "";
    context.tell(`${survey.file}: ${formatCount(survey.rows)} rows read as ${source.name}${doubt}`);
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

/** Revisions of the batches that an earlier run has written; its counts are counted in. */
async function readDone({ stores, record }: LoadRun): Promise<Set<number>> {
  const batches = await fetchBatches(stores.mongo.documents, record._id);
  record.counts = batches.reduce((sum, { counts }) => addCounts(sum, counts), noCounts());
  return new Set(batches.map(({ revision }) => revision));
}

async function retireLacking(
  { stores, record, context, isForced }: LoadRun,
  edition: WholeEdition,
): Promise<number> {
  const { _id: load, plan, counts } = record;
  const menders = await fetchMenders(stores.mongo.documents, load);
  const refused = Math.min(counts.refused, await countUnmended(stores.mongo.documents, record, menders));
  // What was mended has been written by then, so that it changes nothing any more.
  record.counts = { ...counts, refused, unchanged: counts.unchanged + counts.refused - refused };
  if (!isForced) guardRefused(refused, load);
  const minimumPercent = isForced ? 0 : context.config.COMPLETE_MIN_PERCENT;
  const loads = [load, ...menders.map(({ _id }) => _id)];
  return retire(stores, loads, { revision: plan.revision, ...edition, minimumPercent });
}
