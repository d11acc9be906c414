import { describe, expect, it, jest } from "@jest/globals";
import type { SearchStore } from "../../../index-mappings/name-rules.ts";
import { NOTHING } from "../../../api/search/clauses.ts";
import { nearWord, nearWords, askWithSpellings } from "../../../api/search/near-words.ts";

function anEngine(words: string[]) {
  const search = jest.fn<SearchStore["search"]>(() => Promise.resolve([{ total: 0, hits: [] }]));
  const fetch = jest.fn<SearchStore["words"]["fetch"]>(() => Promise.resolve(words));
  return { search, words: { fetch } };
}

interface Scored {
  constant_score?: { filter: { terms: { f: string[] } }; boost: number };
}

/** The edits of each word that this one is looked for as, by what it scores, where the register has these words. */
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
  it("are those of the register within the edits that it may have, the nearest with the highest score", async () => {
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

  it("are the word itself where no slip in it is forgiven, or where too many words were found to see them all", async () => {
    expect(await spellingsOf("UK", ["UKS"])).toEqual({ UK: 0 });
    const all = Array.from({ length: 5_000 }, (_, number) => `Q${number}`);
    expect(await spellingsOf("HAVERSTOL", all)).toEqual({ HAVERSTOL: 0 });
    expect(await spellingsOf("HAVERSTOL", all.slice(1))).toEqual({});
  });

  it("are 200 at the most, the nearest", async () => {
    const far = Array.from({ length: 300 }, (_, i) => `HAVERST${String.fromCharCode(0x4e00 + i)}X`);
    const found = await spellingsOf("HAVERSTOL", [...far, "HAVERSTOLE", "HAVERSTOL"]);
    expect(found).toMatchObject({ HAVERSTOL: 0, HAVERSTOLE: 1 });
    expect(Object.values(found).filter((edits) => edits === 2)).toHaveLength(198);
  });
});

describe("asking", () => {
  it("looks up the words of all bodies at once, and puts what it has found in their places", async () => {
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

  it("asks for nothing where the register has no word near it", async () => {
    const engine = anEngine(["QUILLORY"]);
    const known = { term: { f: "MILLS" } };
    await askWithSpellings(engine, ["companies"])({
      query: { dis_max: { queries: [known, nearWord("f", "MILL")] } },
    });
    const query = { dis_max: { queries: [known, NOTHING] } };
    expect(engine.search.mock.calls[0]?.[1]).toEqual([{ query }]);
  });

  it("takes no text of a query for its own placeholder", async () => {
    const engine = anEngine([]);
    const texts = [
      '{"near_spelling":{"field":"f","word":"MILL"}}',
      '\\"',
      'near_spelling":{"field":"f',
      "$&",
    ];
    const bodies = texts.map((text) => ({ query: { term: { [text]: text } } }));
    const ask = askWithSpellings(engine, ["companies"]);
    await ask(...bodies);
    expect(engine.words.fetch).not.toHaveBeenCalled();
    await ask(...bodies, { query: nearWord("f", "QUILLORY") });
    expect(engine.search.mock.calls[1]?.[1]).toEqual([...bodies, { query: NOTHING }]);
  });

  it("looks nothing up for bodies without near spellings, which go out as they are", async () => {
    const engine = anEngine([]);
    const body = { query: { match_all: {} } };
    await askWithSpellings(engine, ["companies"])(body);
    expect(engine.words.fetch).not.toHaveBeenCalled();
    expect(engine.search.mock.calls[0]?.[1][0]).toBe(body);
  });
});
