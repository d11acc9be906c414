/** Reads whole collections from MongoDB: every record once, a chunk at a time, in a stable order. */
import type { Db, Document } from "mongodb";
import { isTombstone, type RecordDefinition, type StoredRecord } from "../../definitions/define-record.ts";
import { guard } from "./faults.ts";
import { projectionOf } from "./filters.ts";
import { fromForms, type OnUnreadable } from "./form.ts";

export interface Scan {
  /** Field of texts to sort by, with an index. Without an order a store may return a rewritten record twice. */
  sortBy?: string;
  /** Only records that stand behind this value of `sortBy`. */
  after?: string;
  /** Only these members, and the identity; absent: whole records. */
  members?: readonly string[];
  /** True: tombstones, too, for readers that need only the statements. */
  withGone?: true;
  /** Told of records that cannot be read, which are left out; absent: the first one is thrown. */
  onUnreadable?: OnUnreadable;
}

// Limit: records of one chunk, held in memory on both sides. Some 1.2 kB each: well below the 16 MB of an answer.
const CHUNK_RECORDS = 1_000;

/** Reads of everything. `db` must wait long: a store that sorts without an index reads all before the first chunk. */
export function openScanner(db: Db) {
  return {
    /** Every record of a kind. Closes its cursor however the reading ends. */
    scan: async function* (
      record: RecordDefinition,
      { sortBy = "_id", after, members, withGone, onUnreadable }: Scan,
    ): AsyncGenerator<StoredRecord[]> {
      const filter: Document = after === undefined ? {} : { [sortBy]: { $gt: after } };
      const cursor = db.collection(record.collection).find(filter, {
        batchSize: CHUNK_RECORDS,
        sort: { [sortBy]: 1 },
        ...projectionOf(members && [...members, "gone"]),
      });
      try {
        while (await guard(() => cursor.hasNext())) {
          const stored = fromForms(cursor.readBufferedDocuments(), record.collection, onUnreadable);
          yield stored.filter((item): item is StoredRecord => withGone ?? !isTombstone(item));
        }
      } finally {
        await cursor.close().catch(() => undefined);
      }
    },

    /** Runs a reading; patient stores do it again, from the start, while the store is unavailable. */
    patiently: <T>(read: () => Promise<T>): Promise<T> => read(),
  };
}
