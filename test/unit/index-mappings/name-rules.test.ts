import { describe, expect, it, jest } from "@jest/globals";
import { NotReadyError, UnavailableError } from "../../../api/shared/runtime/errors.ts";
import type {
  ElasticsearchStore,
  LiveIndex,
} from "../../../api/shared/stores/elasticsearch/elasticsearch.ts";
import {
  fetchRuleMismatch,
  fetchStartRefusal,
  findMismatches,
  watchNameRules,
} from "../../../index-mappings/name-rules.ts";
import { NAMES_VERSION } from "../../../index-mappings/names/mapping.ts";

const fitting: LiveIndex = { name: "companies-v1-20261121t0612", meta: { names_version: NAMES_VERSION } };
const other: LiveIndex = { name: "companies-v1-20251121t0612", meta: { names_version: NAMES_VERSION + 1 } };
const away = () => Promise.reject(new UnavailableError("elasticsearch", "away"));

/** An engine with these indices; every search finds nothing. */
function anEngine(live: LiveIndex[]) {
  const fetchLiveIndices = jest.fn<ElasticsearchStore["fetchLiveIndices"]>(() => Promise.resolve(live));
  const search = jest.fn<ElasticsearchStore["search"]>(() => Promise.resolve([{ total: 0, hits: [] }]));
  const fetch = jest.fn<ElasticsearchStore["words"]["fetch"]>(() => Promise.resolve([]));
  return { fetchLiveIndices, search, words: { fetch } };
}

function watch(engine: ReturnType<typeof anEngine>, now = () => 0) {
  const { look, elasticsearch } = watchNameRules(engine, now);
  return { look, search: () => elasticsearch.search(["companies"], [{}]), words: elasticsearch.words };
}

it.each<[string, LiveIndex[], unknown[]]>([
  ["the same version", [fitting], []],
  ["no index", [], []],
  ["another version", [fitting, other], [{ index: other.name, found: NAMES_VERSION + 1 }]],
  ["no version", [{ name: "a", meta: {} }], [{ index: "a", found: "unknown" }]],
  [
    "a version that is no number",
    [{ name: "a", meta: { names_version: "1" } }],
    [{ index: "a", found: "unknown" }],
  ],
])("finds the indices that were built under other name rules: %s", (_what, live, expected) => {
  expect(findMismatches(live)).toEqual(expected);
});

it("names all indices with other name rules, and the remedy, in one sentence", async () => {
  const fault = await fetchRuleMismatch(anEngine([other, { name: "officers-v1-1", meta: {} }]));
  expect(fault).toMatch(
    /^The index companies-v1-20251121t0612 was built under version \d+ .*; the index officers-v1-1 was built under an unknown version .*: start [^.]*reindex[^.]*\.$/,
  );
});

describe("the start of a process", () => {
  it("is refused under other name rules and allowed under the same", async () => {
    expect(await fetchStartRefusal(anEngine([other]))).toContain(other.name);
    expect(await fetchStartRefusal(anEngine([fitting]))).toBeNull();
  });

  it.each([
    ["is unavailable", away],
    ["does not answer", () => new Promise<never>(() => undefined)],
  ])("is allowed when the engine %s", async (_what, fetchLiveIndices) => {
    expect(await fetchStartRefusal({ fetchLiveIndices })).toBeNull();
  });
});

describe("searches under watch", () => {
  it("check the index once, and not each time", async () => {
    const engine = anEngine([fitting]);
    const { search } = watch(engine);
    await Promise.all([search(), search()]);
    await search();
    expect(engine.search).toHaveBeenCalledTimes(3);
    expect(engine.fetchLiveIndices).toHaveBeenCalledTimes(1);
  });

  it("continue during the check every half minute, and are refused after it if an alias was moved", async () => {
    const engine = anEngine([fitting]);
    let time = 0;
    const { search } = watch(engine, () => time);
    await search();
    engine.fetchLiveIndices.mockResolvedValue([other]);
    time = 30_000;
    await search();
    expect(engine.fetchLiveIndices).toHaveBeenCalledTimes(1);
    time = 30_001;
    expect(await search()).toEqual([{ total: 0, hits: [] }]);
    expect(engine.fetchLiveIndices).toHaveBeenCalledTimes(2);
    await expect(search()).rejects.toThrow(other.name);
  });

  it("are refused while the index has other rules", async () => {
    const engine = anEngine([other]);
    const { search } = watch(engine);
    await expect(search()).rejects.toThrow(NotReadyError);
    expect(engine.search).not.toHaveBeenCalled();

    engine.fetchLiveIndices.mockResolvedValue([fitting]);
    expect(await search()).toEqual([{ total: 0, hits: [] }]);
  });

  it("are refused as soon as a check has found other rules", async () => {
    const engine = anEngine([fitting]);
    const { look, search } = watch(engine);
    await search();
    engine.fetchLiveIndices.mockResolvedValue([other]);
    expect(await look()).toContain(other.name);
    await expect(search()).rejects.toThrow(other.name);
  });

  it("check the index again after an outage, during which it may have been replaced", async () => {
    const engine = anEngine([fitting]);
    const { search } = watch(engine);
    await search();
    engine.search.mockImplementationOnce(away);
    await expect(search()).rejects.toThrow("away");
    engine.fetchLiveIndices.mockResolvedValue([other]);
    await expect(search()).rejects.toThrow(other.name);
  });

  it("do not check the index again if words could not be looked up, because hardly any search needs them", async () => {
    const engine = anEngine([fitting]);
    const { search, words } = watch(engine);
    await search();
    engine.words.fetch.mockImplementationOnce(away);
    await expect(words.fetch(["FORM"])).rejects.toThrow("away");
    await search();
    expect(engine.fetchLiveIndices).toHaveBeenCalledTimes(1);
  });

  it("check the index again if the engine was unavailable at the last check", async () => {
    const engine = anEngine([fitting]);
    const { look, search } = watch(engine);
    await search();
    engine.fetchLiveIndices.mockImplementationOnce(away);
    await expect(look()).rejects.toThrow("away");
    engine.fetchLiveIndices.mockResolvedValue([other]);
    await expect(search()).rejects.toThrow(other.name);
  });
});
