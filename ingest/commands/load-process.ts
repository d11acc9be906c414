/** Owns a load as one process runs it: under its lock, with what earlier loads left mended first. */
import type { CommandContext } from "../../api/core/define-command.ts";
import { CommandError, UnavailableError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { Lock } from "../../api/core/stores/redis-locks.ts";
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
import { retryRefused } from "../projection/project.ts";
import { openPatience, patientStores } from "../patient-stores.ts";
import { prepareStores } from "../prepare.ts";
import { requireFile } from "../readers/open-input.ts";
import type { Encoding } from "../readers/read-rows.ts";
import { openProducer, type BatchProducer } from "../queue/batch-producer.ts";
import { report, reportDry, watchLoad } from "./load-report.ts";
import { heldElsewhere, patienceOf } from "./long-work.ts";

const EXIT_OK = 0;
const EXIT_REFUSED = 2;

/** What was asked for. */
export interface LoadRequest {
  files: string[];
  as: string | undefined;
  encoding: Encoding;
  isComplete: boolean;
  isForced: boolean;
  isUnchecked: boolean;
  isJson: boolean;
  /** Id of the load of which the files hold mended rows. */
  mends?: string | undefined;
  /** Id of the load that is gone on with. */
  resume: string | undefined;
}

/**
 * Runs a load under its lock, which it holds as long as it lives, so that no second process continues it. A new load is
 * kept in the list of loads whatever ends it, once its files are there.
 */
export async function loadLocked(
  context: CommandContext,
  stores: Stores,
  request: LoadRequest,
  open: FileOpener,
): Promise<number> {
  const record = request.resume
    ? await fetchResumable(stores, request.resume, request)
    : await newRecord(context, stores, request);
  // A mistyped name is no load that failed.
  for (const file of record.files) await requireFile(file);
  // One that is resumed may be running in another process until the lock is held.
  let isOurs = !request.resume;
  let lock: Lock | null = null;
  try {
    lock = await beginLoad(context, stores, record);
    if (!lock) throw heldElsewhere(context.config, `the load ${record._id}`);
    isOurs = true;
    return await loadAndReport(context, stores, { request, record, open });
  } catch (error) {
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

async function newRecord(
  { config }: CommandContext,
  stores: Stores,
  { files, as, encoding, isComplete, isUnchecked, mends }: LoadRequest,
): Promise<LoadRecord> {
  const mendPlan = mends && (await planMends(stores, mends));
  return {
    _id: newLoadId(new Date(), Math.random()),
    state: "running",
    files,
    started_at: new Date().toISOString(),
    counts: noCounts(),
    plan: {
      ...(as && { as }),
      encoding,
      limits: { rows: config.BATCH_ROWS, bytes: config.BATCH_BYTES },
      // Drawn as the load begins.
      revision: 0,
      isComplete,
      ...(isUnchecked && { isUnchecked }),
      ...(mendPlan && { mends: mendPlan }),
    },
  };
}

async function fetchResumable({ mongo }: Stores, id: string, request: LoadRequest): Promise<LoadRecord> {
  const record = await fetchLoad(mongo.documents, id);
  if (!record) throw new CommandError(`there is no load ${id}; npm run cli -- loads list names them`);
  if (record.state === "succeeded")
    throw new CommandError(`the load ${id} has succeeded: there is nothing to go on with`);
  if (record.files.includes("-"))
    throw new CommandError(`the load ${id} read standard input, which is gone: load it anew`);
  guardPlan(record, request);
  delete record.reason;
  delete record.finished_at;
  return { ...record, state: "running" };
}

/** A load goes on as it began, so that what is asked for beside must be what it began with. */
function guardPlan({ _id, plan }: LoadRecord, { as, encoding, isComplete, isUnchecked }: LoadRequest): void {
  const others = [
    as !== undefined && as !== plan.as && `as ${as}`,
    // UTF-8 is what is asked for when nothing is.
    encoding !== "utf-8" && encoding !== plan.encoding && `encoding ${encoding}`,
    isComplete && !plan.isComplete && "complete",
    isUnchecked && !plan.isUnchecked && "unchecked",
  ];
  const other = others.find((word) => word !== false);
  if (other)
    throw new CommandError(`the load ${_id} began without --${other}: leave it out, or load the files anew`);
}

async function loadAndReport(
  context: CommandContext,
  stores: Stores,
  { record, request, open }: { record: LoadRecord; request: LoadRequest; open: FileOpener },
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
    if (request.resume) {
      await producer.clearEnded(record._id);
      await closeLeft(stores.mongo.documents, { load: record._id });
    }
    const { isForced, isJson } = request;
    const watch = watchLoad(context, record, producer);
    const run = { context, stores: patient, record, producer, open, isForced, watch };
    const fault = await runLoad(run).then(
      () => null,
      (error: unknown) => error,
    );
    if (!fault) await clearUp(stores, record, producer);
    await report(context, stores, record, { fault, isJson, elapsedMs: performance.now() - startedAt });
    if (fault) throw fault as Error;
    return exitCodeOf(record);
  } finally {
    await producer.close();
  }
}

function exitCodeOf({ counts }: LoadRecord): number {
  return counts.refused > 0 ? EXIT_REFUSED : EXIT_OK;
}

/** Says what a load would do; the exit code is the one that it would have. Throws what it would throw. */
export async function previewAndTell(
  context: CommandContext,
  stores: Stores,
  request: LoadRequest,
  open: FileOpener,
): Promise<number> {
  const record = await newRecord(context, stores, request);
  const watch = watchLoad(context, record);
  const outcome = await runDry({ context, stores, record, open, isForced: request.isForced, watch });
  // What guards whole editions, and stops a load, is told after what the rows would do.
  reportDry(context, record, outcome, request.isJson);
  if (outcome.fault) throw outcome.fault;
  return exitCodeOf(record);
}

/** Takes away what nobody needs any more; should a store be gone now, the next load does. */
async function clearUp({ mongo }: Stores, { _id }: LoadRecord, producer: BatchProducer): Promise<void> {
  // Batches of an earlier run that was killed, and those that could not be taken away while Redis was gone; else they
  // go by their age.
  await producer.clearEnded(_id).catch(() => undefined);
  const trim = async () => trimChanges(mongo.documents, await listNeeded(mongo.documents));
  await trim().catch(() => undefined);
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
