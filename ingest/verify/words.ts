/** Looks whether the words of an index's documents are there: the index of words may have been lost by itself, and made again empty. */
import type { IndexDefinition } from "../../api/shared/definitions/define-index.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { textsOf } from "../../index-mappings/words/index.ts";
import { waitForWorkers, type Observer } from "./observer.ts";

// Limit: documents that are looked at. What is loaded after the loss brings its own words, but hardly those of all of these.
const SAMPLE = 100;

/** True when a word of the first documents is missing, and still is once the workers have written what they write now. */
export async function lacksWords(
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
