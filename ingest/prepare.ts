/** Prepares the stores: MongoDB indexes, search indices and their aliases. */
import { CommandError } from "../api/shared/runtime/errors.ts";
import { findIndex, inTheWayOf, type IndexedCollection } from "../api/shared/stores/mongodb/indexes.ts";
import { beginEvents } from "../api/shared/stores/collections/events.ts";
import { loadsIndexes } from "../api/shared/stores/collections/loaded-sources.ts";
import { personsIndexes } from "../api/shared/stores/collections/persons.ts";
import type { Stores } from "../api/shared/stores/index.ts";
import { records } from "../api/resources/index.ts";
import { indices, neededIndices } from "../index-mappings/index.ts";
import { wordsIndex } from "../index-mappings/words/index.ts";
import type { IndexDefinition, IndexName } from "../api/shared/definitions/define-index.ts";
import { markUnfilled, describeUnfilled } from "../index-mappings/unfilled.ts";
import { fetchRuleMismatch } from "../index-mappings/name-rules.ts";
import { changesIndexes } from "./log/changes.ts";
import { GRANTS, TOKENS } from "../api/shared/access/grants.ts";
import { people } from "../api/shared/access/people.ts";
import { SIGN_INS } from "../api/shared/access/sign-ins.ts";

/**
 * People are found by their e-mail address, which is unique, and grants by the person who gave them. Tokens, sign-ins
 * and grants that have expired are found by `expires_at`, to be removed.
 */
const accessIndexes: readonly IndexedCollection[] = [
  { collection: people.collection, indexes: [{ fields: ["email"], unique: true }] },
  ...[TOKENS, SIGN_INS].map((collection) => ({ collection, indexes: [{ fields: ["expires_at"] }] })),
  { collection: GRANTS, indexes: [{ fields: ["expires_at"] }, { fields: ["person"] }] },
];

/** All collections that have MongoDB indexes. */
export const indexedCollections = [
  ...records,
  ...accessIndexes,
  personsIndexes,
  changesIndexes,
  loadsIndexes,
];

type Prepared = Pick<Stores, "mongo" | "elasticsearch">;

/**
 * Creates missing indexes and search indices, and begins the event streams of a new database. Returns the names of the
 * search indices that it created. A new index whose records are already stored is marked as unfilled, which `tell` gets
 * as a note. Works on both stores at once, since most of the time is spent waiting for them.
 */
export async function prepareStores(
  stores: Prepared,
  moment: Date,
  tell: (note: string) => void = () => undefined,
): Promise<string[]> {
  const { mongo, elasticsearch } = stores;
  const missing = await fetchMissingIndices(stores);
  const unfilled: IndexName[] = [];
  for (const index of indices)
    if (missing.includes(index) && (await hasRecords(stores, index))) unfilled.push(index.name);
  const creations = missing.map((index) => {
    const isUnfilled = unfilled.some((name) => name === index.name);
    return elasticsearch.createIndex(isUnfilled ? markUnfilled(index) : index, moment);
  });
  // Waits for all of them before it throws, since the caller may then delete what was created.
  const collections = mongo.createIndexes(indexedCollections).then(() => beginEvents(mongo.documents));
  const outcomes = await Promise.allSettled([collections, ...creations]);
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
  if (unfilled.length > 0) tell(formatUnfilled(unfilled));
  return (await Promise.all(creations)).flatMap((name) => name ?? []);
}

/**
 * What `prepareStores` would create: search indices, and MongoDB indexes as `collection: field, field`. Throws
 * CommandError for a MongoDB index with other keys or options, and for a search index with other name rules.
 */
export async function fetchMissing(stores: Prepared) {
  const { missing, inTheWay } = await fetchIndexFaults(stores.mongo);
  const [first] = inTheWay;
  if (first) throw inTheWayOf(first.collection, first.name);
  return { indices: (await fetchMissingIndices(stores)).map(({ name }) => name), mongoIndexes: missing };
}

/** The search indices that are missing. Throws CommandError if an existing one has other name rules. */
async function fetchMissingIndices({ elasticsearch }: Prepared) {
  const asked = [fetchRuleMismatch(elasticsearch), elasticsearch.fetchAliasedIndices(neededIndices)] as const;
  const [fault, found] = await Promise.all(asked);
  if (fault) throw new CommandError(fault);
  const reached = new Set(found.map(({ alias }) => alias));
  return [...indices, wordsIndex].filter(({ name }) => !reached.has(name));
}

// How many records are read; some have no name and make no document, so one is not enough.
const SAMPLE = 100;

/** One line about indices that are marked as unfilled. */
export function formatUnfilled(names: readonly IndexName[]): string {
  const { found, repair } = describeUnfilled(names);
  return `${found}; to fill: ${repair}`;
}

/**
 * Names of search indices that are empty although their records are stored, for instance after only MongoDB was
 * restored. Such an index has no mark of being unfilled.
 */
export async function fetchEmpty(stores: Prepared): Promise<IndexName[]> {
  const empty = indices.map(async (index) =>
    (await stores.elasticsearch.count(index.name)) === 0 && (await hasRecords(stores, index))
      ? index.name
      : [],
  );
  return (await Promise.all(empty)).flat();
}

/** True when MongoDB has records that make documents of the index. */
async function hasRecords({ mongo }: Prepared, index: IndexDefinition): Promise<boolean> {
  const page = { filter: {}, sort: [], skip: 0, limit: SAMPLE };
  const some = await mongo.records.fetchPage(index.record, page);
  return some.some((record) => index.document([record]) !== null);
}

/** MongoDB indexes that are missing, and those with other keys or options, which must be dropped first. */
export async function fetchIndexFaults(mongo: Pick<Stores["mongo"], "fetchIndexes">) {
  const missing: string[] = [];
  const inTheWay: { collection: string; name: string }[] = [];
  // All at once, since most of the time is spent waiting for MongoDB.
  const indexesOf = await Promise.all(
    indexedCollections.map(({ collection }) => mongo.fetchIndexes(collection)),
  );
  for (const [at, { collection, indexes }] of indexedCollections.entries()) {
    const stored = indexesOf[at] ?? [];
    for (const wanted of indexes) {
      const { isThere, inTheWay: name } = findIndex(stored, wanted);
      if (isThere) continue;
      if (name === undefined) missing.push(`${collection}: ${wanted.fields.join(", ")}`);
      else inTheWay.push({ collection, name });
    }
  }
  return { missing, inTheWay };
}
