/**
 * Bulk writes go in the order of ids: two of the same records in different orders would deadlock. Inserts tell existing
 * documents from documents that could not be written.
 */
import { expect, it, jest } from "@jest/globals";
import {
  MongoBulkWriteError,
  MongoNetworkError,
  MongoServerError,
  type BulkWriteResult,
  type Collection,
} from "mongodb";
import {
  amend,
  insertMissing,
  put,
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

/** The error of a bulk write, with these errors of single documents. */
function bulkError(writeErrors: { index: number; code: number }[], result: object = {}) {
  const details = { message: "x", code: 11_000, writeErrors: writeErrors as never };
  return new MongoBulkWriteError(details, result as BulkWriteResult);
}

const existed = { index: 2, code: 11_000 };
const unconfirmed = { getWriteConcernError: () => ({ code: 100 }) };

it.each([
  ["returns the ids that existed", bulkError([existed]), new Set(["c"])],
  ["fails if another document could not be written", bulkError([existed, { index: 0, code: 121 }]), "failed"],
  ["fails if no document is named", bulkError([]), "failed"],
  ["fails if too few servers have confirmed it", bulkError([existed], unconfirmed), "failed"],
  ["fails if the connection was lost", new MongoNetworkError("x"), "failed"],
])("an insert %s", async (_what, error, expected) => {
  const collection = { insertMany: () => Promise.reject(error) } as unknown as Collection<Named>;
  const documents = ["c", "a", "b"].map((_id) => ({ _id }));
  const result = await insertMissing(collection, documents).catch((thrown: unknown) =>
    thrown === error ? "failed" : thrown,
  );
  expect(result).toEqual(expected);
});

it.each([
  ["is tried again if another process has stored the document at the same moment", 11_000, 2],
  ["fails if the server refuses it", 121, 1],
])("storing a document %s", async (_what, code, tries) => {
  const error = new MongoServerError({ message: "x", code });
  const replaceOne = jest.fn<() => Promise<void>>().mockRejectedValueOnce(error).mockResolvedValue();
  const stored = put({ replaceOne } as unknown as Collection<Named>, { _id: "a" });
  expect(await stored.catch((thrown: unknown) => thrown)).toBe(tries === 1 ? error : undefined);
  expect(replaceOne).toHaveBeenCalledTimes(tries);
});
