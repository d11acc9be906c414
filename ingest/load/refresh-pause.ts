/**
 * Owns the pause of Elasticsearch's refresh during a large load: searches see what it wrote when it has ended. Whoever
 * finds refresh off and no load alive that wants it so turns it on again: the load at its end, else any worker.
 */
import type { Stores } from "../../api/core/stores/index.ts";
import { indices } from "../../index-mappings/index.ts";

const LOCKS = "refresh-pause:";
// The live ones: an index that is being built beside them has its refresh off until it is taken into use.
const names = indices.map(({ name }) => name);

type EngineStores = Pick<Stores, "elasticsearch" | "redis">;

/**
 * Pauses refresh while a load runs; the function returned ends the pause. Who calls it holds the lock of the load: a
 * pause of the same load is that of a process that was killed, and is taken over.
 */
export async function pauseRefresh(stores: EngineStores, load: string): Promise<() => Promise<void>> {
  const lock = await stores.redis.locks.takeOver(`${LOCKS}${load}`);
  await stores.elasticsearch.setRefresh(names, false);
  return async () => {
    await lock.release();
    await endForgottenPause(stores);
  };
}

/** Turns refresh on again where it is off and nobody wants it so; true when it did. */
export async function endForgottenPause({ elasticsearch, redis }: EngineStores): Promise<boolean> {
  if (!(await elasticsearch.isRefreshOff(names))) return false;
  if (await isPauseWanted(redis)) return false;
  await elasticsearch.setRefresh(names, true);
  return true;
}

/** True while a load runs that wants refresh off. */
export async function isPauseWanted(redis: Stores["redis"]): Promise<boolean> {
  const held = await redis.locks.list();
  return held.some((name) => name.startsWith(LOCKS));
}
