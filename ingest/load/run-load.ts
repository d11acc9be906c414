/** Owns a load: its files are surveyed, then written batch by batch; begun anew, or gone on with where it stopped. */
import { formatCount } from "../../api/core/format.ts";
import { CommandError, messageOf } from "../../api/core/errors.ts";
import { removeKeptRows } from "../dead-letters/dead-letters.ts";
import { beginEdition, keepEdition, type EditionFile } from "../history/fingerprints.ts";
import {
  REVISIONS_PER_BATCH,
  sumCounts,
  writeLoad,
  type LoadRecord,
  type SurveyedFile,
} from "../history/loads.ts";
import { fetchBatches } from "../log/changes.ts";
import { waitForSearch } from "../log/follow.ts";
import type { BatchProducer } from "../queue/queue.ts";
import { checkFiles } from "./editions.ts";
import { Gathering, isFirst, isScattered } from "./gathering.ts";
import { lockKinds } from "./kind-locks.ts";
import type { LoadRun } from "./open-file.ts";
import { cutFile, guardRefusals, surveyFiles, type FileBatch, type FileSurvey } from "./read-files.ts";
import { Repeats } from "./repeats.ts";
import { retireLacking } from "./retire.ts";

type WritingRun = LoadRun & { producer: BatchProducer };
type Surveyed = Awaited<ReturnType<typeof surveyFiles>>;

// After this long a person wonders why a load that has failed does not end.
const LONG_WAIT_MS = 10_000;

/**
 * Runs a load to its end and keeps its outcome. Returns what ended it, if it failed: SourceError for an unfit file, before
 * anything is written; CommandError for a batch that failed for good.
 */
export async function runLoad(run: WritingRun): Promise<Error | null> {
  const { stores, record, context, producer } = run;
  try {
    await writeLoad(stores.mongo.documents, record);
    const repeats = new Repeats();
    const surveyed = await surveyFiles(run, repeats);
    guardSurveyed(record, surveyed.surveys);
    const release = await lockKinds(stores.redis, surveyed.fills, context);
    await writeSurveyed(run, surveyed, repeats).finally(release);
    await endLoad(run, null);
    return null;
  } catch (error) {
    // The totals tell of all batches under way; a wait for them that cannot end adds nothing to the fault.
    const told = `${messageOf(error)}; the load ends when its waiting batches are written, which needs a worker`;
    const timer = setTimeout(() => context.tell(told), LONG_WAIT_MS);
    await producer.settle().catch(() => undefined);
    clearTimeout(timer);
    // When a store has gone away, that is the reason to tell, not that the end could not be written either.
    await endLoad(run, error).catch(() => undefined);
    return error as Error;
  }
}

/** Nobody else writes these kinds of record meanwhile: what is checked here still holds when it is written. */
async function writeSurveyed(run: WritingRun, surveyed: Surveyed, repeats: Repeats): Promise<void> {
  const { surveys, fills, edition } = surveyed;
  const { stores, record, context } = run;
  const { documents } = stores.mongo;
  const isGathered = isScattered(surveys);
  // One that is gone on with was asked as it began.
  if (!record.surveyed) {
    record.plan.isFirst = isGathered && (await isFirst(documents));
    const held = await Promise.all(fills.map((name) => documents.fetchAny(name)));
    record.plan.first = fills.filter((_name, at) => held[at] === null);
  }
  await checkFiles(run, surveys);
  record.surveyed ??= surveys.map(({ facts }) => facts);
  await writeLoad(documents, record);
  const files = surveys.flatMap((survey) => editionOf(survey) ?? []);
  const known = await beginEdition(documents, files, fills);
  await writeFiles(run, surveys, { repeats: isGathered ? repeats : undefined, known });
  if (edition) record.retired = await retireLacking(run, edition);
  const search = waitForSearch(stores, record._id, context.tell);
  await Promise.all([search, keepEdition(documents, record._id, files)]);
}

/** A file by whose fingerprints that of the next edition is known; undefined for one that is no part of an edition. */
function editionOf({ facts, source: { tellings, isOrdered }, fills }: FileSurvey): EditionFile | undefined {
  const { source, scope = "", production_date: day, part, mends } = facts;
  if (day === undefined || mends !== undefined || !tellings || isOrdered) return undefined;
  const _id = [source, scope, part?.product ?? "", part?.part ?? ""].join("/");
  return { _id, source, collections: fills };
}

/** Keeps what came of a load. */
export async function endLoad(run: Pick<LoadRun, "stores" | "record">, error: unknown): Promise<void> {
  const { stores, record } = run;
  const { documents } = stores.mongo;
  record.state = error ? "failed" : "succeeded";
  record.finished_at = new Date().toISOString();
  if (error) record.reason = messageOf(error);
  // What was written can be found from now on. Asked before the load counts as done: should the engine be away, there is
  // something to go on with.
  else await stores.elasticsearch.refresh();
  await writeLoad(documents, record);
  // Mended rows go once they are loaded: what was refused again is kept of this load.
  for (const { mends } of error ? [] : (record.surveyed ?? []))
    if (mends !== undefined) await removeKeptRows(documents, `${record.plan.mends?.load}:${mends}`);
}

/** Batches are known again by their number, so that a load goes on with the files it began with. */
function guardSurveyed({ _id, surveyed }: LoadRecord, surveys: readonly FileSurvey[]): void {
  const identityOf = (files: readonly SurveyedFile[]) =>
    JSON.stringify(files.map(({ file, source, rows, production_date: day }) => [file, source, rows, day]));
  if (!surveyed || identityOf(surveyed) === identityOf(surveys.map(({ facts }) => facts))) return;
  throw new CommandError(
    `the files are not those any more that the load ${_id} began with: load them anew, without --resume`,
  );
}

/**
 * Writes the rows of all files. `repeats`: rows that make one document are brought together by it; undefined: they stay where
 * they are. `known`: loads with whose fingerprints rows can be compared, by the ids of their editions.
 */
async function writeFiles(
  run: WritingRun,
  surveys: readonly FileSurvey[],
  { repeats, known }: { repeats: Repeats | undefined; known: ReadonlyMap<string, string> },
): Promise<void> {
  const { record, producer, context, stores } = run;
  const { _id: load, plan } = record;
  // Those of an earlier run are not written again; its counts are counted in.
  const batches = await fetchBatches(stores.mongo.documents, load);
  const done = new Set(batches.map(({ revision }) => revision));
  record.counts = sumCounts(batches);
  let { revision } = plan;
  for (const [position, survey] of surveys.entries()) {
    const { source, mended, file } = survey;
    const guard = guardRefusals(run, survey);
    const gathering = repeats && new Gathering(survey, surveys, { repeats, isFirst: plan.isFirst === true });
    const edition = editionOf(survey);
    const of = edition && !run.isForced ? known.get(edition._id) : undefined;
    const surveyed = record.surveyed?.[position];
    const prints = edition && { prints: of === undefined ? {} : { of } };
    const take = async (batch: FileBatch) => {
      guard();
      const at = { revision, place: surveyed?.place };
      const job = { load, ...at, ...batch, ...prints, first: plan.first ?? [], ...mended?.job };
      revision += REVISIONS_PER_BATCH;
      if (done.has(job.revision)) return;
      if (source.isOrdered) await producer.drain();
      await producer.add(job);
    };
    // A later file may tell of the same records: its batches wait for those of this one.
    const drain = () => producer.drain();
    await cutFile(run, survey, { take, gathering, drain }).finally(() => gathering?.remove());
    guard();
    // Of a series the next file may follow this one, now that all of it is loaded.
    const ran = mended ? undefined : source.series?.runOf(survey.context);
    if (ran && surveyed) {
      surveyed.run = ran;
      await writeLoad(stores.mongo.documents, record);
    }
    const doubt = survey.doubt ? `, although ${survey.doubt}` : "";
    context.tell(`${file}: ${formatCount(survey.rows)} rows read as ${source.name}${doubt}`);
  }
}
