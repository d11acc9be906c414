/**
 * Bulk writes of MongoDB. None overwrites what another process has written since the read. Every bulk is sorted by id:
 * in an engine that writes a bulk as one transaction, two bulks in different orders could deadlock.
 */
import {
  MongoBulkWriteError,
  MongoServerError,
  type AnyBulkWriteOperation,
  type Collection,
  type Document,
} from "mongodb";
import type { RecordOrTombstone } from "../../definitions/define-record.ts";
import { DUPLICATE, isOneOf } from "./codes.ts";
import { isUnconfirmed } from "./faults.ts";
import { toForm } from "./form.ts";

/** Identifies the version of a record that was read. */
type ReadState = Pick<RecordOrTombstone, "_id" | "revision">;

/** A record or tombstone, and the version that it replaces. */
export interface Replacement {
  now: RecordOrTombstone;
  before: ReadState;
}

/** Any document with a text as its id. */
export type Named = Document & { _id: string };

/** Stores a document under its `_id`; an existing one is replaced. */
export async function put(collection: Collection<Named>, document: Named): Promise<void> {
  const replace = () => collection.replaceOne({ _id: document._id }, document, { upsert: true });
  try {
    await replace();
  } catch (error) {
    // Two processes that find nothing both insert. The server refuses the later one, which now finds the document.
    if (!(error instanceof MongoServerError) || !isOneOf(DUPLICATE, error.code)) throw error;
    await replace();
  }
}

/** Inserts documents whose id does not exist yet; returns the ids that existed. */
export async function insertMissing(collection: Collection<Named>, documents: Named[]): Promise<Set<string>> {
  if (documents.length === 0) return new Set();
  const inOrder = sortById(documents, ({ _id }) => _id);
  try {
    await collection.insertMany(inOrder, { ordered: false });
    return new Set();
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError) || isUnconfirmed(error)) throw error;
    const faults = [error.writeErrors].flat();
    const other = faults.find((fault) => !isOneOf(DUPLICATE, fault.code));
    if (other || faults.length === 0) throw error;
    return new Set(faults.map((fault) => inOrder[fault.index]?._id ?? ""));
  }
}

/** Replaces each record that is unchanged since it was read; returns how many were replaced. */
export async function replaceUnchanged(
  collection: Collection<Named>,
  replacements: Replacement[],
): Promise<number> {
  if (replacements.length === 0) return 0;
  const inOrder = sortById(replacements, ({ before }) => before._id);
  const operations = inOrder.map(({ now, before: { _id, revision } }) => ({
    replaceOne: { filter: { _id, revision }, replacement: toForm(now) },
  }));
  const { matchedCount } = await collection.bulkWrite(operations, { ordered: false });
  return matchedCount;
}

export interface Raising {
  /** Name of a numeric member. A document never replaces one with a higher number. */
  rank: string;
  /** Ids that are known to exist, of documents that are never removed: the try to insert them is skipped. */
  known?: ReadonlySet<string>;
}

/** Inserts documents, and updates stored ones of a lower or equal rank. Members that the new one lacks stay. */
export async function raise(
  collection: Collection<Named>,
  documents: Named[],
  { rank, known = new Set() }: Raising,
): Promise<void> {
  const existing = await insertMissing(
    collection,
    documents.filter(({ _id }) => !known.has(_id)),
  );
  const open = documents.filter(({ _id }) => known.has(_id) || existing.has(_id));
  await amend(collection, open, (document) => ({ [rank]: { $lte: document[rank] as number } }));
}

/** Sets these members of each document that exists and matches the condition; its other members stay. */
export async function amend(
  collection: Collection<Named>,
  documents: Named[],
  conditionOf: (document: Named) => Document = () => ({}),
): Promise<void> {
  if (documents.length === 0) return;
  const inOrder = sortById(documents, ({ _id }) => _id);
  const operations = inOrder.map((document): AnyBulkWriteOperation<Named> => {
    const { _id, ...members } = document;
    return { updateOne: { filter: { _id, ...conditionOf(document) }, update: { $set: members } } };
  });
  await collection.bulkWrite(operations, { ordered: false });
}

/** A copy sorted by id, in the same order in every process. Stable for equal ids. */
function sortById<Item>(items: readonly Item[], idOf: (item: Item) => string): Item[] {
  return items.toSorted((one, other) => {
    const [a, b] = [idOf(one), idOf(other)];
    return a === b ? 0 : a < b ? -1 : 1;
  });
}
