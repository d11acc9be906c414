/** Runs a load in this process, under its lock, and reports to the user. */
import { formatCount, formatNumber } from "../../api/shared/runtime/format.ts";
import type { CommandContext, GivenOptions } from "./define-command.ts";
import { CommandError, messageOf, UnavailableError } from "../../api/shared/runtime/errors.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { Lock } from "../../api/shared/stores/redis/locks.ts";
import { inSpan } from "../../api/shared/tracing/tracing.ts";
import { trimEvents } from "../../api/shared/stores/collections/events.ts";
import { records } from "../../api/resources/index.ts";
import { indices } from "../../index-mappings/index.ts";
import { fetchRefusedRows, type RefusedRow } from "../refused-rows/refused-rows.ts";
import { addCounts } from "../history/counts.ts";
import {
  fetchLatestLoads,
  hasOtherBatches,
  loadLock,
  requireLoad,
  resumeCommand,
  withStates,
  type LoadRecord,
} from "../history/loads.ts";
import { reportStep } from "../history/running.ts";
import { findOpenFailures } from "../history/open-failures.ts";
import { runDry } from "../load/dry-run.ts";
import { listNeeded } from "../load/mends.ts";
import type { LoadRun } from "../load/open-file.ts";
import { endLoad, runLoad } from "../load/run-load.ts";
import { closeUnfinishedChanges, fetchDone, raisePositions, trimChanges } from "../log/changes.ts";
import { fetchFollowers, removeBuild } from "../log/followers.ts";
import type { Step, StepState } from "../pace.ts";
import { patientStores, type Patience } from "../patient-stores.ts";
import { prepareStores } from "../prepare.ts";
import { formatOutcome, formatRefused, formatTotals, formatWarnings } from "../progress.ts";
import { retryRefused } from "../projection/project.ts";
import { openProducer, type BatchProducer } from "../queue/producer.ts";
import { removeFailed, removeBatches } from "../queue/queue.ts";
import { requireFile } from "../readers/open-input.ts";
import { fetchIndexSet, REINDEX_LOCK } from "../reindex/index-set.ts";
import { lockedElsewhere, patienceOf, showProgress, watchCancel } from "./long-work.ts";

const EXIT_REFUSED = 2;
// Limit: refused rows shown at the end; all of them are stored.
const SHOWN_ROWS = 10;
// If no batch is written for this long, probably no worker is running.
const IDLE_MS = 10_000;

export interface LoadCall extends Omit<LoadRun, "watch"> {
  context: CommandContext;
  given: GivenOptions;
  /** Set when the stores have just been prepared, so that it is not done twice. */
  isPrepared?: true;
}

/** Runs a load under its lock; returns the exit code. A load whose files exist is listed even if it fails at once. */
export async function loadLocked(call: LoadCall): Promise<number> {
  const cancel = watchCancel(call.context, call.stores.redis, call.record._id);
  const context = { ...call.context, isStopping: cancel.isStopping };
  const span = { name: "load", attributes: { "company_register.load": call.record._id } };
  return inSpan(span, () => loadUnderLock({ ...call, context })).finally(cancel.end);
}

/** The record of a load that is to be resumed. Throws CommandError if it cannot be resumed. */
export async function fetchResumable({ mongo }: Stores, id: string): Promise<LoadRecord> {
  const record = await requireLoad(mongo.documents, id);
  if (record.state === "succeeded")
    throw new CommandError(`the load ${id} has succeeded: there is nothing to resume`);
  if (record.state === "undone") throw new CommandError(`the load ${id} was undone: load the files again`);
  if (record.plan.isFollowing)
    throw new CommandError(`${id} followed streams: npm run cli -- follow continues where it stopped`);
  if (record.files.includes("-"))
    throw new CommandError(
      `the load ${id} read standard input, which is no longer available: load the data again`,
    );
  if (hasOtherBatches(record))
    throw new CommandError(`the load ${id} began under another release: load its files without --resume`);
  delete record.reason;
  delete record.isChanged;
  delete record.finished_at;
  return { ...record, state: "running" };
}

async function loadUnderLock(call: LoadCall): Promise<number> {
  const { context, stores, record, given } = call;
  // A mistyped name is not a failed load.
  for (const file of record.files) await requireFile(file);
  const patience = patienceOf(context, "load");
  const patient = patientStores(stores, patience);
  let lock: Lock | null = null;
  let isOurs = !given.resume;
  try {
    // One after the other, so that only the first store that is unavailable is named.
    for (const store of [stores.redis, stores.mongo, stores.elasticsearch]) await store.ping();
    if (!call.isPrepared) await prepareStores(stores, new Date(), context.tell);
    await raisePositions(patient);
    lock = await patient.redis.locks.acquire(loadLock(record._id));
    if (!lock) throw lockedElsewhere(context.config, `the load ${record._id}`);
    // Before the lock was taken, another process may have finished or undone the load.
    if (given.resume) await fetchResumable(patient, record._id);
    isOurs = true;
    return await loadAndReport(call, { patient, patience, lock });
  } catch (error) {
    const cannotBeKept = error instanceof UnavailableError && error.store === "mongodb";
    // After `runLoad` the outcome is already stored.
    if (isOurs && !cannotBeKept && record.state === "running")
      await endLoad({ stores, record }, error).catch(() => undefined);
    throw error;
  } finally {
    await lock?.release().catch(() => undefined);
  }
}

async function loadAndReport(
  call: LoadCall,
  { patient, patience, lock }: { patient: Stores; patience: Patience; lock: Lock },
): Promise<number> {
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
      // Batches that still wait rely on the register as it was when the load began.
      await removeBatches(stores.redis, producer.queue, record._id);
      await closeUnfinishedChanges(stores.mongo.documents, { load: record._id });
    }
    const watch = watchLoad(call, { lock, producer });
    const fault = await runLoad({ ...call, stores: patient, producer, watch });
    await report(call, fault, performance.now() - startedAt);
    // Cleans up, also after earlier loads. If a store is unavailable now, the next load does it.
    await Promise.allSettled([
      trim(stores, context.config.STREAM_DAYS),
      fault ?? removeBatches(stores.redis, producer.queue, record._id),
      fault ?? removeFailed(stores.redis, producer.queue, () => listOpen(stores)),
    ]);
    if (fault) throw fault;
    return record.counts.refused > 0 ? EXIT_REFUSED : 0;
  } finally {
    await producer.close();
  }
}

/** Reports what a load would do. Returns its exit code, or throws what it would throw. */
export async function previewAndTell(call: LoadCall): Promise<number> {
  const { context, record, given } = call;
  const outcome = await runDry({ ...call, watch: watchLoad(call) });
  const { counts, retired, mended } = record;
  const { read, written, unchanged, removed, refused, skipped, warnings } = counts;
  const { created, refused: refused_rows, fault } = outcome;
  const rows = { read, created, changed: written - created, unchanged, removed, refused, skipped };
  if (given.json) context.print(JSON.stringify({ ...rows, warnings, retired, mended, refused_rows }));
  else {
    context.print(
      "nothing was written; a load would have these counts, compared with what is stored now, not with what earlier batches would write:",
    );
    for (const [name, count] of Object.entries(rows))
      // Rows of an edition remove nothing. The records that the edition lacks follow below, with the reason.
      if (name !== "removed" || retired === undefined)
        context.print(`${name.padEnd(10)}${formatCount(count)}`);
    for (const line of [...formatOutcome(record, "not in the edition"), ...formatWarnings(counts)])
      context.print(line);
    const more = tellRefused(context, refused_rows, refused);
    if (more) context.tell(more);
  }
  if (fault) throw fault;
  return refused > 0 ? EXIT_REFUSED : 0;
}

/** Removes changes and events that no follower or load still needs. `days`: how long events are kept. */
export async function trim(stores: Stores, days: number): Promise<void> {
  const { documents } = stores.mongo;
  // Followers are read before loads: they have not passed any change of a load that begins in between.
  let followers = await fetchFollowers(documents);
  const building = new Set(followers.map(({ index }) => index));
  // Builds of indices that only another release has are left alone.
  for (const index of indices.filter(({ name }) => building.has(name))) {
    const { moved } = await fetchIndexSet({ stores, index });
    // A running reindex that has just moved the alias may still read the change log for its build. A dead one does not.
    if (!moved || (await stores.redis.locks.list()).includes(REINDEX_LOCK)) continue;
    await removeBuild(documents, moved._id);
    followers = followers.filter(({ _id }) => _id !== moved._id);
  }
  await trimChanges(documents, followers, await listNeeded(documents));
  const collections = records.map(({ collection }) => collection);
  await trimEvents(documents, collections, { days, now: new Date() });
}

/** The loads that are running, or that ended badly and that no later load has made good. */
async function listOpen({ mongo, redis }: Stores): Promise<string[]> {
  const loads = await withStates(redis, await fetchLatestLoads(mongo.documents));
  const running = loads.filter(({ state }) => state === "running");
  return [...running, ...findOpenFailures(loads)].map(({ _id }) => _id);
}

async function mendEarlierLoads(context: CommandContext, stores: Stores): Promise<void> {
  const { mended, refused } = await retryRefused(stores);
  const [first] = refused;
  if (first !== undefined)
    context.tell(
      `Elasticsearch still rejects ${formatNumber(refused.length, "batch", "batches")} of an earlier load: ${first}. ` +
        "This load continues; npm run cli -- doctor says what to do",
    );
  if (mended > 0)
    context.tell(
      `Elasticsearch had rejected ${formatNumber(mended, "batch", "batches")} of an earlier load, and has now accepted ` +
        (mended === 1 ? "it" : "them"),
    );
}

/** Shows each step, also to other commands, and explains why no batch is written. `writing`: absent in a dry run. */
function watchLoad({ context, record }: LoadCall, writing?: { lock: Lock; producer: BatchProducer }) {
  return (step: Step) => {
    let waits: string | null = null;
    const onState = (state: StepState) => void (writing && reportStep(writing.lock, { step: state, waits }));
    const progress = showProgress(context, step, onState);
    let before = record.counts.read;
    const look = async () => {
      const isIdle = record.counts.read === before;
      before = record.counts.read;
      waits = isIdle && writing ? await writing.producer.explainWait().catch(messageOf) : null;
      if (waits !== null) context.tell(waits);
    };
    const timer = setInterval(() => void look(), IDLE_MS).unref();
    const end = () => {
      clearInterval(timer);
      progress.end();
    };
    return { ...progress, end };
  };
}

/** What `--json` prints about a load. */
export function outcomeOf(record: LoadRecord) {
  const { _id: load, state, reason, files, counts, retired, mended, replaced } = record;
  return { load, state, reason, files, counts, retired, mended, replaced };
}

/** Prints the totals to standard output, everything else to standard error. */
async function report(call: LoadCall, fault: unknown, elapsedMs: number): Promise<void> {
  const { context, stores, record, given } = call;
  const { _id: load, counts } = record;
  if (given.json) context.print(JSON.stringify(outcomeOf(record)));
  else if (!fault || counts.read > 0)
    for (const line of [...formatTotals(counts, elapsedMs), ...formatOutcome(record)]) context.print(line);
  if (counts.refused > 0) {
    const rows = await fetchRefusedRows(stores.mongo.documents, load, SHOWN_ROWS).catch(() => []);
    const more = tellRefused(context, rows, counts.refused);
    context.tell(`${more && `${more}; `}all of them: npm run cli -- refused-rows list ${load}`);
  }
  const others = (record.mended?.left ?? 0) - counts.refused;
  if (others > 0)
    context.tell(
      `${formatNumber(others, "refused row")} of other files left: npm run cli -- refused-rows list ${record.plan.mends?.load}`,
    );
  const command = resumeCommand(record);
  // Some faults already name this command, after what must be done first.
  if (fault && command && !messageOf(fault).includes(`load --resume ${load}`))
    context.tell(`to continue where it stopped: ${command}`);
}

/** Prints these refused rows; returns how many more there are, in words. */
function tellRefused({ tell }: CommandContext, rows: readonly RefusedRow[], refused: number): string {
  for (const row of rows) tell(formatRefused(row));
  const more = refused - rows.length;
  return more > 0 ? `and ${formatCount(more)} more` : "";
}
