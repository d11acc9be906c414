/** Owns a load as one process runs it: under its lock, with what earlier loads left mended first. */
import type { CommandContext } from "../../api/core/define-command.ts";
import { UnavailableError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { Lock } from "../../api/core/stores/redis-locks.ts";
import { indices } from "../../index-mappings/index.ts";
import { addCounts, fetchHighestRevision, loadLock, type LoadRecord } from "../history/loads.ts";
import { runDry } from "../load/dry-run.ts";
import { listNeeded } from "../load/mends.ts";
import { endLoad, runLoad } from "../load/run-load.ts";
import { closeLeft, fetchDone, fetchLastPosition, trimChanges } from "../log/changes.ts";
import { removeBuild } from "../log/followers.ts";
import { patientStores, type Patience } from "../patient-stores.ts";
import { prepareStores } from "../prepare.ts";
import { retryRefused } from "../projection/project.ts";
import { openProducer } from "../queue/batch-producer.ts";
import { requireFile } from "../readers/open-input.ts";
import { fetchStanding } from "../reindex/standing.ts";
import { report, reportDry, watchLoad, type LoadCall } from "./load-report.ts";
import { heldElsewhere, patienceOf } from "./long-work.ts";

const EXIT_REFUSED = 2;

/**
 * Runs a load under its lock, which it holds as long as it lives, so that no second process continues it. A new load is
 * kept in the list of loads whatever ends it, once its files are there.
 */
export async function loadLocked(call: LoadCall): Promise<number> {
  const { context, stores, record, given } = call;
  // A mistyped name is no load that failed.
  for (const file of record.files) await requireFile(file);
  const patience = patienceOf(context, "load");
  const patient = patientStores(stores, patience);
  let lock: Lock | null = null;
  try {
    // Asked in turn, so that the first one that is away is named alone.
    for (const store of [stores.redis, stores.mongo, stores.elasticsearch]) await store.ping();
    await prepareStores(stores, new Date());
    await raiseNumbers(patient, record);
    lock = await patient.redis.locks.acquire(loadLock(record._id));
    if (!lock) throw heldElsewhere(context.config, `the load ${record._id}`);
    return await loadAndReport(call, patient, patience);
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

/** What the load writes stands above all that earlier ones may have written, also where Redis has lost its data. */
async function raiseNumbers({ mongo: { documents }, redis }: Stores, { plan }: LoadRecord): Promise<void> {
  plan.revision ||= await redis.nextRevision(await fetchHighestRevision(documents));
  await redis.raisePosition(Number(await fetchLastPosition(documents)));
}

async function loadAndReport(call: LoadCall, patient: Stores, patience: Patience): Promise<number> {
  const { context, stores, record, given } = call;
  const startedAt = performance.now();
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
    const watch = watchLoad(call, producer);
    const fault = await runLoad({ ...call, stores: patient, producer, watch });
    if (!fault) {
      // What nobody needs any more, an earlier run's batches too; should a store be gone now, the next load takes it away.
      await producer.clearEnded(record._id).catch(() => undefined);
      await trim(stores).catch(() => undefined);
    }
    await report(call, fault, performance.now() - startedAt);
    if (fault) throw fault;
    return exitCodeOf(record);
  } finally {
    await producer.close();
  }
}

function exitCodeOf({ counts }: LoadRecord): number {
  return counts.refused > 0 ? EXIT_REFUSED : 0;
}

/** Says what a load would do; the exit code is the one that it would have. Throws what it would throw. */
export async function previewAndTell(call: LoadCall): Promise<number> {
  const outcome = await runDry({ ...call, watch: watchLoad(call) });
  // What guards whole editions, and stops a load, is told after what the rows would do.
  reportDry(call, outcome);
  if (outcome.fault) throw outcome.fault;
  return exitCodeOf(call.record);
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
  if (first !== undefined)
    context.tell(
      `Elasticsearch still refuses ${refused.length} batches of an earlier load: ${first}. This load goes on; ` +
        "npm run cli -- doctor says what to do",
    );
  if (mended > 0)
    context.tell(`Elasticsearch had refused ${mended} batches of an earlier load; it has taken them now`);
}
