/** Owns a look at the queue from outside: how deep, how old, how quick, who takes from it. It changes nothing. */
import type { RedisStore } from "../../api/core/stores/redis.ts";
import { openQueue, type BatchQueue } from "./queue.ts";

type DoneBatches = Awaited<ReturnType<BatchQueue["getMetrics"]>>;

const MINUTES = 10;
const MINUTE_MS = 60_000;
// Limit: batches that wait for another try and are looked at; their order is that of their next try, not of their age.
const DELAYED_LOOKED_AT = 1_000;

/** Looks at the queue. `now` in milliseconds. Throws UnavailableError. */
export async function fetchQueueState(redis: RedisStore, prefix: string, now: number) {
  // The queue's own client would wait for a Redis that is away, or says nothing, without an end.
  await redis.ping();
  const queue = openQueue(redis, prefix);
  try {
    const { waiting, active, delayed, failed } = await fetchCounts(redis, queue);
    const oldestWaitingMs = await fetchOldestWaiting(redis, queue, now);
    /** Worker processes that listen. */
    const workers = await redis.guard(() => queue.getWorkersCount());
    const done = await redis.guard(() => queue.getMetrics("completed", 0, MINUTES - 1));
    const minutes = minutesBefore(now, done);
    const sum = minutes.reduce((total, count) => total + count, 0);
    /** Batches written a minute, over the last ten whole minutes as far as they are noted; null when none were. */
    const donePerMinute = sum > 0 ? sum / minutes.length : null;
    return { waiting, active, delayed, failed, oldestWaitingMs, workers, donePerMinute };
  } finally {
    await queue.close();
  }
}

/** The queue of batches as it is. */
export type QueueState = Awaited<ReturnType<typeof fetchQueueState>>;

/** Batches by their state: `delayed` ones are tried again, `failed` ones are kept until someone has read them. */
export async function fetchCounts({ guard }: RedisStore, queue: BatchQueue) {
  const states = ["waiting", "delayed", "active", "completed", "failed"] as const;
  const counts = await guard(() => queue.getJobCounts(...states));
  const known = states.map((state) => [state, counts[state] ?? 0] as const);
  return Object.fromEntries(known) as Record<(typeof states)[number], number>;
}

/** How many batches of a load wait or are being written. */
export async function countUnderWay(redis: RedisStore, prefix: string, load: string): Promise<number> {
  await redis.ping();
  const queue = openQueue(redis, prefix);
  try {
    const jobs = await redis.guard(() => queue.getJobs(["waiting", "active", "delayed"]));
    // A job that was removed between its listing and its reading is listed as nothing.
    return jobs.filter((job: (typeof jobs)[number] | undefined) => job?.data.load === load).length;
  } finally {
    await queue.close();
  }
}

/** How long the oldest batch that waits has waited, in milliseconds; null when none does. */
export async function fetchOldestWaiting({ connection, guard }: RedisStore, queue: BatchQueue, now: number) {
  const moments = await guard(async () => {
    const [waiting, delayed] = await Promise.all([
      queue.getRanges(["waiting"], 0, 0, true),
      queue.getRanges(["delayed"], 0, DELAYED_LOOKED_AT - 1),
    ]);
    // The moments alone are read: a batch would come with all its rows.
    return Promise.all([...waiting, ...delayed].map((id) => connection.hget(queue.toKey(id), "timestamp")));
  });
  // One that a worker has taken and finished since has none any more.
  const known = moments.flatMap((moment) => (moment === null ? [] : [Number(moment)]));
  return known.length > 0 ? Math.max(0, now - Math.min(...known)) : null;
}

/**
 * Batches done in each whole minute, the last first. Workers note a minute when a batch of a later one is done: what they have
 * done since, and the minutes in which they did nothing, are put before.
 */
function minutesBefore(now: number, { meta: { count, prevCount, prevTS }, data }: DoneBatches): number[] {
  const since = Math.floor(now / MINUTE_MS) - Math.floor(prevTS / MINUTE_MS);
  const noted = data.map(Number);
  if (since <= 0) return noted;
  const idle = Array.from({ length: Math.min(since - 1, MINUTES) }, () => 0);
  return [...idle, count - prevCount, ...noted].slice(0, MINUTES);
}
