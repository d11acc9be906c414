/** Owns what an operator asks of MongoDB: version, clock, room, and how much each collection holds. */
import type { Db, Document } from "mongodb";
import { askClock, readClientVersion, type Capacity, type ServerState } from "../health.ts";
import { guard, isNamespaceNotFound } from "./faults.ts";

export interface CollectionSize {
  /** As the server keeps count by itself: after its death it may be off by a few until its next count. */
  records: number;
  /** Bytes on disk, indexes included. */
  bytes: number;
}

/** Opens what an operator asks of a database. */
export function openHealth(db: Db) {
  return {
    fetchServer: () => guard(() => fetchServer(db)),
    /** The disk below the database; null if the server does not say. */
    fetchDisk: () => guard(() => fetchDisk(db)),
    /** Sizes of these collections, without a scan; one that does not exist holds nothing. */
    fetchSizes: (collections: readonly string[]): Promise<Map<string, CollectionSize>> =>
      guard(async () => {
        const sizes = collections.map(async (name) => [name, await fetchSize(db, name)] as const);
        return new Map(await Promise.all(sizes));
      }),
  };
}

async function fetchServer(db: Db): Promise<ServerState> {
  const { version } = await db.command({ buildInfo: 1 });
  const { answer, at } = await askClock(() => db.command({ hello: 1 }));
  const product = await fetchProduct(db);
  return {
    version: String(version),
    clientVersion: readClientVersion("mongodb"),
    clockOffsetMs: Number(answer.localTime ?? at) - at,
    ...(product && { product }),
  };
}

// The process that a MongoDB names; `mongos` stands before a cluster of them.
const OWN_NAMES = /^(mongo[ds]|mongo[ds]\.exe)?$/;

/** What a stand-in calls itself. Who may not ask hears nothing. */
async function fetchProduct(db: Db): Promise<string | undefined> {
  const status = await db.command({ serverStatus: 1 }).catch((): Document => ({}));
  const name = String(status.process ?? "").replace(/^.*\//, "");
  return OWN_NAMES.test(name) ? undefined : name;
}

async function fetchDisk(db: Db): Promise<Capacity | null> {
  const { fsTotalSize, fsUsedSize } = await db.command({ dbStats: 1 });
  if (!fsTotalSize || fsUsedSize === undefined) return null;
  const totalBytes = Number(fsTotalSize);
  return { of: "mongodb", totalBytes, freeBytes: totalBytes - Number(fsUsedSize) };
}

const NOTHING: CollectionSize = { records: 0, bytes: 0 };

async function fetchSize(db: Db, collection: string): Promise<CollectionSize> {
  try {
    const stats = await db.command({ collStats: collection });
    const { count = 0, totalSize, storageSize = 0, totalIndexSize = 0 } = stats;
    const bytes = Number(totalSize ?? Number(storageSize) + Number(totalIndexSize));
    return { records: Number(count), bytes };
  } catch (error) {
    if (isNamespaceNotFound(error)) return NOTHING;
    throw error;
  }
}
