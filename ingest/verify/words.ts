/** Checks that the index of words has the words of an index's documents: it may have been lost, and created empty. */
import type { IndexDefinition } from "../../api/shared/definitions/define-index.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { textsOf } from "../../index-mappings/words/index.ts";
import { waitForWorkers, type Observer } from "./observer.ts";

// Limit: how many documents are checked. Loads after the loss bring words back, but hardly those of all 100 documents.
const SAMPLE = 100;

/** True when a word of the first documents is missing, even after the workers have finished their current writes. */
export async function isMissingWords(
  stores: Stores,
  { name }: Pick<IndexDefinition, "name">,
  observer: Observer,
): Promise<boolean> {
  const { elasticsearch } = stores;
  for await (const ids of elasticsearch.walkIds(name)) {
    const documents = await elasticsearch.fetchDocuments(name, ids.slice(0, SAMPLE));
    const texts = documents.flatMap(({ source }) => textsOf(source));
    if (await elasticsearch.words.hasAll(texts)) return false;
    await waitForWorkers(stores, observer);
    return !(await elasticsearch.words.hasAll(texts));
  }
  return false;
}
