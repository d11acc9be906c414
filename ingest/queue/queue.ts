/** The queue between loads and workers: its jobs, its retries, and the producer of a load. */
import { setTimeout as sleep } from "node:timers/promises";
import { Queue, type JobsOptions, type JobType } from "bullmq";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import type { RedisStore } from "../../api/shared/stores/redis/redis.ts";
import { inSpan, traceContext, type SpanFacts } from "../../api/shared/tracing/tracing.ts";
import { openPatience, type Patience } from "../patient-stores.ts";
import type { SourceContext } from "../sources/define-source.ts";
import type { Batch } from "./batches.ts";

export const BATCH_QUEUE = "batches";

export interface BatchJob extends Batch {
  load: string;
  /** The file's path as given, for the refused rows; for mended rows that of their original file. */
  file: string;
  source: string;
  context: SourceContext;
  /** Orders the writes of all batches: later in the file is higher. */
  revision: number;
  /** For mended rows: their place in the order of statements, instead of the revision. */
  place?: number;
  /** For mended rows: a later whole edition. What it covers must already be stored, or it is gone. */
  lackedBy?: SourceContext;
  /** In a first load: documents that other batches have rows of. All others are made from this batch. */
  apart?: string[];
  /** All rows belong to the one document in `apart`, which is split into this many batches. */
  pieces?: number;
  /** Collections that were empty when the load began. */
  first?: string[];
  /** Set for editions: fingerprints are stored, and compared with those of the load `of`. */
  prints?: { of?: string };
  /** The span that sent it, which the worker's continues; absent where nothing is traced. */
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
  /** Rows without a record of their own: company lines, trailers, blank lines. */
  skipped: number;
  /** Values left out of stored records, by reason. */
  warnings: Record<string, number>;
  /** A row with each warning, the first of those in its file, so that a person can find it; absent without warnings. */
  warnedRows?: Record<string, RowPlace>;
}

export interface RowPlace {
  file: string;
  line: number;
}

/** How a batch is retried after a passing fault: for about two minutes in all. */
export const BATCH_RETRIES = {
  attempts: 20,
  backoff: { type: "growing" },
  // In seconds: by then its load has read the counts, or died.
  removeOnComplete: { age: 3_600 },
  removeOnFail: false,
} satisfies JobsOptions;

export type BatchQueue = Queue<BatchJob>;

/** Opens the queue; the caller keeps the connection. Faults of Redis show in the command that fails. */
export function openQueue({ connection }: Pick<RedisStore, "connection">, prefix: string): BatchQueue {
  return new Queue<BatchJob>(BATCH_QUEUE, { connection, prefix }).on("error", () => undefined);
}

/** Takes the queued batches of a load out of the queue, whose process has ended; returns how many workers hold. */
export async function removeQueued(redis: RedisStore, prefix: string, load: string): Promise<number> {
  const queue = openQueue(redis, prefix);
  try {
    const queued = await listJobs(redis, queue, load, ["waiting", "prioritized", "delayed"]);
    for (const id of queued) await redis.guard(() => queue.remove(id));
    return (await listJobs(redis, queue, load, ["active"])).length;
  } finally {
    await queue.close();
  }
}

/** The ids of a load's batches in these states, without their rows. */
async function listJobs(redis: RedisStore, queue: BatchQueue, load: string, states: JobType[]) {
  // Without an end the queue names two of each state.
  const ids = await redis.guard(() => queue.getRanges(states, 0, -1));
  return ids.filter((id) => id.startsWith(`${load}-`));
}

// Delays double up to the longest. Tuned: with a longer one batches wait although the engine is back.
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 10_000;

/** In milliseconds; jittered, so that batches that failed together do not return together. */
export function delayBefore(attempt: number, random: number = Math.random()): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS) * (0.5 + random / 2);
}

// The pause between two polls, as a share of the time since a batch last ended.
const SHARE_OF_WAIT = 0.1;
const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;
/** The reason of a load that was stopped while it wrote. */
export const STOPPED = "stopped; batches that workers have begun are still written";
// When the user asks to stop, give up after this long without a finished batch.
const STOP_MS = 1_000;

// Members of a job that are read; the whole job includes its rows.
const MEMBERS = ["timestamp", "finishedOn", "returnvalue", "failedReason"];
// BullMQ's reason for a batch whose workers died too often.
const WORKERS_DIED = "job stalled more than allowable limit";

export interface ProducerOptions extends Patience {
  prefix: string;
  depth: number;
  /** The stored counts of a finished batch, or null. */
  fetchDone: (jobId: string) => Promise<BatchCounts | null>;
  onWritten: (counts: BatchCounts) => void;
}

/** Throws UnavailableError or DeniedError. */
export async function openProducer(redis: RedisStore, options: ProducerOptions): Promise<BatchProducer> {
  const queue = openQueue(redis, options.prefix);
  await redis.guard(() => queue.waitUntilReady());
  return new BatchProducer(queue, redis, options);
}

/** Adds batches and waits for them. A wait without progress ends when the user asks to stop. */
export class BatchProducer {
  /** By job id, to enqueue them again if Redis loses them; at most `depth`. */
  private readonly underWay = new Map<string, BatchJob>();
  private failure: CommandError | undefined;
  private lookedAt = performance.now();
  private readonly patiently: ReturnType<typeof openPatience>;

  constructor(
    private readonly queue: BatchQueue,
    private readonly redis: RedisStore,
    private readonly options: ProducerOptions,
  ) {
    this.patiently = openPatience(options);
  }

  /** Adds a batch once fewer than `depth` are under way. Rejects if one has failed for good. */
  async add(job: BatchJob): Promise<void> {
    // Poll even if there is room, to keep the progress current.
    if (performance.now() - this.lookedAt > LONGEST_PAUSE_MS) await this.patiently(() => this.look());
    await this.waitBelow(this.options.depth);
    const jobId = `${job.load}-${job.revision}`;
    this.underWay.set(jobId, job);
    await this.patiently(() => this.enqueue(jobId, job));
  }

  /** Waits until every batch is written. Rejects if one has failed for good. */
  drain(): Promise<void> {
    return this.waitBelow(1);
  }

  /** Takes queued batches out of the queue, and waits for those that workers are writing. */
  async withdraw(): Promise<void> {
    // One that a worker holds cannot be removed.
    for (const id of this.underWay.keys())
      if ((await this.redis.guard(() => this.queue.remove(id)).catch(() => 0)) === 1)
        this.underWay.delete(id);
    await this.waitUntil(() => this.underWay.size === 0);
  }

  /** Why no batch has been written for a while, for people; null if none waits to be written. */
  async explainWait(): Promise<string | null> {
    if (this.underWay.size === 0) return null;
    const workers = await this.redis.guard(() => this.queue.getWorkersCount());
    if (workers === 0)
      return "batches are waiting, but no worker is running; start one (node dist/ingest/main.js), then the load continues by itself";
    const retried = await this.redis.guard(() => this.queue.getDelayedCount());
    if (retried > 0)
      return `batches are waiting, and ${retried} of them will be retried; the workers' logs say why`;
    return "batches are waiting, and none has been written for a while; the workers are busy with other loads, or with one long batch";
  }

  /** Removes what is left of the load's batches: one that failed would not be added again, one that is done still has its rows. */
  async clearEnded(load: string): Promise<void> {
    const ended = await listJobs(this.redis, this.queue, load, ["failed", "completed"]);
    for (const id of ended) await this.redis.guard(() => this.queue.remove(id));
  }

  close(): Promise<void> {
    return this.queue.close();
  }

  private async waitBelow(count: number): Promise<void> {
    await this.waitUntil(() => this.failure !== undefined || this.underWay.size < count);
    if (this.failure) throw this.failure;
  }

  private async waitUntil(isOver: () => boolean): Promise<void> {
    let since = performance.now();
    while (!isOver()) {
      const waitedMs = performance.now() - since;
      if (waitedMs > STOP_MS && this.options.isStopping()) throw new CommandError(STOPPED);
      await sleep(Math.min(Math.max(waitedMs * SHARE_OF_WAIT, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS));
      const before = this.underWay.size;
      await this.patiently(() => this.look());
      if (this.underWay.size < before) since = performance.now();
    }
  }

  /** Handles batches that have ended, and restores those that Redis has lost. */
  private async look(): Promise<void> {
    const batches = [...this.underWay];
    const read = (id: string) => this.redis.connection.hmget(this.queue.toKey(id), ...MEMBERS);
    const found = await this.redis.guard(() => Promise.all(batches.map(([id]) => read(id))));
    this.lookedAt = performance.now();
    for (const [position, [id, job]] of batches.entries()) {
      const [addedAt, endedAt, result, reason] = found[position] ?? [];
      if (!addedAt) await this.restore(id, job);
      // After a retry, a finished job still has the failure reason of its first try.
      else if (endedAt && result) await this.finish(id, JSON.parse(result) as BatchCounts);
      else if (endedAt) this.fail(id, job, reason ?? "");
    }
  }

  private async restore(id: string, job: BatchJob): Promise<void> {
    const counts = await this.options.fetchDone(id);
    return counts ? this.finish(id, counts) : this.enqueue(id, job);
  }

  /**
   * Does nothing if the job already exists. Loads take turns: a load's first waiting batch goes before the second one of
   * any other, so that neither a small load nor one that writes batch after batch waits for a large one.
   */
  private async enqueue(jobId: string, job: BatchJob): Promise<void> {
    const options = { ...BATCH_RETRIES, jobId, priority: this.underWay.size };
    await inSpan(spanOf("send", job), () =>
      this.redis.guard(() => this.queue.add(job.source, { ...job, ...traceContext() }, options)),
    );
  }

  private async finish(id: string, counts: BatchCounts): Promise<void> {
    this.underWay.delete(id);
    this.options.onWritten(counts);
    // A job that cannot be removed now expires.
    await this.redis.guard(() => this.queue.remove(id)).catch(() => 0);
  }

  private fail(id: string, job: BatchJob, reason: string): void {
    this.underWay.delete(id);
    this.failure ??= new CommandError(reason === WORKERS_DIED ? describeDeaths(job) : reason);
  }
}

/** What a span says of a batch. */
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

function describeDeaths({ file, rows, unreadable }: BatchJob): string {
  const line = Math.min(...[...rows, ...unreadable].map((row) => row.line));
  const deaths = `more than ${BATCH_RETRIES.attempts} workers died over these rows, one after the other`;
  return `${file}, from line ${line}: ${deaths}: check their logs and their memory`;
}
