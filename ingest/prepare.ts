/** Owns the preparation of the stores: MongoDB indexes of every record, search indices with their aliases. */
import { adoptFormerKeys } from "../api/core/access/api-keys.ts";
import { accessIndexes } from "../api/core/access/indexes.ts";
import { CommandError } from "../api/core/errors.ts";
import { findIndex } from "../api/core/stores/mongo-indexes.ts";
import { personsIndexes } from "../api/core/stores/persons.ts";
import type { Stores } from "../api/core/stores/index.ts";
import { records } from "../api/resources/index.ts";
import type { IndexName } from "../index-mappings/define-index.ts";
import { indices } from "../index-mappings/index.ts";
import { fetchRulesFault } from "../index-mappings/name-rules.ts";
import { fingerprintsIndexes } from "./history/fingerprints.ts";
import { changesIndexes } from "./log/changes.ts";
import { moveFormerPersons } from "./persons/former.ts";
import { moveFormerRemovals } from "./statements/former-removals.ts";

const indexedCollections = [
  ...records,
  personsIndexes,
  ...accessIndexes,
  changesIndexes,
  fingerprintsIndexes,
];

/**
 * Creates what is missing and leaves alone what is there. Returns the names of the search indices it made. Throws
 * CommandError, with nothing created, when an index was built under other name rules: none may be written to it.
 */
export async function prepareStores(
  stores: Pick<Stores, "mongo" | "elasticsearch">,
  moment: Date,
): Promise<string[]> {
  const fault = await fetchRulesFault(stores.elasticsearch);
  if (fault) throw new CommandError(fault);
  await stores.mongo.createIndexes(indexedCollections);
  await adoptFormerKeys(stores.mongo.documents);
  await moveFormerRemovals(stores);
  await moveFormerPersons(stores.mongo.documents);
  const created: string[] = [];
  for (const index of indices) {
    const name = await stores.elasticsearch.createIndex(index, moment);
    if (name) created.push(name);
  }
  return created;
}

/** What `prepareStores` would create: search indices, and MongoDB indexes as `collection: field, field`. */
export interface Missing {
  indices: IndexName[];
  mongoIndexes: string[];
}

/** Throws CommandError where `prepareStores` would. */
export async function fetchMissing({
  mongo,
  elasticsearch,
}: Pick<Stores, "mongo" | "elasticsearch">): Promise<Missing> {
  const fault = await fetchRulesFault(elasticsearch);
  if (fault) throw new CommandError(fault);
  const names = indices.map(({ name }) => name);
  const reached = new Set((await elasticsearch.fetchReached(names)).map(({ alias }) => alias));
  return {
    indices: names.filter((name) => !reached.has(name)),
    mongoIndexes: (await fetchIndexFaults(mongo)).missing,
  };
}

/** How MongoDB's indexes differ from those that the code asks for. */
export interface IndexFaults {
  /** Not there: `collection: field, field`. */
  missing: string[];
  /** There with other keys or options; each has to go before the right one can be made. */
  inTheWay: { collection: string; name: string }[];
}

/** Looks at the indexes of every collection. */
export async function fetchIndexFaults(mongo: Stores["mongo"]): Promise<IndexFaults> {
  const faults: IndexFaults = { missing: [], inTheWay: [] };
  for (const { collection, indexes } of indexedCollections) {
    const held = await mongo.fetchIndexes(collection);
    for (const wanted of indexes) {
      const { isThere, inTheWay: name } = findIndex(held, wanted);
      if (isThere) continue;
      if (name === undefined) faults.missing.push(`${collection}: ${wanted.fields.join(", ")}`);
      else faults.inTheWay.push({ collection, name });
    }
  }
  return faults;
}
