/** Reads whole collections from MongoDB: every record once, a chunk at a time, in a stable order. */
import type { Db, Document } from "mongodb";
import type { RecordDefinition, StoredRecord } from "../../definitions/define-record.ts";
import { isTombstone } from "../../values/tombstone.ts";
import { guard } from "./faults.ts";
import { fromForm } from "./form.ts";

/** Which records, in which order. */
export interface Scan {
  /**
   * Top-level field of texts to sort by, served by an index; default `_id`. Without an order a store may return a record
   * twice that is rewritten meanwhile.
   */
  sortBy?: string;
  /** Only records that stand behind this value of `sortBy`. */
  after?: string;
  /** Only these members, and the identity; absent: whole records. */
  members?: readonly string[];
  /** True: tombstones, too, for readers that need only the statements. */
  withGone?: true;
}

/** Reads of everything. Every failure to reach the store is an UnavailableError. */
export interface RecordScanner {
  /** Every record of a kind. Closes its cursor however the reading ends. */
  scan: (record: RecordDefinition, scan: Scan) => AsyncGenerator<StoredRecord[]>;
  /**
   * Runs a reading: once, unless the stores are those of patient work, which does it again while the store is unavailable. A
   * scan that was interrupted cannot continue: such a reading starts another.
   */
  patiently: <T>(read: () => Promise<T>) => Promise<T>;
}

// Limit: records of one chunk, held in memory on both sides. Some 1.2 kB each: well below the 16 MB of an answer.
const CHUNK_RECORDS = 1_000;

/** Opens a scanner. `db`: one whose client waits long, for a store that sorts without an index reads all before the first chunk. */
export function openScanner(db: Db): RecordScanner {
  return {
    scan: async function* (record, { sortBy = "_id", after, members, withGone }) {
      const filter: Document = after === undefined ? {} : { [sortBy]: { $gt: after } };
      const cursor = db.collection(record.collection).find(filter, {
        batchSize: CHUNK_RECORDS,
        sort: { [sortBy]: 1 },
        ...projectionOf(members && [...members, "gone"]),
      });
      try {
        while (await guard(() => cursor.hasNext())) {
          const stored = cursor.readBufferedDocuments().map(fromForm);
          yield stored.filter((item): item is StoredRecord => withGone ?? !isTombstone(item));
        }
      } finally {
        await cursor.close().catch(() => undefined);
      }
    },
    patiently: (read) => read(),
  };
}

/** The option that reads these members alone, and `_id`; all of them without any. */
export function projectionOf(members: readonly string[] | undefined): { projection?: Record<string, 1> } {
  return members ? { projection: Object.fromEntries(members.map((member) => [member, 1])) } : {};
}
