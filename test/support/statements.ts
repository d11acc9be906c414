/** Reads statements of stored records and writes tombstones, for tests. */
import type { Stores } from "../../api/shared/stores/index.ts";
import type {
  RecordOrTombstone,
  RecordDefinition,
  Statement,
  StoredRecord,
} from "../../api/shared/definitions/define-record.ts";
import { BatchChange } from "../../ingest/log/batch-change.ts";
import { writeStatements, type Replaced } from "../../ingest/statements/write.ts";

/** The last stream event that stated a record; undefined if none did. */
export function lastEventOf({ told = [] }: RecordOrTombstone): Statement["event"] {
  return told.findLast(({ event }) => event)?.event;
}

/** Removes the records that `find` returns from both stores, as an edition without them does; returns how many. */
export async function removeRecords(
  stores: Stores,
  record: RecordDefinition,
  jobId: string,
  find: () => Promise<StoredRecord[]>,
): Promise<number> {
  const found = await find();
  const revision = 1 + Math.max(0, ...found.map((stored) => stored.revision));
  const incoming = found.map(({ _id: id }) => {
    return { id, statements: [{ at: "", place: revision, gone: true as const }], isUndated: true };
  });
  let removed = 0;
  const ids = { [record.collection]: found.map(({ _id }) => _id) };
  await BatchChange.make(stores, { load: jobId, job: jobId, ids, revision }, async (change) => {
    const onReplace = (replaced: readonly Replaced[]) => change.noteReplaced(record, replaced);
    const written = await writeStatements(stores.mongo, record, incoming, { revision, onReplace });
    await change.index(record, written);
    removed = written.filter(({ effect }) => effect === "removed").length;
    return undefined;
  });
  return removed;
}
