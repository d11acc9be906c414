/** Owns the indexes of MongoDB's collections: which are there, whether they are what the code asks for, and their making. */
import type { Db, IndexDescriptionInfo } from "mongodb";
import type { RecordDefinition, RecordIndex } from "../../definitions/define-record.ts";
import { CommandError } from "../../runtime/errors.ts";
import { isNamespaceNotFound } from "./faults.ts";

/** What of a collection its indexes follow from. */
export type IndexedCollection = Pick<RecordDefinition, "collection" | "indexes">;

/** An index that is there. */
interface ExistingIndex {
  name: string;
  /** Fields in their order, with their direction: `company_number_1`. */
  keys: string;
  isUnique: boolean;
  /** True when it holds every document, is used by queries and deletes nothing: what the code always asks for. */
  isPlain: boolean;
}

/** What has no place in an index of ours. */
const ODD_OPTIONS = ["sparse", "partialFilterExpression", "expireAfterSeconds", "collation", "hidden"];

/** A collection's indexes; none when it does not exist. */
export async function fetchIndexes(db: Db, collection: string): Promise<ExistingIndex[]> {
  try {
    return (await db.collection(collection).indexes()).map(toExisting);
  } catch (error) {
    if (isNamespaceNotFound(error)) return [];
    throw error;
  }
}

/** Creates what is missing; what is there is left alone. Throws CommandError when another index stands in the way. */
export async function createIndexes(db: Db, collections: readonly IndexedCollection[]): Promise<void> {
  await Promise.all(collections.map((one) => createOf(db, one)));
}

/**
 * Looks first: a load asks this of every collection, and one question is less than a command for each index. Creates one
 * by one: FerretDB closes the connection over a command whose indexes another process has just created.
 */
async function createOf(db: Db, { collection, indexes }: IndexedCollection): Promise<void> {
  const existing = indexes.length > 0 ? await fetchIndexes(db, collection) : [];
  for (const wanted of indexes) {
    const { isThere, inTheWay } = findIndex(existing, wanted);
    if (inTheWay !== undefined) throw inTheWayOf(collection, inTheWay);
    const keys = Object.fromEntries(wanted.fields.map((field) => [field, 1] as const));
    if (!isThere) await db.collection(collection).createIndex(keys, wanted.unique ? { unique: true } : {});
  }
}

/** The wanted one among those that are there, under any name; or the name of the one that stands in its way. Pure. */
export function findIndex(
  existing: readonly ExistingIndex[],
  wanted: RecordIndex,
): { isThere: boolean; inTheWay?: string } {
  const keys = keysOf(wanted);
  const isWanted = (one: ExistingIndex) =>
    one.keys === keys && one.isPlain && one.isUnique === (wanted.unique === true);
  if (existing.some(isWanted)) return { isThere: true };
  // MongoDB gives an index its keys as its name, and holds one of the same keys only once.
  const other = existing.find((one) => one.keys === keys || one.name === keys);
  return { isThere: false, ...(other && { inTheWay: other.name }) };
}

export function inTheWayOf(collection: string, index: string): CommandError {
  return new CommandError(
    `MongoDB's index ${index} of ${collection} differs from this release's definition: ` +
      `${dropCall(collection, index)} in MongoDB's shell removes it; then run this again`,
  );
}

/** What takes an index away, as it is typed in MongoDB's shell. */
export function dropCall(collection: string, index: string): string {
  return `db.getCollection("${collection}").dropIndex("${index}")`;
}

function keysOf({ fields }: RecordIndex): string {
  return fields.map((field) => `${field}_1`).join("_");
}

function toExisting(info: IndexDescriptionInfo): ExistingIndex {
  const { name, key, unique } = info;
  const keys = Object.entries(key).map(([field, direction]) => `${field}_${String(direction)}`);
  return {
    name: String(name),
    keys: keys.join("_"),
    isUnique: unique === true,
    isPlain: ODD_OPTIONS.every((option) => !(info as unknown as Record<string, unknown>)[option]),
  };
}
