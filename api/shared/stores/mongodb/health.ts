/** Owns what an operator asks of MongoDB: version, clock, room, and how much each collection holds. */
import type { Db, Document } from "mongodb";
import { askClock, readClientVersion, type Capacity, type ServerState } from "../health.ts";
import { guard, isNamespaceNotFound } from "./faults.ts";

/** How much a collection holds. */
export interface CollectionSize {
  /** As the server keeps count by itself: after its death it may be off by a few until its next count. */
  records: number;
  /** Bytes on disk, indexes included. */
  bytes: number;
}

/** What an operator asks. */
export interface MongoHealth {
  fetchServer: () => Promise<ServerState>;
  /** The disk below the database; null if the server does not say. */
  fetchDisk: () => Promise<Capacity | null>;
  /** Sizes of these collections, without a scan; one that does not exist holds nothing. */
  fetchSizes: (collections: readonly string[]) => Promise<Map<string, CollectionSize>>;
}

/** Opens the questions of a database. */
export function openHealth(db: Db): MongoHealth {
  return {
    fetchServer: () => guard(() => fetchServer(db)),
    fetchDisk: () => guard(() => fetchDisk(db)),
    fetchSizes: (collections) => guard(() => fetchSizes(db, collections)),
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

async function fetchSizes(db: Db, collections: readonly string[]): Promise<Map<string, CollectionSize>> {
  const sizes = await Promise.all(collections.map((collection) => fetchSize(db, collection)));
  return new Map(collections.map((collection, position) => [collection, sizes[position] ?? NOTHING]));
}

const NOTHING: CollectionSize = { records: 0, bytes: 0 };

async function fetchSize(db: Db, collection: string): Promise<CollectionSize> {
  try {
    const {
      count = 0,
      totalSize,
      storageSize = 0,
      totalIndexSize = 0,
    } = await db.command({
      collStats: collection,
    });
    const bytes = Number(totalSize ?? Number(storageSize) + Number(totalIndexSize));
    return { records: Number(count), bytes };
  } catch (error) {
    if (isNamespaceNotFound(error)) return NOTHING;
    throw error;
  }
}
