/** Owns the queue between readers and workers: its name, what a job carries, how it is tried again. */
import { Queue, type JobsOptions } from "bullmq";
import type { RedisStore } from "../../api/core/stores/redis.ts";
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
  /** Of mended rows: where they stand among what files tell; absent: at the revision. */
  place?: number;
  /** Of mended rows: the context of a whole edition that came since. What it covers and nobody holds is gone. */
  lackedBy?: SourceContext;
  /**
   * Of a first load: documents of several records that others than those of this batch may belong to. All others are
   * made of what is in hand; absent: none is.
   */
  apart?: string[];
  /** Of a first load: the rows all belong to the one document apart, and so do those of as many batches in all. */
  pieces?: number;
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

/**
 * How a batch is tried again after a passing fault, for about two minutes in all. One that failed for good stays until someone
 * has read it; one that is done until its load has read the counts.
 */
export const BATCH_RETRIES = {
  attempts: 20,
  // By `delayBefore`.
  backoff: { type: "growing" },
  // In seconds, for batches whose load has died.
  removeOnComplete: { age: 3_600 },
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
