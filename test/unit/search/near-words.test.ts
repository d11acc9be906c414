import { describe, expect, it, jest } from "@jest/globals";
import type { SearchStore } from "../../../index-mappings/name-rules.ts";
import { NOTHING, prune } from "../../../api/search/clauses.ts";
import { nearWord, nearWords, askWithSpellings } from "../../../api/search/near-words.ts";

function anEngine(words: string[]) {
  const search = jest.fn<SearchStore["search"]>(() => Promise.resolve([{ total: 0, hits: [] }]));
  const fetch = jest.fn<SearchStore["words"]["fetch"]>(() => Promise.resolve(words));
  return { search, words: { fetch } };
}

interface Scored {
  constant_score?: { filter: { terms: { f: string[] } }; boost: number };
}

/** The words of the register near a word, each with its number of edits, which its score tells. */
async function spellingsOf(word: string, stored: string[]): Promise<Record<string, number>> {
  const engine = anEngine(stored);
  await askWithSpellings(engine, ["companies"])({ query: nearWord("f", word) });
  const scores: Record<string, number> = {};
  JSON.stringify(engine.search.mock.calls[0]?.[1], (_name, value: unknown) => {
    const { constant_score } = (value ?? {}) as Scored;
    for (const one of constant_score?.filter.terms.f ?? [])
      scores[one] = (scores[one] ?? 2) - 16 * (constant_score?.boost ?? 0);
    return value;
  });
  return scores;
}

describe("the spellings of a word", () => {
  it("are words of the register within the allowed edits, the nearest with the highest score", async () => {
    const stored = ["HAVERSTOL", "HAVERSTOLE", "HAVERSTOLLE", "HAVERST", "HAVERSTOLERS", "QUILLORY"];
    expect(await spellingsOf("HAVERSTOLE", stored)).toEqual({
      HAVERSTOLE: 0,
      HAVERSTOL: 1,
      HAVERSTOLLE: 1,
      HAVERSTOLERS: 2,
    });
    expect(await spellingsOf("HAVERSTOLER", stored)).toEqual({
      HAVERSTOLE: 1,
      HAVERSTOL: 2,
      HAVERSTOLLE: 2,
      HAVERSTOLERS: 1,
    });
    expect(await spellingsOf("MIL", ["MILL", "MILLS"])).toEqual({ MILL: 1 });
  });

  it("are only the word itself if it may have no slip, or if too many words were found to see them all", async () => {
    expect(await spellingsOf("UK", ["UKS"])).toEqual({ UK: 0 });
    const all = Array.from({ length: 5_000 }, (_, number) => `Q${number}`);
    expect(await spellingsOf("HAVERSTOL", all)).toEqual({ HAVERSTOL: 0 });
    expect(await spellingsOf("HAVERSTOL", all.slice(1))).toEqual({});
  });

  it("are at most 200, the nearest ones", async () => {
    const far = Array.from({ length: 300 }, (_, i) => `HAVERST${String.fromCharCode(0x4e00 + i)}X`);
    const found = await spellingsOf("HAVERSTOL", [...far, "HAVERSTOLE", "HAVERSTOL"]);
    expect(found).toMatchObject({ HAVERSTOL: 0, HAVERSTOLE: 1 });
    expect(Object.values(found).filter((edits) => edits === 2)).toHaveLength(198);
  });
});

describe("a request with near spellings", () => {
  it("looks up the words of all bodies at once, and puts the results in their places", async () => {
    const engine = anEngine(["MILL", "MILLS", "HAVERSTOLL"]);
    const body = { query: nearWords("names.text", ["HAVERSTOL", "MILL"]), size: 1 };
    await askWithSpellings(engine, ["companies"])(body, { query: nearWord("address", "MILL") });
    expect(engine.words.fetch).toHaveBeenCalledTimes(1);
    const [, bodies] = engine.search.mock.calls[0] ?? [];
    expect(JSON.stringify(bodies)).not.toContain("near_spelling");
    expect(bodies?.[1]).toEqual({
      query: {
        bool: {
          must: [{ constant_score: { filter: { terms: { address: ["MILL", "MILLS"] } }, boost: 1 / 16 } }],
          should: [{ constant_score: { filter: { terms: { address: ["MILL"] } }, boost: 1 / 16 } }],
        },
      },
    });
  });

  it("looks up each word once for all bodies of a request", async () => {
    const engine = anEngine(["MILLS"]);
    const ask = askWithSpellings(engine, ["companies"]);
    await ask({ query: nearWord("f", "MILL") });
    await ask({ query: nearWords("f", ["MILL", "HAVERSTOL"]) });
    await ask({ query: nearWord("f", "HAVERSTOL") });
    expect(engine.words.fetch).toHaveBeenCalledTimes(2);
    expect(engine.words.fetch.mock.calls[1]?.[0]).not.toContain("MILL");
  });

  it("looks up expected words at once if nothing else is in progress, and others when a body needs them", async () => {
    const engine = anEngine(["MILLS", "HAVERSTOLL"]);
    const ask = askWithSpellings(engine, ["companies"], { isAlone: true });
    ask.expect?.(["HAVERSTOL", "VEXMUNDOR"]);
    expect(engine.words.fetch).toHaveBeenCalledTimes(1);
    await ask({ query: nearWord("f", "HAVERSTOL") });
    expect(JSON.stringify(engine.search.mock.calls[0]?.[1])).toContain("HAVERSTOLL");
    expect(engine.words.fetch).toHaveBeenCalledTimes(1);
    await ask({ query: nearWords("f", ["HAVERSTOL", "MILL"]) });
    expect(engine.words.fetch.mock.calls.map(([forms]) => forms.includes("MILL"))).toEqual([false, true]);
    expect(askWithSpellings(engine, ["companies"]).expect).toBeUndefined();
  });

  it("does not look up expected words early if the register is known to have them all", async () => {
    const engine = anEngine(["ZEPHYRD", "VANBECK"]);
    const open = () => askWithSpellings(engine, ["companies"], { isAlone: true });
    open().expect?.(["ZEPHYRD", "VANBECK", "ZEPHYRE"]);
    await Promise.resolve();
    open().expect?.(["ZEPHYRD", "VANBECK"]);
    expect(engine.words.fetch).toHaveBeenCalledTimes(1);
    open().expect?.(["ZEPHYRD", "ZEPHYRE"]);
    expect(engine.words.fetch).toHaveBeenCalledTimes(2);
  });

  it("looks up a word of the body again if too many words were found for the expected ones to see all", async () => {
    const engine = anEngine(["HAVERSTOLL"]);
    engine.words.fetch.mockResolvedValueOnce(Array.from({ length: 5_000 }, (_, number) => `Q${number}`));
    const ask = askWithSpellings(engine, ["companies"], { isAlone: true });
    ask.expect?.(["HAVERSTOL", "VEXMUNDOR"]);
    await ask({ query: nearWord("f", "HAVERSTOL") });
    expect(engine.words.fetch).toHaveBeenCalledTimes(2);
    expect(JSON.stringify(engine.search.mock.calls[0]?.[1])).toContain("HAVERSTOLL");
  });

  it("leaves out clauses that cannot match, because the register has no word near them", async () => {
    const engine = anEngine(["MILLS"]);
    const known = { term: { f: "MILLS" } };
    await askWithSpellings(engine, ["companies"])({
      query: { dis_max: { queries: [known, { nested: { query: nearWords("f", ["MILL", "QUILLORY"]) } }] } },
    });
    expect(engine.search.mock.calls[0]?.[1]).toEqual([{ query: known }]);
  });

  it("looks up nothing for bodies without near spellings, which are sent unchanged", async () => {
    const engine = anEngine([]);
    const body = { query: { match_all: {} } };
    await askWithSpellings(engine, ["companies"])(body);
    expect(engine.words.fetch).not.toHaveBeenCalled();
    expect(engine.search.mock.calls[0]?.[1][0]).toBe(body);
  });
});

const a = { term: { f: "A" } };
const b = { term: { f: "B" } };

describe("a clause with a part that matches nothing", () => {
  it.each([
    ["a part that must match", { bool: { must: [a, NOTHING], should: [b] } }, NOTHING],
    ["the only part that must match", { bool: { must: NOTHING } }, NOTHING],
    ["a filter", { bool: { must: [a], filter: [NOTHING] } }, NOTHING],
    [
      "a part that may match",
      { bool: { must: [a], should: [b, NOTHING] } },
      { bool: { must: [a], should: [b] } },
    ],
    ["the only part that may match", { bool: { filter: [a], should: [NOTHING] } }, { bool: { filter: [a] } }],
    ["all parts of which one has to match", { bool: { should: [NOTHING, NOTHING] } }, NOTHING],
    [
      "one of more parts than have to match",
      { bool: { should: [a, b, NOTHING], minimum_should_match: 2 } },
      { bool: { should: [a, b], minimum_should_match: 2 } },
    ],
    [
      "one of the parts that have to match",
      { bool: { should: [a, NOTHING], minimum_should_match: 2 } },
      NOTHING,
    ],
    ["one of several queries", { dis_max: { queries: [a, NOTHING, b] } }, { dis_max: { queries: [a, b] } }],
    ["all queries but one", { dis_max: { queries: [NOTHING, b] } }, b],
    ["all queries", { dis_max: { queries: [NOTHING] } }, NOTHING],
    ["the query of a nested clause", { nested: { path: "names", query: NOTHING } }, NOTHING],
    ["the filter of a constant score", { constant_score: { filter: NOTHING, boost: 2 } }, NOTHING],
    ["the query of a script score", { script_score: { query: NOTHING, script: { source: "1" } } }, NOTHING],
  ])("is pruned: %s", (_what, clause, pruned) => {
    expect(prune(clause)).toEqual(pruned);
  });

  it.each([
    [a],
    [{ bool: { must: [a], should: [b] } }],
    [{ dis_max: { queries: [a, b] } }],
    [{ nested: { path: "names", query: a } }],
  ])("stays the same without such a part: %j", (clause) => {
    expect(prune(clause)).toEqual(clause);
  });
});
