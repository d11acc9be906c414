/** Owns what an operator asks of the queue: how deep, how old, how quick, who takes from it. */
import type { RedisStore } from "../../api/core/stores/redis.ts";
import { openQueueView, type QueueView } from "./queue-view.ts";

/** The queue of batches as it is. */
export interface QueueState {
  /** Ready to be taken. */
  waiting: number;
  /** In the hands of workers. */
  active: number;
  /** To be tried again after a passing fault. */
  delayed: number;
  /** Failed for good; kept until someone has read them. */
  failed: number;
  /** How long the oldest of those that wait has waited, in milliseconds; null when none does. */
  oldestWaitingMs: number | null;
  /** Worker processes that listen. */
  workers: number;
  /** Batches written a minute, over the last ten whole minutes as far as they are noted; null when none were. */
  donePerMinute: number | null;
}

type DoneBatches = Awaited<ReturnType<QueueView["queue"]["getMetrics"]>>;

const MINUTES = 10;
const MINUTE_MS = 60_000;

/** Looks at the queue. `now` in milliseconds. Throws UnavailableError. */
export async function fetchQueueState(
  redis: Pick<RedisStore, "connection" | "guard" | "ping">,
  prefix: string,
  now: number,
): Promise<QueueState> {
  // The queue's own client would wait for a Redis that is away, or says nothing, without an end.
  await redis.ping();
  const view = openQueueView(redis, prefix);
  try {
    return await look(view, redis.guard, now);
  } finally {
    await view.close();
  }
}

async function look(view: QueueView, guard: RedisStore["guard"], now: number): Promise<QueueState> {
  const { waiting, active, delayed, failed } = await view.fetchCounts();
  const oldest = await view.fetchOldestWaiting();
  const workers = await guard(() => view.queue.getWorkersCount());
  const done = await guard(() => view.queue.getMetrics("completed", 0, MINUTES - 1));
  return {
    waiting,
    active,
    delayed,
    failed,
    oldestWaitingMs: oldest === null ? null : Math.max(0, now - oldest),
    workers,
    donePerMinute: mean(minutesBefore(now, done)),
  };
}

/**
 * Batches done in each whole minute, the last first. Workers note a minute only when a batch of a later one is done, so
 * what they have done since, and the minutes in which they did nothing, are put before.
 */
function minutesBefore(now: number, { meta: { count, prevCount, prevTS }, data }: DoneBatches): number[] {
  const since = Math.floor(now / MINUTE_MS) - Math.floor(prevTS / MINUTE_MS);
  const noted = data.map(Number);
  if (since <= 0) return noted;
  const idle = Array.from({ length: Math.min(since - 1, MINUTES) }, () => 0);
  return [...idle, count - prevCount, ...noted].slice(0, MINUTES);
}

function mean(values: readonly number[]): number | null {
  const sum = values.reduce((total, value) => total + value, 0);
  return sum > 0 ? sum / values.length : null;
}
