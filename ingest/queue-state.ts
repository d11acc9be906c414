/** Owns what an operator asks of the queue: how deep, how old, how quick, who takes from it. */
import type { Redis } from "ioredis";
import { guardRedis } from "../api/core/stores/redis.ts";
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
  /** Batches written a minute, over the last ten whole minutes in which any were; null when none were. */
  donePerMinute: number | null;
}

const MINUTES = 10;

/** Looks at the queue. `now` in milliseconds. Throws UnavailableError. */
export async function fetchQueueState(connection: Redis, prefix: string, now: number): Promise<QueueState> {
  // The queue's own client would wait for a Redis that is away without an end.
  await guardRedis(() => connection.ping());
  const view = openQueueView(connection, prefix);
  try {
    return await look(view, now);
  } finally {
    await view.close();
  }
}

async function look(view: QueueView, now: number): Promise<QueueState> {
  const { waiting, active, delayed, failed } = await view.fetchCounts();
  const oldest = await view.fetchOldestWaiting();
  const workers = await guardRedis(() => view.queue.getWorkersCount());
  const done = await guardRedis(() => view.queue.getMetrics("completed", 0, MINUTES - 1));
  return {
    waiting,
    active,
    delayed,
    failed,
    oldestWaitingMs: oldest === null ? null : Math.max(0, now - oldest),
    workers,
    donePerMinute: mean(done.data.map(Number)),
  };
}

function mean(values: readonly number[]): number | null {
  const sum = values.reduce((total, value) => total + value, 0);
  return sum > 0 ? sum / values.length : null;
}
