/** Owns a look at the queue from outside: how many batches are in it, how long they wait. It changes nothing. */
import { Queue } from "bullmq";
import type { Redis } from "ioredis";
import type { RedisStore } from "../../api/core/stores/redis.ts";
import { BATCH_QUEUE } from "./queue.ts";

/** States of a batch in the queue; `delayed` is one that waits for another try. */
export const QUEUE_STATES = ["waiting", "delayed", "active", "completed", "failed"] as const;

/** A look at the queue. */
export interface QueueView {
  /** The queue itself, for the board. */
  queue: Queue;
  /** Batches by state. */
  fetchCounts: () => Promise<Record<(typeof QUEUE_STATES)[number], number>>;
  /** When the oldest batch that waits was enqueued, in milliseconds since 1970; null when none waits. */
  fetchOldestWaiting: () => Promise<number | null>;
  close: () => Promise<void>;
}

// Limit: batches that wait for another try and are looked at; their order is that of their next try, not of their age.
const DELAYED_LOOKED_AT = 1_000;

/** Opens a look over a connection that stays the caller's. */
export function openQueueView(
  { connection, guard }: Pick<RedisStore, "connection" | "guard">,
  prefix: string,
): QueueView {
  const queue = new Queue(BATCH_QUEUE, { connection, prefix });
  // A Redis that is away is told by the command that fails.
  queue.on("error", () => undefined);
  return {
    queue,
    fetchCounts: () =>
      guard(async () => {
        const counts = await queue.getJobCounts(...QUEUE_STATES);
        const known = QUEUE_STATES.map((state) => [state, counts[state] ?? 0] as const);
        return Object.fromEntries(known) as Record<(typeof QUEUE_STATES)[number], number>;
      }),
    fetchOldestWaiting: () => guard(() => fetchOldestWaiting(queue, connection)),
    close: () => queue.close(),
  };
}

/** The moments alone are read: a batch would come with all its rows. */
async function fetchOldestWaiting(queue: Queue, connection: Redis): Promise<number | null> {
  const [waiting, delayed] = await Promise.all([
    queue.getRanges(["waiting"], 0, 0, true),
    queue.getRanges(["delayed"], 0, DELAYED_LOOKED_AT - 1),
  ]);
  const ids = [...waiting, ...delayed];
  const moments = await Promise.all(ids.map((id) => connection.hget(queue.toKey(id), "timestamp")));
  // One that a worker has taken and finished since has none any more.
  const known = moments.flatMap((moment) => (moment === null ? [] : [Number(moment)]));
  return known.length > 0 ? Math.min(...known) : null;
}
