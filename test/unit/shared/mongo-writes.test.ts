/**
 * Bulk writes go in the order of ids: two of the same records in different orders would deadlock. Inserts tell existing
 * documents from documents that could not be written.
 */
import { expect, it } from "@jest/globals";
import { MongoBulkWriteError, type BulkWriteResult, type Collection } from "mongodb";
import {
  amend,
  insertMissing,
  raise,
  replaceUnchanged,
  type Named,
} from "../../../api/shared/stores/mongodb/writes.ts";
import type { RecordOrTombstone } from "../../../api/shared/definitions/define-record.ts";

const MIXED = ["c", "a", "B", "é", "10", "9"];
const IN_ORDER = ["10", "9", "B", "a", "c", "é"];

/** A collection that notes the ids of each bulk, in the order in which they are sent. */
function openCollection() {
  const bulks: unknown[][] = [];
  const note = (ids: unknown[]) => Promise.resolve({ matchedCount: bulks.push(ids) });
  const collection = {
    insertMany: (documents: { _id: string }[]) => note(documents.map(({ _id }) => _id)),
    bulkWrite: (operations: Record<string, { filter: { _id: string } }>[]) =>
      note(operations.flatMap((operation) => Object.values(operation).map(({ filter }) => filter._id))),
  };
  return { bulks, collection: collection as unknown as Collection<Named> };
}

type Write = (collection: Collection<Named>, records: RecordOrTombstone[]) => Promise<unknown>;

it.each<[string, Write]>([
  ["inserts", (collection, records) => insertMissing(collection, records)],
  [
    "replacements",
    (collection, records) =>
      replaceUnchanged(
        collection,
        records.map((stored) => ({ now: stored, before: stored })),
      ),
  ],
  ["amendments", (collection, records) => amend(collection, records)],
  ["upserts by rank", (collection, records) => raise(collection, records, { rank: "revision" })],
])("%s go in the order of their ids", async (_title, write) => {
  const { bulks, collection } = openCollection();
  const records = MIXED.map((_id) => ({ _id, revision: 1, etag: "e" }) as RecordOrTombstone);
  await write(collection, records);
  expect(bulks).toEqual([IN_ORDER]);
  expect(records.map(({ _id }) => _id)).toEqual(MIXED);
});

/** Inserts three documents. The server has these errors for single ones. */
function insertWith(writeErrors: { index: number; code: number }[]) {
  const error = new MongoBulkWriteError(
    { message: "x", code: 11000, writeErrors: writeErrors as never },
    {} as BulkWriteResult,
  );
  const collection = { insertMany: () => Promise.reject(error) } as unknown as Collection<Named>;
  const documents = ["c", "a", "b"].map((_id) => ({ _id }));
  return insertMissing(collection, documents).catch((thrown: unknown) => thrown === error);
}

it("an insert returns the ids that existed, and fails if a document could not be written", async () => {
  const existed = { index: 2, code: 11_000 };
  expect(await insertWith([existed])).toEqual(new Set(["c"]));
  expect(await insertWith([existed, { index: 0, code: 121 }])).toBe(true);
  expect(await insertWith([])).toBe(true);
});
