/** Creates the indexes of MongoDB's collections, and compares existing ones with the definitions in the code. */
import type { Db, IndexDescriptionInfo } from "mongodb";
import type { RecordDefinition, RecordIndex } from "../../definitions/define-record.ts";
import { CommandError } from "../../runtime/errors.ts";
import { isNamespaceNotFound } from "./faults.ts";

/** A collection, and the indexes that it should have. */
export type IndexedCollection = Pick<RecordDefinition, "collection" | "indexes">;

/** An index in the database. */
interface ExistingIndex {
  name: string;
  /** Fields in their order, with their direction: `company_number_1`. */
  keys: string;
  isUnique: boolean;
  /** True when it covers every document, is visible to queries and deletes nothing, as every index of ours. */
  isPlain: boolean;
}

/** Options that no index of ours has. */
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

/** Creates missing indexes and leaves existing ones alone. Throws CommandError when a different index is in the way. */
export async function createIndexes(db: Db, collections: readonly IndexedCollection[]): Promise<void> {
  await Promise.all(collections.map((one) => createOf(db, one)));
}

/**
 * Lists the indexes first: every load does this for every collection, and one listing costs less than a command for
 * each index. Creates them one by one, because FerretDB closes the connection on a command for several indexes that
 * another process has just created.
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

/** Whether the wanted index exists, under any name, or else the name of a different index that is in its way. Pure. */
export function findIndex(
  existing: readonly ExistingIndex[],
  wanted: RecordIndex,
): { isThere: boolean; inTheWay?: string } {
  const keys = keysOf(wanted);
  const isWanted = (one: ExistingIndex) =>
    one.keys === keys && one.isPlain && one.isUnique === (wanted.unique === true);
  if (existing.some(isWanted)) return { isThere: true };
  // MongoDB names an index after its keys by default, and allows only one index of the same keys.
  const other = existing.find((one) => one.keys === keys || one.name === keys);
  return { isThere: false, ...(other && { inTheWay: other.name }) };
}

/** The error about an index that differs from its definition, with the command that removes it. */
export function inTheWayOf(collection: string, index: string): CommandError {
  return new CommandError(
    `MongoDB's index ${index} of ${collection} differs from this release's definition: ` +
      `${dropCall(collection, index)} in MongoDB's shell removes it; then run this again`,
  );
}

/** The command for MongoDB's shell that removes an index. */
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
