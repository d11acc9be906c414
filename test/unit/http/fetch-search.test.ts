/** The order in which a search, its coverage and the words for its corrections are requested. */
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it, jest } from "@jest/globals";
import { Admission } from "../../../api/http/limits/admission.ts";
import { type AnswerDependencies, fetchSearch } from "../../../api/http/answers.ts";
import { UnavailableError } from "../../../api/shared/runtime/errors.ts";
import type { SearchResult } from "../../../api/shared/definitions/search-result.ts";
import { searches } from "../../../api/search/index.ts";
import { companyHit } from "../../support/company-searches.ts";
import type { SearchStore } from "../../../index-mappings/name-rules.ts";

const NOTHING: SearchResult[] = [{ total: 0, hits: [] }];
const FOUND: SearchResult[] = [{ total: 1, hits: [companyHit()] }];
const away = () => Promise.reject(new UnavailableError("elasticsearch", "away"));

/** A process with an engine whose requests and answers are noted in order. */
function anEngine(search: () => Promise<SearchResult[]>) {
  const notes: string[] = [];
  const fetchWords = jest.fn<SearchStore["words"]["fetch"]>(() => Promise.resolve([]));
  const elasticsearch: SearchStore = {
    search: async () => {
      notes.push("search");
      // An engine answers after everything that the process does meanwhile.
      for (let turns = 0; turns < 2; turns += 1) await turn();
      const found = await search();
      notes.push("found");
      return found;
    },
    words: {
      fetch: (...asked) => {
        notes.push("words");
        return fetchWords(...asked);
      },
    },
  };
  const searchesUnderWay = new Admission({ what: "searches", atOnce: 8, waiting: 8, retryAfterSeconds: 1 });
  // The cast: a search reads no records.
  const dependencies = { stores: { elasticsearch }, searchesUnderWay } as unknown as AnswerDependencies;
  const run = async (path: string, q: string, onTurn?: () => Promise<void>) => {
    const [definition] = searches.filter((one) => one.path === path);
    if (!definition) throw new Error(`there is no search ${path}`);
    const query = { q, search_type: "best-match" };
    const asked = { query, caller: "tests", budget: undefined, ...(onTurn && { onTurn }) };
    return fetchSearch(definition, asked, dependencies, (result) => result);
  };
  return { notes, fetchWords, searchesUnderWay, run };
}

const COMPANIES = "/search/companies";
const SUGGESTIONS = "/suggest/companies";

describe("the coverage of a search", () => {
  it("is read once the search has been sent", async () => {
    const { notes, run } = anEngine(() => Promise.resolve(FOUND));
    await run(SUGGESTIONS, "tarnwick", () => Promise.resolve(void notes.push("coverage")));
    expect(notes).toEqual(["search", "coverage", "found"]);
  });

  it("is awaited even if the search fails before that, and the failed search does not end the process", async () => {
    const { notes, run } = anEngine(away);
    const read = async () => {
      for (let turns = 0; turns < 5; turns += 1) await turn();
      notes.push("coverage");
    };
    await expect(run(SUGGESTIONS, "tarnwick", read)).rejects.toThrow(UnavailableError);
    expect(notes).toEqual(["search", "coverage"]);
  });
});

describe("the words of a search", () => {
  const withWords = [COMPANIES, "/search", "/search/officers", "/search/disqualified-officers"];

  it.each([...withWords, "/dissolved-search/companies"])(
    "of %s are looked up at the same time as its strict query while no other search is in progress",
    async (path) => {
      const { notes, run } = anEngine(() => Promise.resolve(NOTHING));
      await run(path, "st zorblatt vanbeck jones").catch(() => undefined);
      expect(notes.slice(0, 5)).toEqual(["search", "words", "found", "search", "found"]);
    },
  );

  it("are looked up only when they are needed while another search is in progress", async () => {
    const { notes, searchesUnderWay, run } = anEngine(() => Promise.resolve(NOTHING));
    const leave = await searchesUnderWay.enter("another");
    await run(COMPANIES, "zorbl");
    leave();
    expect(notes).toEqual(["search", "found", "words", "search", "found"]);
  });

  it.each([
    [COMPANIES, "912345"],
    ["/search", "912345"],
    [COMPANIES, "t"],
    [SUGGESTIONS, "tarnwick"],
  ])("of %s are not looked up for %s, which needs none", async (path, q) => {
    const { notes, run } = anEngine(() => Promise.resolve(FOUND));
    await run(path, q);
    expect(notes).toEqual(["search", "found"]);
  });

  it("that could not be looked up fail only a search that needs them, after a second attempt", async () => {
    const found = anEngine(() => Promise.resolve(FOUND));
    found.fetchWords.mockImplementation(away);
    expect(await found.run(COMPANIES, "tarnwick press")).toMatchObject({ total: 1 });
    expect(found.notes).toEqual(["search", "words", "found"]);

    const none = anEngine(() => Promise.resolve(NOTHING));
    none.fetchWords.mockImplementationOnce(away);
    await none.run(COMPANIES, "zorbl");
    expect(none.notes).toEqual(["search", "words", "found", "words", "search", "found"]);
    none.fetchWords.mockImplementation(away);
    await expect(none.run(COMPANIES, "zorblatt")).rejects.toThrow("away");
  });

  it("do not end the process if they and the strict query both fail", async () => {
    const { notes, fetchWords, run } = anEngine(away);
    fetchWords.mockImplementation(away);
    await expect(run(COMPANIES, "zorblatt")).rejects.toThrow("away");
    await turn();
    expect(notes).toEqual(["search", "words"]);
  });
});
