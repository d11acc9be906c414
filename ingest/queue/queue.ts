/** The queue between loads and workers: its jobs and their retries. */
import { Queue, type JobsOptions, type JobType } from "bullmq";
import type { RedisStore } from "../../api/shared/stores/redis/redis.ts";
import type { SpanFacts } from "../../api/shared/tracing/spans.ts";
import type { SourceContext } from "../sources/define-source.ts";
import type { ReadRow } from "../readers/read-rows.ts";

export const BATCH_QUEUE = "batches";

export interface BatchJob {
  load: string;
  /** The file's path as given, for the refused rows; for mended rows, the path of their original file. */
  file: string;
  source: string;
  context: SourceContext;
  /** In file order. */
  rows: ReadRow[];
  /** Orders the writes of all batches: later in the file is higher. */
  revision: number;
  /** For mended rows: their place in the order of statements, instead of the revision. */
  place?: number;
  /** For mended rows: a later whole edition. A record that it covers is not created if it is not stored already. */
  lackedBy?: SourceContext;
  /** In a first load: documents that also need rows of other batches. All others are made from this batch alone. */
  apart?: string[];
  /** Collections that were empty when the load began. */
  first?: string[];
  /** The trace context of the span that sent the batch, which the worker's span continues; absent without tracing. */
  traceparent?: string;
}

/** Counts of rows: read = written + removed + unchanged + refused + skipped. */
export interface BatchCounts {
  read: number;
  written: number;
  /** Events that removed a record. */
  removed: number;
  /** Already stored with the same content, or repeated later in the batch. */
  unchanged: number;
  refused: number;
  /** Rows without a record of their own: company lines, trailers. */
  skipped: number;
  /** Values left out of stored records, by reason. */
  warnings: Record<string, number>;
  /** For each warning the first row of a file that has it, so that a person can find it; absent without warnings. */
  warnedRows?: Record<string, RowPlace>;
}

export interface RowPlace {
  file: string;
  line: number;
}

/** The message of a command that waits for batches while `hasWorkers` is false. */
export const NO_WORKER =
  "batches are waiting, but no worker is connected to Redis; start one if none runs (node dist/ingest/main.js)";

/** A batch is retried after passing faults, for about two minutes in all. */
export const BATCH_RETRIES = {
  attempts: 20,
  backoff: { type: "growing" },
  // In seconds. By then the load has read the counts, or has died.
  removeOnComplete: { age: 3_600 },
  // A failed batch has the reason of the failure, so it stays until its load is resumed, undone or made good.
  removeOnFail: false,
} satisfies JobsOptions;

/** The id of a batch, in the queue and in the change log. */
export function jobIdOf({ load, revision }: Pick<BatchJob, "load" | "revision">): string {
  return `${load}-${revision}`;
}

/** Reads the load of a batch from the id of the batch. */
function loadOfJob(job: string): string {
  return job.slice(0, job.lastIndexOf("-"));
}

export type BatchQueue = Queue<BatchJob>;

/** Opens the queue on the caller's connection. Ignores its error events, since the failed operation rejects, too. */
export function openQueue({ connection }: Pick<RedisStore, "connection">, prefix: string): BatchQueue {
  return new Queue<BatchJob>(BATCH_QUEUE, { connection, prefix }).on("error", () => undefined);
}

/** The states of batches that no worker has begun, or that wait for a retry. */
export const QUEUED: readonly JobType[] = ["waiting", "prioritized", "delayed"];

/**
 * Removes the batches of an ended load from the queue: by default those that wait, those that failed (a failed batch
 * could not be added again), and those that are done and still have their rows. Returns how many batches workers hold.
 */
export async function removeBatches(
  redis: RedisStore,
  queue: BatchQueue,
  load: string,
  states: readonly JobType[] = [...QUEUED, "failed", "completed"],
): Promise<number> {
  const list = async (of: readonly JobType[]) =>
    (await listIds(redis, queue, of)).filter((id) => loadOfJob(id) === load);
  for (const id of await list(states)) await redis.guard(() => queue.remove(id));
  return (await list(["active"])).length;
}

/** The loads that have batches in the queue or with workers. */
export async function listWriting(redis: RedisStore, queue: BatchQueue): Promise<string[]> {
  return [...new Set((await listIds(redis, queue, [...QUEUED, "active"])).map(loadOfJob))];
}

/** True if a worker is connected to Redis, and also if Redis cannot be asked now. */
export async function hasWorkers({ guard }: Pick<RedisStore, "guard">, queue: BatchQueue): Promise<boolean> {
  return (await guard(() => queue.getWorkersCount()).catch(() => 1)) > 0;
}

/**
 * Removes failed batches with their rows, except those of loads that `listKept` returns. It is called after they are
 * listed.
 */
export async function removeFailed(
  redis: RedisStore,
  queue: BatchQueue,
  listKept: () => Promise<readonly string[]>,
): Promise<void> {
  const failed = await listIds(redis, queue, ["failed"]);
  const kept = new Set(failed.length > 0 ? await listKept() : []);
  for (const id of failed) if (!kept.has(loadOfJob(id))) await redis.guard(() => queue.remove(id));
}

/** Opens the queue, and closes it when `work` has ended. */
export async function withQueue<T>(
  redis: RedisStore,
  prefix: string,
  work: (queue: BatchQueue) => Promise<T>,
): Promise<T> {
  const queue = openQueue(redis, prefix);
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}

/** The ids of batches in these states, without their rows. */
function listIds({ guard }: RedisStore, queue: BatchQueue, states: readonly JobType[]): Promise<string[]> {
  // -1: all. By default the queue lists only two of each state.
  return guard(() => queue.getRanges([...states], 0, -1));
}

// Delays double up to the longest. Tuned: with a longer one, batches still wait when the store is available again.
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 10_000;

/** In milliseconds; jittered, so that batches that failed together do not return together. */
export function delayBefore(attempt: number, random: number = Math.random()): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS) * (0.5 + random / 2);
}

/** The facts of a span that sends or processes a batch. */
export function spanOf(
  operation: "send" | "process",
  { load, source, rows, traceparent }: BatchJob,
): SpanFacts {
  const attributes = {
    "messaging.system": "bullmq",
    "messaging.destination.name": BATCH_QUEUE,
    "messaging.operation.name": operation,
    "messaging.operation.type": operation,
    "company_register.load": load,
    "company_register.source": source,
    "company_register.rows": rows.length,
  };
  const kind = operation === "send" ? "producer" : "consumer";
  return { name: `${operation} ${BATCH_QUEUE}`, kind, attributes, from: [traceparent] };
}
