/** Brings to Elasticsearch what earlier loads left between the two stores. */
import { RefusedDocumentError } from "../api/core/errors.ts";
import { isGone } from "../api/core/gone.ts";
import type { Members } from "../api/core/members.ts";
import type { Stores } from "../api/core/stores/index.ts";
import type { RecordDefinition } from "../api/resources/define-record.ts";
import { records } from "../api/resources/index.ts";
import { rekey } from "./rekey.ts";
import { listUnindexed, noteGroups, noteUnindexed, removeUnindexed, type Unindexed } from "./unindexed.ts";
import { formerGroupsOf, writeSearchDocuments } from "./writers/search-index.ts";

/** What has become of the batches that had not reached Elasticsearch. */
export interface Mended {
  /** How many have reached it now. */
  mended: number;
  /** Why it refused the others, one sentence each: they are kept, for the next load to try again. */
  refused: string[];
}

/**
 * Brings to Elasticsearch what batches that failed for good, or were lost, had already written to MongoDB. Batches that
 * are still under way mend themselves. One that Elasticsearch refuses keeps nobody from loading.
 */
export async function mendIndexes(
  stores: Stores,
  isUnderWay: (job: string) => Promise<boolean>,
): Promise<Mended> {
  const { documents } = stores.mongo;
  const outcome: Mended = { mended: 0, refused: [] };
  for (const note of await listUnindexed(documents)) {
    const record = records.find(({ collection }) => collection === note.collection);
    if (!record || (await isUnderWay(note.job))) continue;
    const refused = await mend(stores, record, note);
    if (refused === null) outcome.mended += 1;
    else outcome.refused.push(refused);
  }
  return outcome;
}

/** Writes the documents of a batch; why Elasticsearch refused them, or null. */
async function mend(stores: Stores, record: RecordDefinition, note: Unindexed): Promise<string | null> {
  const { documents } = stores.mongo;
  const held = await stores.mongo.records.fetchHeld(record, note.ids);
  const told = held.flatMap((item): Members[] => (isGone(item) ? [] : [item.data as Members]));
  await rekey(stores.mongo, record, told, (former, rekeyed) =>
    noteGroups(documents, note, formerGroupsOf(record, [...former, ...rekeyed])),
  );
  try {
    await writeSearchDocuments(stores, record, { records: held, formerGroups: note.formerGroups });
  } catch (error) {
    if (!(error instanceof RefusedDocumentError)) throw error;
    await noteUnindexed(documents, { ...note, refused: error.message });
    return error.message;
  }
  await removeUnindexed(documents, note._id);
  return null;
}
