/**
 * Owns the pause of Elasticsearch's refresh during a large load: searches see what it wrote when it has ended. Whoever
 * finds refresh off and no load alive that wants it so turns it on again: the load at its end, else any worker.
 */
import type { Stores } from "../../api/core/stores/index.ts";

const LOCKS = "refresh-pause:";

// Tuned: a smaller load takes seconds, in which the engine refreshes a few times; what is loaded shows at once then.
const LARGE_LOAD_ROWS = 100_000;

type EngineStores = Pick<Stores, "elasticsearch" | "redis">;

/** Pauses refresh for a load of so many rows; the function returned ends the pause. */
export async function pauseRefresh(
  stores: EngineStores,
  load: string,
  rows: number,
): Promise<() => Promise<void>> {
  const lock = rows < LARGE_LOAD_ROWS ? null : await stores.redis.locks.acquire(`${LOCKS}${load}`);
  if (!lock) return () => Promise.resolve();
  await stores.elasticsearch.setRefresh(false);
  return async () => {
    await lock.release();
    await endForgottenPause(stores);
  };
}

/** Turns refresh on again where it is off and nobody wants it so; true when it did. */
export async function endForgottenPause({ elasticsearch, redis }: EngineStores): Promise<boolean> {
  if (!(await elasticsearch.isRefreshOff())) return false;
  const held = await redis.locks.list();
  if (held.some((name) => name.startsWith(LOCKS))) return false;
  await elasticsearch.setRefresh(true);
  return true;
}
