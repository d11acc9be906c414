/** The worker: takes batches from the queue. It retries a batch after a passing fault; other faults fail the batch. */
import { setTimeout as sleep } from "node:timers/promises";
import { ErrorCode, UnrecoverableError, Worker, type Job } from "bullmq";
import type { Config } from "../api/shared/settings/config.ts";
import { DeniedError, UnavailableError, messageOf } from "../api/shared/runtime/errors.ts";
import type { Logger } from "../api/shared/runtime/logger.ts";
import type { Recorder } from "../api/shared/metrics/metrics.ts";
import type { Stores } from "../api/shared/stores/index.ts";
import { inSpan, traceFields } from "../api/shared/tracing/tracing.ts";
import { closeUnfinishedChanges } from "./log/changes.ts";
import { LiveFollower } from "./log/log-follower.ts";
import { processBatch } from "./pipeline.ts";
import {
  BATCH_QUEUE,
  BATCH_RETRIES,
  delayBefore,
  spanOf,
  type BatchCounts,
  type BatchJob,
} from "./queue/queue.ts";
import { findSource, sources } from "./sources/index.ts";

const OUTCOMES = ["written", "removed", "unchanged", "refused", "skipped"] as const;
// Pause after Redis refused to give a batch.
const REST_MS = 1_000;
// The same fault of the queue is logged at most once in this time.
const SAID_AGAIN_MS = 10_000;
// A lost lock is logged once for each batch: each try to renew the lock or to end the batch fails, until it is done.
const LOST_AGAIN_MS = 3_600_000;

/**
 * A BullMQ worker that pauses after Redis refused a command (full disk, missing rights). BullMQ itself waits
 * for a lost connection, but repeats a refused command thousands of times a second, with a log line for each.
 */
class RestingWorker extends Worker<BatchJob, BatchCounts> {
  protected override async moveToActive(
    ...asked: Parameters<Worker<BatchJob, BatchCounts>["moveToActive"]>
  ): Promise<Job<BatchJob, BatchCounts>> {
    try {
      return await super.moveToActive(...asked);
    } catch (error) {
      await sleep(REST_MS);
      throw error;
    }
  }
}

const LOST_LOCKS: readonly unknown[] = [ErrorCode.JobLockNotExist, ErrorCode.JobLockMismatch];
const LOST_LOCK =
  "batch lost its lock because it was slow: another worker may write it again, which is safe; give the workers more processor time, or raise LOCK_MS";
const TAKEN_OVER = "batch taken over: its worker died, or was slower than LOCK_MS";

/** The part of a BullMQ worker that emits its faults. */
type FaultEmitter = Pick<NodeJS.EventEmitter, "on">;

/** Logs the faults of the queue, but not all repetitions: BullMQ emits several a second while Redis is unavailable. */
export function logFaults(worker: FaultEmitter, log: Logger): void {
  const said = new Set<string>();
  const isNew = (fault: string, againMs: number) => {
    if (said.has(fault)) return false;
    said.add(fault);
    setTimeout(() => said.delete(fault), againMs).unref();
    return true;
  };
  const sayLost = (jobId: string) => isNew(lostKey(jobId), LOST_AGAIN_MS) && log.warn({ jobId }, LOST_LOCK);
  worker.on("lockRenewalFailed", (jobIds: string[]) => jobIds.forEach(sayLost));
  worker.on("error", (error: Error & { code?: unknown }) => {
    const reason = messageOf(error);
    // BullMQ names the batch only in the text of the message.
    const [, jobId = ""] = / for job (\S+?)\.?(?:\s|$)/.exec(reason) ?? [];
    if (LOST_LOCKS.includes(error.code)) return void sayLost(jobId);
    // After the event of a failed renewal, BullMQ also emits an error without a code.
    if (said.has(lostKey(jobId))) return;
    if (isNew(reason, SAID_AGAIN_MS)) log.error({ reason }, "queue unavailable");
  });
  worker.on("stalled", (jobId: string) => log.warn({ jobId }, TAKEN_OVER));
}

function lostKey(jobId: string): string {
  return `lock of ${jobId}`;
}

/** Starts taking batches. Returns a function that stops, and resolves when the batches in progress are done. */
export function startWorker(config: Config, stores: Stores, log: Logger, metrics?: Recorder) {
  const follower = new LiveFollower(stores, log);
  const work = (job: Job<BatchJob, BatchCounts>) =>
    follower.during(() => inSpan(spanOf("process", job.data), () => runJob(stores, job, log, metrics)));
  const worker = new RestingWorker(BATCH_QUEUE, work, {
    connection: stores.redis.connection,
    prefix: config.QUEUE_PREFIX,
    concurrency: config.WORKER_CONCURRENCY,
    // A batch takes well under a second. A lock that is not renewed for this long means a dead or starved worker.
    lockDuration: config.LOCK_MS,
    // The second check finds such a batch.
    stalledInterval: config.LOCK_MS / 2,
    // BullMQ counts deaths of workers separately from tries: allow the same number of each.
    maxStalledCount: BATCH_RETRIES.attempts,
    // Batches done per minute, for an hour: the status command shows the rate.
    metrics: { maxDataPoints: 60 },
    settings: { backoffStrategy: (attempts) => delayBefore(attempts) },
  });
  logFaults(worker, log);
  return async () => {
    await worker.close();
    await follower.stop();
  };
}

async function runJob(
  stores: Stores,
  job: Job<BatchJob, BatchCounts>,
  log: Logger,
  metrics: Recorder | undefined,
): Promise<BatchCounts> {
  const { load, file, source, rows } = job.data;
  const jobLog = log.child({ load, file, firstLine: rows[0]?.line, ...traceFields() });
  // A batch that another release queued may name an unknown source, which must not become a label.
  const label = sources.some(({ name }) => name === source) ? source : "unknown";
  const startedAt = performance.now();
  const end = (outcome: "done" | "retried" | "failed") => {
    const seconds = (performance.now() - startedAt) / 1000;
    metrics?.observe("batch_seconds", { source: label, outcome }, seconds);
    return { durationMs: Math.round(seconds * 1000) };
  };
  try {
    const id = job.id ?? "";
    if (job.attemptsStarted > 1) await closeUnfinishedChanges(stores.mongo.documents, { job: id });
    const counts = await processBatch(stores, findSource(source), job.data, id);
    jobLog.info({ ...counts, ...end("done") }, "batch written");
    for (const outcome of OUTCOMES) metrics?.count("rows_total", { source, outcome }, counts[outcome]);
    return counts;
  } catch (error) {
    // DeniedError, too: while Elasticsearch starts, it cannot read its users yet and refuses everybody.
    if (error instanceof UnavailableError || error instanceof DeniedError) {
      const facts = { reason: error.message, attempt: job.attemptsStarted, ...end("retried") };
      jobLog.warn(facts, "batch will be retried");
      throw error;
    }
    jobLog.error({ err: error, ...end("failed") }, "batch failed");
    throw new UnrecoverableError(`${file}, from line ${rows[0]?.line ?? 0}: ${messageOf(error)}`);
  }
}
