/**
 * Owns the bulk writes of MongoDB: each leaves alone what somebody else has written in between. Every bulk goes in the
 * order of its ids: an engine that writes a bulk as one transaction lets two of them wait for each other otherwise.
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

/** By what a record is known to be as it was read. */
type ReadState = Pick<RecordOrTombstone, "_id" | "revision">;

/** A record or tombstone, and the one that it replaces, as it was read. */
export interface Replacement {
  now: RecordOrTombstone;
  before: ReadState;
}

/** A document of whatever members. */
export type Named = Document & { _id: string };

/** Stores a document under its `_id`, over the one that is there. */
export async function put(collection: Collection<Named>, document: Named): Promise<void> {
  const replace = () => collection.replaceOne({ _id: document._id }, document, { upsert: true });
  try {
    await replace();
  } catch (error) {
    // Two that find nothing both insert, and the later one is refused: now it finds the other's.
    if (!(error instanceof MongoServerError) || !isOneOf(DUPLICATE, error.code)) throw error;
    await replace();
  }
}

/** Inserts what is not there yet; returns the ids that were. */
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

/** Replaces each record that is unchanged since it was read; returns how many were. */
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
  /** A member that is a number: a document never replaces one of a higher rank. */
  rank: string;
  /** Documents that were there when they were read, and are never removed: they are not inserted first. */
  known?: ReadonlySet<string>;
}

/** Stores documents over those of a lower or equal rank; what the new one lacks stays. */
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

/** Sets the members of each document that is there and fulfils the condition; the others stay. */
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

/** A copy in the order of the ids, the same in every process; of equal ones the order stays. */
function sortById<Item>(items: readonly Item[], idOf: (item: Item) => string): Item[] {
  return items.toSorted((one, other) => {
    const [a, b] = [idOf(one), idOf(other)];
    return a === b ? 0 : a < b ? -1 : 1;
  });
}
