/** Reads the state of the queue: counts, age, rate, workers. */
import type { RedisStore } from "../../api/shared/stores/redis/redis.ts";
import { openQueue, type BatchQueue } from "./queue.ts";

type DoneBatches = Awaited<ReturnType<BatchQueue["getMetrics"]>>;

const MINUTES = 10;
const MINUTE_MS = 60_000;
// Limit: how many batches are checked for their age. The queue does not order them by age, but by turn or by next try.
const LOOKED_AT = 1_000;

export async function fetchQueueState(redis: RedisStore, prefix: string, now: number) {
  // Without this ping, BullMQ would wait without limit for a Redis that does not answer.
  await redis.ping();
  const queue = openQueue(redis, prefix);
  try {
    const { waiting, active, delayed, failed } = await fetchCounts(redis, queue);
    const oldestWaitingMs = await fetchOldestWaiting(redis, queue, now);
    const workers = await redis.guard(() => queue.getWorkersCount());
    const done = await redis.guard(() => queue.getMetrics("completed", 0, MINUTES - 1));
    const minutes = minutesBefore(now, done);
    const sum = minutes.reduce((total, count) => total + count, 0);
    /** Average over the last ten whole minutes, as far as they are known; null if none were done. */
    const donePerMinute = sum > 0 ? sum / minutes.length : null;
    return { waiting, active, delayed, failed, oldestWaitingMs, workers, donePerMinute };
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

/** The age of the oldest waiting batch, in milliseconds; null if none is waiting. */
export async function fetchOldestWaiting({ connection, guard }: RedisStore, queue: BatchQueue, now: number) {
  const moments = await guard(async () => {
    const [waiting, delayed] = await Promise.all([
      queue.getRanges(["waiting"], 0, 0, true),
      queue.getRanges(["prioritized", "delayed"], 0, LOOKED_AT - 1),
    ]);
    // Only the timestamps: a whole job includes its rows.
    return Promise.all([...waiting, ...delayed].map((id) => connection.hget(queue.toKey(id), "timestamp")));
  });
  // Null for a batch that has ended meanwhile.
  const known = moments.flatMap((moment) => (moment === null ? [] : [Number(moment)]));
  return known.length > 0 ? Math.max(0, now - Math.min(...known)) : null;
}

/**
 * Batches done in each minute, latest first. Workers record a minute only when a batch is done after it, so the minutes
 * since the last recorded one are added here.
 */
function minutesBefore(now: number, { meta: { count, prevCount, prevTS }, data }: DoneBatches): number[] {
  const since = Math.floor(now / MINUTE_MS) - Math.floor(prevTS / MINUTE_MS);
  const noted = data.map(Number);
  if (since <= 0) return noted;
  const idle = Array.from({ length: Math.min(since - 1, MINUTES) }, () => 0);
  return [...idle, count - prevCount, ...noted].slice(0, MINUTES);
}
