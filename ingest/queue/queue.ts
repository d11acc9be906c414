/** Owns the queue between readers and workers: what a job carries, how it is tried again, how a load adds and follows its jobs. */
import { setTimeout as sleep } from "node:timers/promises";
import { Queue, type Job, type JobsOptions } from "bullmq";
import { CommandError } from "../../api/core/errors.ts";
import type { RedisStore } from "../../api/core/stores/redis.ts";
import { openPatience, type Patience } from "../patient-stores.ts";
import type { SourceContext } from "../sources/define-source.ts";
import type { Batch } from "./batches.ts";

export const BATCH_QUEUE = "batches";

/** A batch of rows on its way to a worker. */
export interface BatchJob extends Batch {
  /** Id of the load. */
  load: string;
  /** The file's path as it was given, for the dead letters; of mended rows that of the file in which they were refused. */
  file: string;
  /** Name of the source definition. */
  source: string;
  context: SourceContext;
  /** Orders this batch among all writes: later in the file is higher. */
  revision: number;
  /** Of mended rows, and of an edition loaded again after an undo: their place; absent: the revision. */
  place?: number | undefined;
  /** Of mended rows: the context of a whole edition that came since. What it covers and nobody holds is gone. */
  lackedBy?: SourceContext;
  /**
   * Of a first load: documents of several records that others than those of this batch may belong to. All others are
   * made of what is in hand; absent: none is.
   */
  apart?: string[];
  /** Of a first load: the rows all belong to the one document apart, and so do those of as many batches in all. */
  pieces?: number;
  /** Collections that held nothing as the load began; absent: none. */
  first?: string[];
  /** Of rows of an edition: their fingerprints are kept; `of`: the load whose fingerprints they are compared with. */
  prints?: { of?: string };
}

/** What became of a batch's rows: read = written + removed + unchanged + refused + skipped. */
export interface BatchCounts {
  read: number;
  written: number;
  /** Events that removed a record. */
  removed: number;
  /** Held already with the same content, or said again later in the same batch. */
  unchanged: number;
  refused: number;
  /** Rows that carry no record of their own: company lines, trailers, blank lines. */
  skipped: number;
  /** Values left out of records that were kept, by reason. */
  warnings: Record<string, number>;
}

/** How a batch is tried again after a passing fault, for about two minutes in all. */
export const BATCH_RETRIES = {
  attempts: 20,
  // By `delayBefore`.
  backoff: { type: "growing" },
  // In seconds: its load has read the counts by then, or has died.
  removeOnComplete: { age: 3_600 },
  // Until someone has read it.
  removeOnFail: false,
} satisfies JobsOptions;

export type BatchQueue = Queue<BatchJob>;

/** Opens the queue over a connection that stays the caller's. A Redis that is away is told by the command that fails. */
export function openQueue({ connection }: Pick<RedisStore, "connection">, prefix: string): BatchQueue {
  return new Queue<BatchJob>(BATCH_QUEUE, { connection, prefix }).on("error", () => undefined);
}

// Delays double from the first to the longest. Tuned: a longer one would keep a batch waiting when the engine is back, and
// spares nothing.
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 10_000;

/** Milliseconds before a batch is tried once more; jittered, so that batches that failed together do not return so. */
export function delayBefore(attempt: number, random: number = Math.random()): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS) * (0.5 + random / 2);
}

// A wait looks again after this share of the time since the last batch has ended, and so hears of the next one.
const SHARE_OF_WAIT = 0.1;
const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;
// A person who asks to stop is not kept waiting for batches of which none ends.
const STOP_MS = 1_000;

// What is read of a job: all of it would come with its rows.
const MEMBERS = ["timestamp", "finishedOn", "returnvalue", "failedReason"];
// BullMQ's only word for a batch whose workers died more often than they may.
const WORKERS_DIED = "job stalled more than allowable limit";

export interface ProducerOptions extends Patience {
  prefix: string;
  /** Most batches under way. */
  depth: number;
  /** What is kept of a batch that is done; null when it is not. */
  fetchDone: (jobId: string) => Promise<BatchCounts | null>;
  onWritten: (counts: BatchCounts) => void;
}

/** Opens the producer's side of the queue. Throws UnavailableError or DeniedError. */
export async function openProducer(redis: RedisStore, options: ProducerOptions): Promise<BatchProducer> {
  const queue = openQueue(redis, options.prefix);
  await redis.guard(() => queue.waitUntilReady());
  return new BatchProducer(queue, redis, options);
}

/** Adds batches, and follows them. A wait in which none ends is given up once the person has asked to stop. */
export class BatchProducer {
  /** By the ids of their jobs, should Redis lose them; no more than `depth`. */
  private readonly underWay = new Map<string, BatchJob>();
  /** The first one. */
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

  /** Adds a batch once fewer than `depth` are under way. Rejects when one has failed for good. */
  async add(job: BatchJob): Promise<void> {
    // Also where there is room: how far the load is must not be told late.
    if (performance.now() - this.lookedAt > LONGEST_PAUSE_MS) await this.patiently(() => this.look());
    await this.waitBelow(this.options.depth);
    const jobId = `${job.load}-${job.revision}`;
    this.underWay.set(jobId, job);
    await this.patiently(() => this.enqueue(jobId, job));
  }

  /** Waits until every batch has been written. Rejects when one has failed for good. */
  drain(): Promise<void> {
    return this.waitBelow(1);
  }

  /** Waits until no batch is under way, whatever became of it. */
  settle(): Promise<void> {
    return this.waitUntil(() => this.underWay.size === 0);
  }

  countWorkers(): Promise<number> {
    return this.redis.guard(() => this.queue.getWorkersCount());
  }

  /** Takes what is done or failed of a load out of the queue: before it is gone on with, and after. */
  async clearEnded(load: string): Promise<void> {
    const ended = await this.redis.guard(() => this.queue.getJobs(["failed", "completed"]));
    // A job that was removed between its listing and its reading is listed as nothing.
    const ours = ended.filter((job: Job<BatchJob> | undefined) => job?.data.load === load);
    for (const job of ours) await this.redis.guard(() => job.remove());
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
      if (waitedMs > STOP_MS && this.options.isStopping())
        throw new CommandError("stopped; the batches under way are still written");
      await sleep(Math.min(Math.max(waitedMs * SHARE_OF_WAIT, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS));
      const before = this.underWay.size;
      await this.patiently(() => this.look());
      if (this.underWay.size < before) since = performance.now();
    }
  }

  /** Tells what has ended, and restores what Redis has lost. */
  private async look(): Promise<void> {
    const batches = [...this.underWay];
    const read = (id: string) => this.redis.connection.hmget(this.queue.toKey(id), ...MEMBERS);
    const found = await this.redis.guard(() => Promise.all(batches.map(([id]) => read(id))));
    this.lookedAt = performance.now();
    for (const [position, [id, job]] of batches.entries()) {
      const [addedAt, endedAt, result, reason] = found[position] ?? [];
      if (!addedAt) await this.restore(id, job);
      // One that is done after a second try still has the reason of the first.
      else if (endedAt && result) await this.finish(id, JSON.parse(result) as BatchCounts);
      else if (endedAt) this.fail(id, job, reason ?? "");
    }
  }

  /** A batch that Redis has lost: it is done, or enqueued once more. */
  private async restore(id: string, job: BatchJob): Promise<void> {
    const counts = await this.options.fetchDone(id);
    return counts ? this.finish(id, counts) : this.enqueue(id, job);
  }

  /** Adding a job that is there already leaves it as it is. */
  private async enqueue(jobId: string, job: BatchJob): Promise<void> {
    await this.redis.guard(() => this.queue.add(job.source, job, { ...BATCH_RETRIES, jobId }));
  }

  private async finish(id: string, counts: BatchCounts): Promise<void> {
    this.underWay.delete(id);
    this.options.onWritten(counts);
    // One that stays goes by its age.
    await this.redis.guard(() => this.queue.remove(id)).catch(() => 0);
  }

  private fail(id: string, job: BatchJob, reason: string): void {
    this.underWay.delete(id);
    this.failure ??= new CommandError(reason === WORKERS_DIED ? describeDeaths(job) : reason);
  }
}

function describeDeaths({ file, rows, unreadable }: BatchJob): string {
  const line = Math.min(...[...rows, ...unreadable].map((row) => row.line));
  const deaths = `more than ${BATCH_RETRIES.attempts} workers died over these rows, one after the other`;
  return `${file}, from line ${line}: ${deaths}: look into their logs, and at how much memory they have, for the reason`;
}
