/** Owns the repair of an index: what differs from MongoDB is written anew from it, as a worker would. */
import type { Stores } from "../../api/core/stores/index.ts";
import type { AliasedIndex } from "../../index-mappings/define-index.ts";
import { writeIndexDocuments } from "../projection/search-index.ts";
import { lookAt, type Difference } from "./examine.ts";

// Limit: documents made and written at a time.
const DOCUMENTS_A_WRITE = 500;

/**
 * Writes what is missing or different from MongoDB, under the version a worker would give it, and removes what is
 * extra at the version it was found with: a newer write is not overtaken, and an older one does not overtake. An
 * id for which the index holds or remembers a higher version than that takes no write; those are forgotten first.
 */
export async function repairIndex(
  stores: Stores,
  index: AliasedIndex,
  differences: readonly Difference[],
): Promise<void> {
  for (let at = 0; at < differences.length; at += DOCUMENTS_A_WRITE) {
    const some = differences.slice(at, at + DOCUMENTS_A_WRITE);
    await writeAnew(stores, index, some);
    const ids = some.map(({ id }) => id);
    const stubborn = await lookAt(stores, index, ids);
    if (stubborn.length === 0) continue;
    await stores.elasticsearch.forget(index, stubborn.flatMap(toHeld));
    await writeAnew(stores, index, stubborn);
  }
}

async function writeAnew(stores: Stores, index: AliasedIndex, differences: Difference[]): Promise<void> {
  const { record, groupBy } = index;
  const ids = differences.map(({ id }) => id);
  if (groupBy !== "_id") {
    await writeIndexDocuments(stores, index, { records: [], documents: ids });
    return;
  }
  const records = await stores.mongo.records.fetchByIds(record, ids);
  await writeIndexDocuments(stores, index, { records, documents: [] });
  const known = new Set(records.map(({ _id }) => _id));
  const extra = differences.filter(({ id }) => !known.has(id)).flatMap(toHeld);
  await stores.elasticsearch.write(
    index.name,
    extra.map((item) => ({ ...item, document: null })),
  );
}

function toHeld({ id, heldVersion }: Difference): { id: string; version: number }[] {
  return heldVersion === undefined ? [] : [{ id, version: heldVersion }];
}
