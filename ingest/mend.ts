/** Owns the mending of what earlier loads left between the two stores. */
import { isGone } from "../api/core/gone.ts";
import type { Members } from "../api/core/members.ts";
import type { Stores } from "../api/core/stores/index.ts";
import { records } from "../api/resources/index.ts";
import { rekey } from "./rekey.ts";
import { listUnindexed, noteGroups, removeUnindexed } from "./unindexed.ts";
import { formerGroupsOf, writeSearchDocuments } from "./writers/search-index.ts";

/**
 * Brings to Elasticsearch what batches that failed for good, or were lost, had already written to MongoDB.
 * Batches that are still under way mend themselves. Returns how many were mended.
 */
export async function mendIndexes(
  stores: Stores,
  isUnderWay: (job: string) => Promise<boolean>,
): Promise<number> {
  const { documents } = stores.mongo;
  let mended = 0;
  for (const note of await listUnindexed(documents)) {
    const record = records.find(({ collection }) => collection === note.collection);
    if (!record || (await isUnderWay(note.job))) continue;
    const held = await stores.mongo.records.fetchHeld(record, note.ids);
    const told = held.flatMap((item): Members[] => (isGone(item) ? [] : [item.data as Members]));
    await rekey(stores.mongo, record, told, (former, rekeyed) =>
      noteGroups(documents, note, formerGroupsOf(record, [...former, ...rekeyed])),
    );
    const { formerGroups } = note;
    await writeSearchDocuments(stores, record, { records: held, formerGroups });
    await removeUnindexed(documents, note._id);
    mended += 1;
  }
  return mended;
}
