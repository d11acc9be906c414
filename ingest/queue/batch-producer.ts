/** Owns the producer's side of the queue: batches are added, and what has become of those under way is looked up. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "bullmq";
import { CommandError } from "../../api/core/errors.ts";
import type { RedisStore } from "../../api/core/stores/redis.ts";
import { openPatience, type Patience } from "../patient-stores.ts";
import { BATCH_RETRIES, openQueue, type BatchCounts, type BatchJob, type BatchQueue } from "./queue.ts";

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

/** Opens the producer's side over a connection that stays the caller's. Throws UnavailableError or DeniedError. */
export async function openProducer(redis: RedisStore, options: ProducerOptions): Promise<BatchProducer> {
  const queue = openQueue(redis, options.prefix);
  await redis.guard(() => queue.waitUntilReady());
  return new BatchProducer(queue, redis, options);
}

/** The producer's side of the queue. A wait in which no batch ends is given up once the person has asked to stop. */
export class BatchProducer {
  /** By the ids of their jobs, should Redis lose them: few, since `depth` bounds them. */
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

  /** Adds a batch, after waiting until fewer than `depth` are under way. Rejects when a batch has failed for good. */
  async add(job: BatchJob): Promise<void> {
    // Also where there is room: how far the load is must not be told late.
    if (performance.now() - this.lookedAt > LONGEST_PAUSE_MS) await this.patiently(() => this.look());
    await this.waitBelow(this.options.depth);
    const jobId = `${job.load}-${job.revision}`;
    this.underWay.set(jobId, job);
    await this.patiently(() => this.enqueue(jobId, job));
  }

  /** Waits until every batch added has been written. Rejects when one has failed for good. */
  drain(): Promise<void> {
    return this.waitBelow(1);
  }

  /** Waits until no batch is under way any more, whatever became of it. */
  settle(): Promise<void> {
    return this.waitUntil(() => this.underWay.size === 0);
  }

  /** Worker processes that listen. */
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

  /** Looks at all batches under way; what has ended is told, and what Redis has lost is restored. */
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
  return (
    `${file}, from line ${line}: more than ${BATCH_RETRIES.attempts} workers died over these rows, one after the ` +
    "other: look into their logs, and at how much memory they have, for the reason"
  );
}
