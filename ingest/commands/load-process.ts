/** Owns a load as one process runs it: under its lock, with what earlier loads left mended first. */
import type { CommandContext, GivenOptions } from "../../api/core/define-command.ts";
import { CommandError, UnavailableError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { Lock } from "../../api/core/stores/redis-locks.ts";
import { trimEvents } from "../../api/core/stores/events.ts";
import { records } from "../../api/resources/index.ts";
import { indices } from "../../index-mappings/index.ts";
import { listNeeded, planMends } from "../load/mends.ts";
import { runDry } from "../load/dry-run.ts";
import { endLoad, runLoad } from "../load/run-load.ts";
import type { FileOpener } from "../load/spool.ts";
import {
  type LoadRecord,
  addCounts,
  fetchHighestRevision,
  fetchLoad,
  loadLock,
  newLoadId,
  noCounts,
} from "../history/loads.ts";
import { closeLeft, fetchDone, fetchLastPosition, trimChanges } from "../log/changes.ts";
import { removeBuild } from "../log/followers.ts";
import { retryRefused } from "../projection/project.ts";
import { openPatience, patientStores } from "../patient-stores.ts";
import { prepareStores } from "../prepare.ts";
import { requireFile } from "../readers/open-input.ts";
import type { Encoding } from "../readers/read-rows.ts";
import { openProducer, type BatchProducer } from "../queue/queue.ts";
import { fetchStanding } from "../reindex/standing.ts";
import { report, reportDry, watchLoad } from "./load-report.ts";
import { heldElsewhere, patienceOf } from "./long-work.ts";

const EXIT_OK = 0;
const EXIT_REFUSED = 2;

/** What is asked for when nothing is. */
export const DEFAULT_ENCODING = "utf-8";

/** What was asked for. */
export interface LoadCall {
  context: CommandContext;
  stores: Stores;
  files: string[];
  given: GivenOptions;
  open: FileOpener;
}

/**
 * Runs a load under its lock, which it holds as long as it lives, so that no second process continues it. A new load is
 * kept in the list of loads whatever ends it, once its files are there.
 */
export async function loadLocked(call: LoadCall): Promise<number> {
  const { context, stores, given } = call;
  const record = given.resume ? await fetchResumable(stores, given.resume, given) : await newRecord(call);
  // A mistyped name is no load that failed.
  for (const file of record.files) await requireFile(file);
  let lock: Lock | null = null;
  try {
    lock = await beginLoad(context, stores, record);
    if (!lock) throw heldElsewhere(context.config, `the load ${record._id}`);
    return await loadAndReport(call, record);
  } catch (error) {
    // One that is resumed may be running in another process until the lock is held.
    const isOurs = lock !== null || !given.resume;
    const cannotBeKept = error instanceof UnavailableError && error.store === "mongodb";
    // Once it was run it has kept its outcome itself.
    if (isOurs && !cannotBeKept && record.state === "running")
      await endLoad({ stores, record }, error).catch(() => undefined);
    throw error;
  } finally {
    await lock?.release().catch(() => undefined);
  }
}

/** Makes the stores ready and takes the lock; null when another process holds it. A Redis that takes no writes is waited for. */
async function beginLoad(
  context: CommandContext,
  stores: Stores,
  { _id, plan }: LoadRecord,
): Promise<Lock | null> {
  // Asked in turn, so that the first one that is away is named alone.
  for (const store of [stores.redis, stores.mongo, stores.elasticsearch]) await store.ping();
  await prepareStores(stores, new Date());
  const wait = openPatience(patienceOf(context, "load"));
  const { documents } = stores.mongo;
  const above = await fetchHighestRevision(documents);
  plan.revision ||= await wait(() => stores.redis.nextRevision(above));
  const last = Number(await fetchLastPosition(documents));
  await wait(() => stores.redis.raisePosition(last));
  return wait(() => stores.redis.locks.acquire(loadLock(_id)));
}

async function newRecord({ context: { config }, stores, files, given }: LoadCall): Promise<LoadRecord> {
  const { as, encoding = DEFAULT_ENCODING, complete, unchecked, mends } = given;
  const mendPlan = mends && (await planMends(stores, mends));
  return {
    _id: newLoadId(new Date(), Math.random()),
    state: "running",
    files,
    started_at: new Date().toISOString(),
    counts: noCounts(),
    plan: {
      ...(as && { as }),
      encoding: encoding as Encoding, // one of the option's choices
      limits: { rows: config.BATCH_ROWS, bytes: config.BATCH_BYTES },
      // Drawn as the load begins.
      revision: 0,
      isComplete: Boolean(complete),
      ...(unchecked && { isUnchecked: true }),
      ...(mendPlan && { mends: mendPlan }),
    },
  };
}

async function fetchResumable({ mongo }: Stores, id: string, given: GivenOptions): Promise<LoadRecord> {
  const record = await fetchLoad(mongo.documents, id);
  if (!record) throw new CommandError(`there is no load ${id}; npm run cli -- loads list names them`);
  if (record.state === "succeeded")
    throw new CommandError(`the load ${id} has succeeded: there is nothing to go on with`);
  if (record.files.includes("-"))
    throw new CommandError(`the load ${id} read standard input, which is gone: load it anew`);
  // It goes on as it began, so that what is asked for beside must be what it began with.
  const { as, encoding = DEFAULT_ENCODING, complete, unchecked } = given;
  const { plan } = record;
  const other = [
    as !== undefined && as !== plan.as && `as ${as}`,
    encoding !== DEFAULT_ENCODING && encoding !== plan.encoding && `encoding ${encoding}`,
    complete && !plan.isComplete && "complete",
    unchecked && !plan.isUnchecked && "unchecked",
  ].find(Boolean);
  if (other)
    throw new CommandError(`the load ${id} began without --${other}: leave it out, or load the files anew`);
  delete record.reason;
  delete record.finished_at;
  return { ...record, state: "running" };
}

async function loadAndReport(
  { context, stores, given, open }: LoadCall,
  record: LoadRecord,
): Promise<number> {
  const startedAt = performance.now();
  const patience = patienceOf(context, "load");
  const patient = patientStores(stores, patience);
  const producer = await openProducer(stores.redis, {
    ...{ prefix: context.config.QUEUE_PREFIX, depth: context.config.QUEUE_DEPTH, ...patience },
    fetchDone: (job) => fetchDone(stores.mongo.documents, job),
    onWritten: (counts) => (record.counts = addCounts(record.counts, counts)),
  });
  try {
    await mendEarlierLoads(context, patient);
    if (given.resume) {
      await producer.clearEnded(record._id);
      await closeLeft(stores.mongo.documents, { load: record._id });
    }
    const watch = watchLoad(context, record, producer);
    const isForced = Boolean(given.force);
    const fault = await runLoad({ context, stores: patient, record, producer, open, isForced, watch });
    if (!fault) await clearUp(context, stores, record, producer);
    const elapsedMs = performance.now() - startedAt;
    await report(context, stores, record, { fault, isJson: Boolean(given.json), elapsedMs });
    if (fault) throw fault;
    return exitCodeOf(record);
  } finally {
    await producer.close();
  }
}

function exitCodeOf({ counts }: LoadRecord): number {
  return counts.refused > 0 ? EXIT_REFUSED : EXIT_OK;
}

/** Says what a load would do; the exit code is the one that it would have. Throws what it would throw. */
export async function previewAndTell(call: LoadCall): Promise<number> {
  const { context, stores, given, open } = call;
  const record = await newRecord(call);
  const watch = watchLoad(context, record);
  const outcome = await runDry({ context, stores, record, open, isForced: Boolean(given.force), watch });
  // What guards whole editions, and stops a load, is told after what the rows would do.
  reportDry(context, record, outcome, Boolean(given.json));
  if (outcome.fault) throw outcome.fault;
  return exitCodeOf(record);
}

/** Takes away what nobody needs any more; should a store be gone now, the next load does. */
async function clearUp(
  { config }: Pick<CommandContext, "config">,
  stores: Stores,
  { _id }: LoadRecord,
  producer: BatchProducer,
): Promise<void> {
  // Batches of an earlier run that was killed, and those that could not be taken away while Redis was gone; else they
  // go by their age.
  await producer.clearEnded(_id).catch(() => undefined);
  await trim(stores).catch(() => undefined);
  const kept = { days: config.STREAM_DAYS, now: new Date() };
  await trimEvents(
    stores.mongo.documents,
    records.map(({ collection }) => collection),
    kept,
  ).catch(() => undefined);
}

async function trim(stores: Stores): Promise<void> {
  const { documents } = stores.mongo;
  for (const index of indices) {
    const { moved } = await fetchStanding({ stores, index });
    // Its reindex died when it had moved the alias, and follows no more.
    if (moved) await removeBuild(documents, moved._id);
  }
  await trimChanges(documents, await listNeeded(documents));
}

async function mendEarlierLoads(context: CommandContext, stores: Stores): Promise<void> {
  const { mended, refused } = await retryRefused(stores);
  const [first] = refused;
  if (first !== undefined) {
    context.tell(
      `Elasticsearch still refuses ${refused.length} batches of an earlier load: ${first}. This load goes on; ` +
        "npm run cli -- doctor says what to do",
    );
  }
  if (mended > 0)
    context.tell(`Elasticsearch had refused ${mended} batches of an earlier load; it has taken them now`);
}
