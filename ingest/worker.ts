/** The worker: takes batches from the queue; passing faults are retried, others fail the batch. */
import { setTimeout as sleep } from "node:timers/promises";
import { UnrecoverableError, Worker, type Job } from "bullmq";
import type { Config } from "../api/shared/settings/config.ts";
import { DeniedError, UnavailableError, messageOf } from "../api/shared/runtime/errors.ts";
import type { Logger } from "../api/shared/runtime/logger.ts";
import type { Recorder } from "../api/shared/metrics/metrics.ts";
import type { Stores } from "../api/shared/stores/index.ts";
import { inSpan, traceFields } from "../api/shared/tracing/tracing.ts";
import { closeLeft } from "./log/changes.ts";
import { LiveFollower } from "./log/follow.ts";
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
// The same fault of the queue is logged again after so long.
const SAID_AGAIN_MS = 10_000;

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

/** While Redis is away BullMQ says so some times a second. */
function sayAtTimes(log: Logger) {
  const said = new Set<string>();
  return (error: Error) => {
    const reason = messageOf(error);
    if (said.has(reason)) return;
    said.add(reason);
    setTimeout(() => said.delete(reason), SAID_AGAIN_MS).unref();
    log.error({ reason }, "queue unavailable");
  };
}

/** Starts taking batches; returns a function that stops, once the batches in work are done. */
export function startWorker(config: Config, stores: Stores, log: Logger, metrics?: Recorder) {
  const follower = new LiveFollower(stores, log);
  const work = (job: Job<BatchJob, BatchCounts>) =>
    follower.during(() => inSpan(spanOf("process", job.data), () => runJob(stores, job, log, metrics)));
  const worker = new RestingWorker(BATCH_QUEUE, work, {
    connection: stores.redis.connection,
    prefix: config.QUEUE_PREFIX,
    concurrency: config.WORKER_CONCURRENCY,
    // A batch takes well under a second; if its lock is not renewed for this long, its worker has died.
    lockDuration: config.LOCK_MS,
    // Such a batch is found by the second check.
    stalledInterval: config.LOCK_MS / 2,
    // BullMQ counts deaths of workers apart from tries: allow as many of either.
    maxStalledCount: BATCH_RETRIES.attempts,
    // Batches done per minute, for an hour: the status command shows the rate.
    metrics: { maxDataPoints: 60 },
    settings: { backoffStrategy: (attempts) => delayBefore(attempts) },
  });
  worker.on("error", sayAtTimes(log));
  worker.on("stalled", (jobId) => log.warn({ jobId }, "batch taken over from a worker that died"));
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
  // A batch of another release may name an unknown source, which must not become a label.
  const label = sources.some(({ name }) => name === source) ? source : "unknown";
  const startedAt = performance.now();
  const end = (outcome: "done" | "retried" | "failed") => {
    const seconds = (performance.now() - startedAt) / 1000;
    metrics?.observe("batch_seconds", { source: label, outcome }, seconds);
    return { durationMs: Math.round(seconds * 1000) };
  };
  try {
    const id = job.id ?? "";
    if (job.attemptsStarted > 1) await closeLeft(stores.mongo.documents, { job: id });
    const counts = await processBatch(stores, findSource(source), job.data, id);
    jobLog.info({ ...counts, ...end("done") }, "batch written");
    for (const outcome of OUTCOMES) metrics?.count("rows_total", { source, outcome }, counts[outcome]);
    return counts;
  } catch (error) {
    // An Elasticsearch that starts cannot read its users yet and refuses everybody.
    if (error instanceof UnavailableError || error instanceof DeniedError) {
      const facts = { reason: error.message, attempt: job.attemptsStarted, ...end("retried") };
      jobLog.warn(facts, "batch will be retried");
      throw error;
    }
    jobLog.error({ err: error, ...end("failed") }, "batch failed");
    throw new UnrecoverableError(`${file}, from line ${rows[0]?.line ?? 0}: ${messageOf(error)}`);
  }
}
