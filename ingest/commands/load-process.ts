/** Owns a load as one process runs it: under its lock, with what earlier loads left mended first. */
import type { CommandContext, GivenOptions } from "../../api/core/define-command.ts";
import { UnavailableError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { Lock } from "../../api/core/stores/redis-locks.ts";
import { indices } from "../../index-mappings/index.ts";
import { addCounts, fetchHighestRevision, loadLock, type LoadRecord } from "../history/loads.ts";
import { runDry } from "../load/dry-run.ts";
import { listNeeded } from "../load/mends.ts";
import type { LoadRun } from "../load/open-file.ts";
import { endLoad, runLoad } from "../load/run-load.ts";
import { closeLeft, fetchDone, fetchLastPosition, trimChanges } from "../log/changes.ts";
import { removeBuild } from "../log/followers.ts";
import { openPatience, patientStores, type Patience } from "../patient-stores.ts";
import { prepareStores } from "../prepare.ts";
import { retryRefused } from "../projection/project.ts";
import { openProducer } from "../queue/batch-producer.ts";
import { requireFile } from "../readers/open-input.ts";
import { fetchStanding } from "../reindex/standing.ts";
import { report, reportDry, watchLoad } from "./load-report.ts";
import { heldElsewhere, patienceOf } from "./long-work.ts";

const EXIT_OK = 0;
const EXIT_REFUSED = 2;

/** What was asked for. */
export interface LoadCall {
  context: CommandContext;
  stores: Stores;
  record: LoadRecord;
  given: GivenOptions;
  open: LoadRun["open"];
}

/**
 * Runs a load under its lock, which it holds as long as it lives, so that no second process continues it. A new load is
 * kept in the list of loads whatever ends it, once its files are there.
 */
export async function loadLocked(call: LoadCall): Promise<number> {
  const { context, stores, record, given } = call;
  // A mistyped name is no load that failed.
  for (const file of record.files) await requireFile(file);
  const patience = patienceOf(context, "load");
  let lock: Lock | null = null;
  try {
    lock = await beginLoad(stores, record, patience);
    if (!lock) throw heldElsewhere(context.config, `the load ${record._id}`);
    return await loadAndReport(call, patience);
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
  stores: Stores,
  { _id, plan }: LoadRecord,
  patience: Patience,
): Promise<Lock | null> {
  // Asked in turn, so that the first one that is away is named alone.
  for (const store of [stores.redis, stores.mongo, stores.elasticsearch]) await store.ping();
  await prepareStores(stores, new Date());
  const wait = openPatience(patience);
  const { documents } = stores.mongo;
  const above = await fetchHighestRevision(documents);
  plan.revision ||= await wait(() => stores.redis.nextRevision(above));
  const last = Number(await fetchLastPosition(documents));
  await wait(() => stores.redis.raisePosition(last));
  return wait(() => stores.redis.locks.acquire(loadLock(_id)));
}

async function loadAndReport(
  { context, stores, record, given, open }: LoadCall,
  patience: Patience,
): Promise<number> {
  const startedAt = performance.now();
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
    if (!fault) {
      // What nobody needs any more, an earlier run's batches too; should a store be gone now, the next load takes it away.
      await producer.clearEnded(record._id).catch(() => undefined);
      await trim(stores).catch(() => undefined);
    }
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
  const { context, stores, record, given, open } = call;
  const watch = watchLoad(context, record);
  const outcome = await runDry({ context, stores, record, open, isForced: Boolean(given.force), watch });
  // What guards whole editions, and stops a load, is told after what the rows would do.
  reportDry(context, record, outcome, Boolean(given.json));
  if (outcome.fault) throw outcome.fault;
  return exitCodeOf(record);
}

async function trim(stores: Stores): Promise<void> {
  const { documents } = stores.mongo;
  for (const index of indices) {
    const { moved } = await fetchStanding(stores, index);
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
