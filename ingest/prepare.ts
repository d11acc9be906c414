/** Owns the preparation of the stores: MongoDB indexes of every record, search indices with their aliases. */
import type { Stores } from "../api/core/stores/index.ts";
import { records } from "../api/resources/index.ts";
import { indices } from "../index-mappings/index.ts";

/** Creates what is missing and leaves alone what is there. Returns the names of the search indices it made. */
export async function prepareStores(
  stores: Pick<Stores, "mongo" | "elasticsearch">,
  moment: Date,
): Promise<string[]> {
  await stores.mongo.createIndexes(records);
  const created: string[] = [];
  for (const index of indices) {
    const name = await stores.elasticsearch.createIndex(index, moment);
    if (name) created.push(name);
  }
  return created;
}
