import { describe, expect, it, jest } from "@jest/globals";
import type { SearchStore } from "../../../index-mappings/name-rules.ts";
import { nearWord, nearWords } from "../../../api/search/ranking/near.ts";
import { askWithSpellings } from "../../../api/search/spellings.ts";

function anEngine(words: string[]) {
  const search = jest.fn<SearchStore["search"]>(() => Promise.resolve([{ total: 0, hits: [] }]));
  const fetch = jest.fn<SearchStore["words"]["fetch"]>(() => Promise.resolve(words));
  return { search, words: { fetch } };
}

/** What a word is looked for as, by edits, where the register has these words. */
async function spellingsOf(word: string, stored: string[]): Promise<string[][]> {
  const engine = anEngine(stored);
  await askWithSpellings(engine, ["companies"])({ query: nearWord("f", word) });
  const lists: string[][] = [];
  JSON.stringify(engine.search.mock.calls[0]?.[1], (_name, value: unknown) => {
    const { terms } = (value ?? {}) as { terms?: { f: string[] } };
    if (terms) lists.push(terms.f);
    return value;
  });
  // The widest list stands first.
  const [widest = [], ...narrower] = lists;
  const within = [...narrower, widest];
  return within.map((words, edits) => words.filter((one) => !within[edits - 1]?.includes(one)));
}

describe("the spellings of a word", () => {
  it("are those within the edits that it may have, by their number, the word itself first", async () => {
    const stored = ["HAVERSTOL", "HAVERSTOLE", "HAVERSTOLLE", "HAVERST", "HAVERSTOLERS", "QUILLORY"];
    expect(await spellingsOf("HAVERSTOLE", stored)).toEqual([
      ["HAVERSTOLE"],
      ["HAVERSTOL", "HAVERSTOLLE"],
      ["HAVERSTOLERS"],
    ]);
    expect(await spellingsOf("MIL", ["MILL", "MILLS"])).toEqual([["MIL"], ["MILL"]]);
    expect(await spellingsOf("UK", ["UKS"])).toEqual([["UK"]]);
  });

  it("are 200 at the most, the nearest", async () => {
    const far = Array.from({ length: 300 }, (_, i) => `HAVERST${String.fromCharCode(0x4e00 + i)}X`);
    const [same, near, further] = await spellingsOf("HAVERSTOL", [...far, "HAVERSTOLE"]);
    expect([same, near]).toEqual([["HAVERSTOL"], ["HAVERSTOLE"]]);
    expect(further).toHaveLength(198);
  });
});

describe("asking", () => {
  it("looks up the words of all bodies at once, and puts what it has found in their places", async () => {
    const engine = anEngine(["MILLS", "HAVERSTOLL"]);
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

  it("looks nothing up for bodies without near spellings, which go out as they are", async () => {
    const engine = anEngine([]);
    const body = { query: { match_all: {} } };
    await askWithSpellings(engine, ["companies"])(body);
    expect(engine.words.fetch).not.toHaveBeenCalled();
    expect(engine.search.mock.calls[0]?.[1][0]).toBe(body);
  });
});
