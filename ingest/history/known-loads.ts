/** Owns the loads with the state that they are really in: one whose process has died was broken off. */
import type { Stores } from "../../api/core/stores/index.ts";
import { fetchLatestLoads, fetchLoad, loadLock, type LoadRecord } from "./loads.ts";

/** A load with the state that it is really in. */
export type KnownLoad = Omit<LoadRecord, "state"> & { state: LoadRecord["state"] | "broken off" };

type AskedStores = Pick<Stores, "mongo" | "redis">;

/** The latest loads, latest first. `limit`: most that are returned. */
export async function fetchKnownLoads({ mongo, redis }: AskedStores, limit: number): Promise<KnownLoad[]> {
  const loads = await fetchLatestLoads(mongo.documents, limit);
  const held = new Set(await redis.locks.list());
  return loads.map((load) => withState(load, held));
}

/** One load, or null. */
export async function fetchKnownLoad({ mongo, redis }: AskedStores, id: string): Promise<KnownLoad | null> {
  const load = await fetchLoad(mongo.documents, id);
  return load && withState(load, new Set(await redis.locks.list()));
}

function withState(record: LoadRecord, held: ReadonlySet<string>): KnownLoad {
  const isAlive = record.state !== "running" || held.has(loadLock(record._id));
  return isAlive ? record : { ...record, state: "broken off" };
}
