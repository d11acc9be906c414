/** The requests that questions send to the engine. */
import { describe, expect, it } from "@jest/globals";
import { matchAll } from "../../../api/matching/matcher.ts";
import type { SearchHit } from "../../../api/shared/definitions/search-result.ts";
import type { SearchStore } from "../../../index-mappings/name-rules.ts";

/** How many searches each request has, if every search finds this company. */
async function requestsFor(names: string[], company_name?: string): Promise<number[]> {
  const source = {
    shown: { company_name, company_number: "00912345", company_status: "active", type: "ltd" },
  };
  const hit: SearchHit = { index: "companies", id: "00912345", score: 1, sort: [], source };
  const found = company_name === undefined ? { total: 0, hits: [] } : { total: 1, hits: [hit] };
  const requests: number[] = [];
  const search = (_indices: unknown, bodies: unknown[]) => {
    requests.push(bodies.length);
    return Promise.resolve(bodies.map(() => found));
  };
  // The cast: matching needs no more of the store.
  const store = { search, words: { fetch: () => Promise.resolve([]) } } as unknown as SearchStore;
  await matchAll(
    store,
    names.map((name) => ({ type: "company", name })),
  );
  return requests;
}

describe("the requests of a list", () => {
  it("are as many for two questions as for one", async () => {
    const one = await requestsFor(["Quillory Ltd"]);
    const two = await requestsFor(["Quillory Ltd", "Tarnwick Ltd"]);
    expect(two).toEqual(one.map((searches) => 2 * searches));
  });

  it("end after the first for a number, and for the very name", async () => {
    expect(await requestsFor(["912345"])).toHaveLength(1);
    expect(await requestsFor(["Quillory Ltd"], "QUILLORY LTD")).toHaveLength(1);
  });

  it("look for further companies of a near name, but not of one that only shares words", async () => {
    const near = await requestsFor(["Quillory Mils Ltd"], "QUILLORY MILLS LTD");
    const weak = await requestsFor(["Quillory Ltd"], "QUILLORY MILLS LTD");
    expect(near).toHaveLength(weak.length + 1);
  });
});
