/** In which order a search and its coverage are asked for. */
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { Admission } from "../../../api/http/limits/admission.ts";
import { type AnswerDependencies, fetchSearch } from "../../../api/http/answers.ts";
import { UnavailableError } from "../../../api/shared/runtime/errors.ts";
import type { SearchResult } from "../../../api/shared/definitions/search-result.ts";
import { searches } from "../../../api/search/index.ts";
import { companyHit } from "../../support/company-searches.ts";
import type { SearchStore } from "../../../index-mappings/name-rules.ts";

const FOUND: SearchResult[] = [{ total: 1, hits: [companyHit()] }];
const away = () => Promise.reject(new UnavailableError("elasticsearch", "away"));

/** An engine that notes what it is asked and has answered, and a process that asks it. */
function anEngine(search: () => Promise<SearchResult[]>) {
  const notes: string[] = [];
  const elasticsearch: SearchStore = {
    search: async () => {
      notes.push("search");
      const found = await turn().then(search);
      notes.push("found");
      return found;
    },
    words: { fetch: () => Promise.resolve([]) },
  };
  const searchesUnderWay = new Admission({ what: "searches", atOnce: 8, waiting: 8, retryAfterSeconds: 1 });
  // The cast: a search reads no records.
  const dependencies = { stores: { elasticsearch }, searchesUnderWay } as unknown as AnswerDependencies;
  const run = async (path: string, q: string, onTurn?: () => Promise<void>) => {
    const [definition] = searches.filter((one) => one.path === path);
    if (!definition) throw new Error(`there is no search ${path}`);
    const asked = { query: { q }, caller: "tests", budget: undefined, ...(onTurn && { onTurn }) };
    return (await fetchSearch(definition, asked, dependencies)).result;
  };
  return { notes, run };
}

const SUGGESTIONS = "/suggest/companies";

describe("the coverage of a search", () => {
  it("is read once the search has been sent", async () => {
    const { notes, run } = anEngine(() => Promise.resolve(FOUND));
    await run(SUGGESTIONS, "tarnwick", () => Promise.resolve(void notes.push("coverage")));
    expect(notes).toEqual(["search", "coverage", "found"]);
  });

  it("is waited for where the search has failed before, which ends nothing but its request", async () => {
    const { notes, run } = anEngine(away);
    const read = async () => {
      for (let turns = 0; turns < 5; turns += 1) await turn();
      notes.push("coverage");
    };
    await expect(run(SUGGESTIONS, "tarnwick", read)).rejects.toThrow(UnavailableError);
    expect(notes).toEqual(["search", "coverage"]);
  });
});
