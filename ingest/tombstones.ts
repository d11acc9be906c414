/**
 * Owns the tombstones: what a stream has deleted, and up to which event. A tombstone stays for good, so that an older
 * event or an older snapshot that comes later does not bring the record back. One whose snapshot is of the day of its
 * deletion or a later one stays, in whatever order they come. The newest event of a record that is
 * held stands in the record itself, so that one write changes both.
 */
import type { IndexedCollection } from "../api/core/stores/mongo-indexes.ts";
import type { DocumentStore } from "../api/core/stores/mongo.ts";
import type { EventStamp } from "../api/resources/define-record.ts";

const COLLECTION = "tombstones";

/** A resource that is gone, by the address under which the stream deleted it. */
export interface Tombstone extends EventStamp {
  /** Collection that held its record. */
  collection: string;
  /** `_id` of the record; absent as long as nothing that was ever loaded told it. */
  record_id?: string;
}

/** The event that set a tombstone. */
export function stampOf({ uri, timepoint, published_at }: Tombstone): EventStamp {
  return { uri, timepoint, published_at };
}

/** For the preparation of the stores. */
export const tombstoneIndexes: IndexedCollection = {
  collection: COLLECTION,
  indexes: [{ fields: ["collection", "record_id"] }],
};

/** Sets tombstones; of two for one address the higher timepoint stays, whoever writes first. */
export async function raiseTombstones(documents: DocumentStore, tombstones: Tombstone[]): Promise<void> {
  const stored = tombstones.map(({ uri, ...members }) => ({ _id: uri, ...members }));
  await documents.raise(COLLECTION, stored, "timepoint");
}

/** Tells tombstones that are there which records they stand for. */
export async function identifyTombstones(
  documents: DocumentStore,
  identities: { uri: string; record_id: string }[],
): Promise<void> {
  const members = identities.map(({ uri, record_id }) => ({ _id: uri, record_id }));
  await documents.amend(COLLECTION, members);
}

/** The tombstones among these addresses, by address. */
export async function fetchTombstones(
  documents: DocumentStore,
  uris: string[],
): Promise<Map<string, Tombstone>> {
  const found = uris.length > 0 ? await documents.fetchAll(COLLECTION, { _id: uris }) : [];
  return new Map(found.map(toTombstone).map((tombstone) => [tombstone.uri, tombstone]));
}

/** The tombstones of these records, by record; of several the newest. */
export async function fetchTombstonesOf(
  documents: DocumentStore,
  collection: string,
  ids: string[],
): Promise<Map<string, Tombstone>> {
  const found = await documents.fetchAll(COLLECTION, { collection, record_id: ids });
  const oldestFirst = found.map(toTombstone).sort((a, b) => a.timepoint - b.timepoint);
  return new Map(oldestFirst.map((tombstone) => [tombstone.record_id ?? "", tombstone]));
}

function toTombstone(stored: Record<string, unknown>): Tombstone {
  const { _id: uri, ...members } = stored;
  // The cast: documents of this collection are written above.
  return { uri, ...members } as Tombstone;
}
