/** The segments of a newly filled index are merged, since searches take longer the more segments it has. */
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import {
  openElasticsearch,
  type ElasticsearchStore,
} from "../../api/shared/stores/elasticsearch/elasticsearch.ts";
import { companiesIndex } from "../../index-mappings/companies/index.ts";
import { wordsIndex } from "../../index-mappings/words/index.ts";
import { testConfig } from "../support/register.ts";
import { waitUntil } from "../support/wait-until.ts";

const { ELASTICSEARCH_URL: url, INDEX_PREFIX: prefix } = testConfig();
let store: ElasticsearchStore;

beforeEach(async () => {
  store = openElasticsearch({ url, prefix, timeoutMs: 30_000 });
  for (const index of [wordsIndex, companiesIndex]) await store.createIndex(index, new Date());
});
afterEach(async () => {
  await store.deleteIndices();
  await store.close();
});

async function countSegments(): Promise<number> {
  const answer = await fetch(`${url}/${prefix}companies/_segments`);
  const { indices } = (await answer.json()) as {
    indices: Record<string, { shards: Record<string, { segments: object }[]> }>;
  };
  return Object.values(indices)
    .flatMap(({ shards }) => Object.values(shards).flat())
    .filter((_shard, copy) => copy === 0)
    .reduce((sum, { segments }) => sum + Object.keys(segments).length, 0);
}

it("a merge turns several segments into one", async () => {
  for (const id of ["1", "2", "3"]) {
    await store.write("companies", [{ id, version: 1, document: { id } }]);
    await store.refresh();
  }
  expect(await countSegments()).toBeGreaterThan(1);

  const task = await store.builds.beginMerge("companies");
  await waitUntil(() => store.builds.isMerged(task), "the merge ends");
  expect(await countSegments()).toBe(1);
});
