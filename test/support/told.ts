/** Owns looks at what sources have stated of records, and records of which it is stated that they are gone. */
import type { Stores } from "../../api/core/stores/index.ts";
import type {
  HeldRecord,
  RecordDefinition,
  Statement,
  StoredRecord,
} from "../../api/resources/define-record.ts";
import { writeBoth } from "../../ingest/both-stores.ts";
import { writeStatements } from "../../ingest/statements/write.ts";
import { toIndex } from "../../ingest/write-rows.ts";

/** The event of a stream that a record was told by last; undefined: by none. */
export function lastEventOf({ told = [] }: HeldRecord): Statement["event"] {
  return told.findLast(({ event }) => event)?.event;
}

/** Removes the records that `find` names from both stores, as an edition does that lacks them; returns how many there were. */
export async function removeRecords(
  stores: Stores,
  record: RecordDefinition,
  jobId: string,
  find: () => Promise<StoredRecord[]>,
): Promise<number> {
  const found = await find();
  const revision = 1 + Math.max(0, ...found.map((held) => held.revision));
  const incoming = found.map(({ _id: id }) => {
    return { id, statements: [{ at: "", place: revision, gone: true as const }], isUndated: true };
  });
  return writeBoth(stores, record, { jobId, ids: found.map(({ _id }) => _id) }, async (leaving) => {
    const written = await writeStatements(stores.mongo, record, incoming, { revision, ...leaving });
    return {
      written: toIndex(written, leaving),
      counts: written.filter(({ effect }) => effect === "removed").length,
    };
  });
}
