/** The producer of a load: adds its batches to the queue, a few at a time, and waits for them. */
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import type { RedisStore } from "../../api/shared/stores/redis/redis.ts";
import { inSpan, traceContext } from "../../api/shared/tracing/tracing.ts";
import { openPatience, type Patience } from "../patient-stores.ts";
import {
  BATCH_RETRIES,
  jobIdOf,
  NO_WORKER,
  openQueue,
  spanOf,
  type BatchCounts,
  type BatchJob,
  type BatchQueue,
} from "./queue.ts";

// The pause between two polls, as a share of the time since a batch last ended.
const SHARE_OF_WAIT = 0.1;
const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;
/** The reason of a load that was stopped while it wrote. */
export const STOPPED = "stopped; batches that workers have begun are still written";
// After the user has asked to stop, a load waits for workers only until no batch has ended for this long.
const STOP_MS = 1_000;

// The members of a job that are read. The whole job would include its rows.
const MEMBERS = ["timestamp", "finishedOn", "returnvalue", "failedReason"];
// BullMQ's reason for a batch whose workers died too often.
const WORKERS_DIED = "job stalled more than allowable limit";

interface ProducerOptions extends Patience {
  prefix: string;
  /** How many batches may be in the queue or with workers at a time. */
  depth: number;
  /** The stored counts of a finished batch, or null. */
  fetchDone: (jobId: string) => Promise<BatchCounts | null>;
  onWritten: (counts: BatchCounts) => void;
}

/** Opens the queue of a load. Throws UnavailableError or DeniedError. */
export async function openProducer(redis: RedisStore, options: ProducerOptions): Promise<BatchProducer> {
  const queue = openQueue(redis, options.prefix);
  await redis.guard(() => queue.waitUntilReady());
  return new BatchProducer(queue, redis, options);
}

/** Adds batches and waits for them. A wait ends when the user asks to stop. */
export class BatchProducer {
  /**
   * Batches that have not ended, at most `depth`, by job id; kept to add them again if Redis loses them. `keys`: of
   * their records.
   */
  private readonly underWay = new Map<string, { job: BatchJob; keys: readonly string[] }>();
  /** The record keys of all batches under way; no two of these batches share a key. */
  private readonly writing = new Set<string>();
  /** Throws when another process may have taken the load's batches out of the queue, so that it must add no more. */
  requireKept: () => Promise<void> = () => Promise.resolve();
  private failure: CommandError | undefined;
  private lookedAt = performance.now();
  private readonly patiently: ReturnType<typeof openPatience>;

  constructor(
    readonly queue: BatchQueue,
    private readonly redis: RedisStore,
    private readonly options: ProducerOptions,
  ) {
    this.patiently = openPatience(options);
  }

  /**
   * Adds a batch once fewer than `depth` batches are under way and none of them shares one of its record keys. Rejects
   * if a batch has failed for good.
   */
  async add(job: BatchJob, keys: readonly string[] = []): Promise<void> {
    // Poll even if there is room, to keep the progress current.
    if (performance.now() - this.lookedAt > LONGEST_PAUSE_MS) await this.patiently(() => this.look());
    const isFree = () =>
      this.underWay.size < this.options.depth && !keys.some((key) => this.writing.has(key));
    await this.waitUntilWritten(isFree);
    const jobId = jobIdOf(job);
    this.underWay.set(jobId, { job, keys });
    for (const key of keys) this.writing.add(key);
    await this.patiently(() => this.enqueue(jobId, job));
  }

  /** Waits until every batch is written. Rejects if one has failed for good. */
  drain(): Promise<void> {
    return this.waitUntilWritten(() => this.underWay.size === 0);
  }

  /** Takes queued batches out of the queue, and waits for those that workers are writing. */
  async withdraw(): Promise<void> {
    for (const id of this.underWay.keys()) {
      // A batch that a worker holds cannot be removed.
      if ((await this.redis.guard(() => this.queue.remove(id)).catch(() => 0)) === 0) continue;
      // The batch may have been written since the last look.
      const counts = await this.options.fetchDone(id).catch(() => null);
      if (counts) this.options.onWritten(counts);
      this.endWait(id);
    }
    const isLeft = (idleMs: number) => idleMs > STOP_MS && this.options.isStopping();
    await this.waitUntil((idleMs) => this.underWay.size === 0 || isLeft(idleMs));
  }

  /** Explains to people why no batch has been written for a while; null if none is under way. */
  async explainWait(): Promise<string | null> {
    if (this.underWay.size === 0) return null;
    if ((await this.redis.guard(() => this.queue.getWorkersCount())) === 0)
      return `${NO_WORKER}, then the load continues by itself`;
    const retried = await this.redis.guard(() => this.queue.getDelayedCount());
    if (retried > 0)
      return `batches are waiting, and ${retried} of them will be retried; the workers' logs say why`;
    return "batches are waiting, and none has been written for a while: the workers are busy with other loads or with a long batch, or a worker was killed, and another one takes over its batch after LOCK_MS";
  }

  close(): Promise<void> {
    return this.queue.close();
  }

  private endWait(id: string): void {
    for (const key of this.underWay.get(id)?.keys ?? []) this.writing.delete(key);
    this.underWay.delete(id);
  }

  private async waitUntilWritten(isWritten: () => boolean): Promise<void> {
    await this.waitUntil(() => this.failure !== undefined || isWritten() || this.options.isStopping());
    if (this.failure) throw this.failure;
    if (!isWritten()) throw new CommandError(STOPPED);
  }

  /** `idleMs`: since a batch last ended, or the wait began. */
  private async waitUntil(isOver: (idleMs: number) => boolean): Promise<void> {
    let since = performance.now();
    for (;;) {
      const idleMs = performance.now() - since;
      if (isOver(idleMs)) return;
      await sleep(Math.min(Math.max(idleMs * SHARE_OF_WAIT, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS));
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
    for (const [position, [id, { job }]] of batches.entries()) {
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
   * Does nothing if the job already exists. Loads take turns: a load's first waiting batch goes before the second one
   * of any other, so that neither a small load nor one that writes batch after batch waits for a large one.
   */
  private async enqueue(jobId: string, job: BatchJob): Promise<void> {
    await this.requireKept();
    const options = { ...BATCH_RETRIES, jobId, priority: this.underWay.size };
    await inSpan(spanOf("send", job), () =>
      this.redis.guard(() => this.queue.add(job.source, { ...job, ...traceContext() }, options)),
    );
  }

  private async finish(id: string, counts: BatchCounts): Promise<void> {
    this.endWait(id);
    this.options.onWritten(counts);
    // If the job cannot be removed now, it expires later.
    await this.redis.guard(() => this.queue.remove(id)).catch(() => 0);
  }

  private fail(id: string, job: BatchJob, reason: string): void {
    this.endWait(id);
    this.failure ??= new CommandError(reason === WORKERS_DIED ? describeDeaths(job) : reason);
  }
}

function describeDeaths({ file, rows }: BatchJob): string {
  const deaths = `more than ${BATCH_RETRIES.attempts} workers died one after another while writing these rows`;
  return `${file}, from line ${rows[0]?.line}: ${deaths}: read their logs and check their memory`;
}
