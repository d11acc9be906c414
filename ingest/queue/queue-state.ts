/** Reads the state of the queue: counts, age, workers. */
import type { RedisStore } from "../../api/shared/stores/redis/redis.ts";
import { openQueue, type BatchQueue } from "./queue.ts";

// Limit: batches that are checked for their age; the queue orders them by turn or by their next try.
const LOOKED_AT = 1_000;

export async function fetchQueueState(redis: RedisStore, prefix: string, now: number) {
  // Without this ping, BullMQ would wait without limit for a Redis that does not answer.
  await redis.ping();
  const queue = openQueue(redis, prefix);
  try {
    const { waiting, active, delayed, failed } = await fetchCounts(redis, queue);
    const oldestWaitingMs = await fetchOldestWaiting(redis, queue, now);
    const workers = await redis.guard(() => queue.getWorkersCount());
    return { waiting, active, delayed, failed, oldestWaitingMs, workers };
  } finally {
    await queue.close();
  }
}

export type QueueState = Awaited<ReturnType<typeof fetchQueueState>>;

/** Batches by state: `delayed` ones wait for a retry, `failed` ones stay until someone has read them. */
export async function fetchCounts({ guard }: RedisStore, queue: BatchQueue) {
  const states = ["waiting", "delayed", "active", "completed", "failed"] as const;
  const {
    prioritized = 0,
    waiting = 0,
    ...counts
  } = await guard(() => queue.getJobCounts(...states, "prioritized"));
  const all: Record<string, number> = { ...counts, waiting: waiting + prioritized };
  const known = states.map((state) => [state, all[state] ?? 0] as const);
  return Object.fromEntries(known) as Record<(typeof states)[number], number>;
}

/** In milliseconds; null if no batch is waiting. */
export async function fetchOldestWaiting({ connection, guard }: RedisStore, queue: BatchQueue, now: number) {
  const moments = await guard(async () => {
    const [waiting, delayed] = await Promise.all([
      queue.getRanges(["waiting"], 0, 0, true),
      queue.getRanges(["prioritized", "delayed"], 0, LOOKED_AT - 1),
    ]);
    // Only the timestamps: a whole job includes its rows.
    return Promise.all([...waiting, ...delayed].map((id) => connection.hget(queue.toKey(id), "timestamp")));
  });
  // Null for a batch that has been finished meanwhile.
  const known = moments.flatMap((moment) => (moment === null ? [] : [Number(moment)]));
  return known.length > 0 ? Math.max(0, now - Math.min(...known)) : null;
}
