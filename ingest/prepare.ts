/** Owns the preparation of the stores: MongoDB indexes of every record, search indices with their aliases. */
import { CommandError } from "../api/core/errors.ts";
import type { Stores } from "../api/core/stores/index.ts";
import { records } from "../api/resources/index.ts";
import { indices } from "../index-mappings/index.ts";
import { fetchRulesFault } from "../index-mappings/name-rules.ts";
import { tombstoneIndexes } from "./tombstones.ts";

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
  await stores.mongo.createIndexes([...records, tombstoneIndexes]);
  const created: string[] = [];
  for (const index of indices) {
    const name = await stores.elasticsearch.createIndex(index, moment);
    if (name) created.push(name);
  }
  return created;
}
