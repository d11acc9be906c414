/** Owns the queue between readers and workers: its name, what a job carries, how it is tried again. */
import { Queue, QueueEvents, type JobsOptions } from "bullmq";
import type { Redis } from "ioredis";
import { guardRedis } from "../api/core/stores/redis.ts";
import type { RawRow, SourceContext } from "./define-source.ts";
import type { UnreadableRow } from "./readers/read-rows.ts";

/** BullMQ queue of row batches. */
export const BATCH_QUEUE = "batches";

/** A batch of rows on its way to a worker. */
export interface BatchJob {
  /** Id of the load. */
  load: string;
  /** The file's path as it was given, for the dead letters. */
  file: string;
  /** Name of the source definition. */
  source: string;
  context: SourceContext;
  /** Orders this batch among all writes: later in the file is higher. */
  revision: number;
  rows: RawRow[];
  unreadable: UnreadableRow[];
}

/** What became of a batch's rows: read = written + unchanged + refused + skipped. */
export interface BatchCounts {
  read: number;
  written: number;
  /** Held already with the same content, or said again later in the same batch. */
  unchanged: number;
  refused: number;
  /** Rows that carry no record of their own: company lines, trailers. */
  skipped: number;
  /** Values left out of records that were kept, by reason. */
  warnings: Record<string, number>;
}

/** How a batch is tried again after a passing fault; about two minutes in all. A batch that failed for good stays until someone has read it. */
export const BATCH_RETRIES: JobsOptions = {
  attempts: 8,
  backoff: { type: "exponential", delay: 1_000, jitter: 0.5 },
  removeOnComplete: true,
  removeOnFail: false,
};

/** The producer's side of the queue. */
export interface BatchProducer {
  /** Adds a batch, after waiting until fewer than `depth` are waiting or in work. Rejects when a batch has failed for good. */
  add: (job: BatchJob) => Promise<void>;
  /** Waits until every batch added has been written. Rejects when one has failed for good. */
  drain: () => Promise<void>;
  /** Worker processes that listen. */
  countWorkers: () => Promise<number>;
  close: () => Promise<void>;
}

/** Opens the producer's side. `onWritten` is told the counts of each batch as it is done. */
export async function openProducer(
  connection: Redis,
  options: { prefix: string; depth: number; onWritten: (counts: BatchCounts) => void },
): Promise<BatchProducer> {
  const { prefix, depth, onWritten } = options;
  const queue = new Queue<BatchJob>(BATCH_QUEUE, { connection, prefix });
  // Reading events blocks its connection, so it has one of its own, which BullMQ leaves to us to close.
  const eventConnection = connection.duplicate({ maxRetriesPerRequest: null });
  const events = new QueueEvents(BATCH_QUEUE, { connection: eventConnection, prefix });
  // A Redis that goes away is told by the next command that fails; events come again when it is back.
  queue.on("error", () => undefined);
  events.on("error", () => undefined);
  await guardRedis(() => events.waitUntilReady());
  const outstanding = new Outstanding();
  events.on("completed", ({ jobId, returnvalue }) => {
    const counts: unknown = returnvalue;
    if (outstanding.finish(jobId)) onWritten(counts as BatchCounts);
  });
  events.on("failed", ({ jobId, failedReason }) => outstanding.fail(jobId, failedReason));
  return {
    add: async (job) => {
      await outstanding.waitBelow(depth);
      const jobId = `${job.load}-${job.revision}`;
      outstanding.begin(jobId);
      await guardRedis(() => queue.add(job.source, job, { ...BATCH_RETRIES, jobId }));
    },
    drain: () => outstanding.waitBelow(1),
    countWorkers: async () => (await queue.getWorkers()).length,
    close: async () => {
      await events.close();
      eventConnection.disconnect();
      await queue.close();
    },
  };
}

/** The batches under way, and who waits for their number to fall. */
class Outstanding {
  private readonly ids = new Set<string>();
  private failure: Error | undefined;
  private wake: (() => void) | undefined;

  begin(id: string): void {
    this.ids.add(id);
  }

  /** False for a batch of somebody else's load. */
  finish(id: string): boolean {
    const isOurs = this.ids.delete(id);
    this.wake?.();
    return isOurs;
  }

  fail(id: string, reason: string): void {
    if (!this.ids.delete(id)) return;
    this.failure ??= new Error(reason);
    this.wake?.();
  }

  async waitBelow(count: number): Promise<void> {
    while (!this.failure && this.ids.size >= count) {
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    if (this.failure) throw this.failure;
  }
}
