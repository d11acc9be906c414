/** Reads whole collections from MongoDB: every record once, in chunks, in a stable order. */
import type { Db, Document } from "mongodb";
import { isTombstone, type RecordDefinition, type StoredRecord } from "../../definitions/define-record.ts";
import { guard } from "./faults.ts";
import { projectionOf } from "./filters.ts";
import { fromForms, type OnUnreadable } from "./form.ts";

export interface Scan {
  /** Indexed text field to sort by; default: `_id`. Without an order a store may return a rewritten record twice. */
  sortBy?: string;
  /** Only records that come after this value of `sortBy`. */
  after?: string;
  /** Members to read besides `_id`; absent: all. */
  members?: readonly string[];
  /** True: also tombstones, for readers that need only the statements. */
  withGone?: true;
  /** Receives records that cannot be read, which are left out; absent: the first one is thrown. */
  onUnreadable?: OnUnreadable;
}

// Limit: records of one chunk, in memory on both sides. Some 1.2 kB each, well below the 16 MB of an answer.
const CHUNK_RECORDS = 1_000;

/** Opens scans. `db` needs a long timeout: without an index, a store reads everything before the first chunk. */
export function openScanner(db: Db) {
  return {
    /** Every record of a kind. The cursor is closed when the loop over it ends, also early. */
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

    /** Runs a read. The stores of `ingest/patient-stores.ts` repeat it from the start while MongoDB is unavailable. */
    patiently: <T>(read: () => Promise<T>): Promise<T> => read(),
  };
}
