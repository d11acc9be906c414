/** The alphabetical search without an engine: its requests step by step, items, and refused parameters. */
import { describe, expect, test } from "@jest/globals";
import { parseQuery, type RawQuery } from "../../../api/shared/schemas/query-parameters.ts";
import { searchAlphabeticalCompanies as search } from "../../../api/search/alphabetical-companies.ts";
import type { Ask } from "../../../api/search/define-search.ts";
import { fetchResult } from "../../../api/search/phases.ts";
import { answerOf, askedBodies, companyHit } from "../../support/company-searches.ts";
import { expectStored } from "../../support/stored-queries.ts";

const read = (query: RawQuery) => parseQuery(search.parameters, query);

describe("query bodies", () => {
  test.each<[string, RawQuery]>([
    ["alphabetical-window", { q: "The Quillory & Press Ltd", size: "7" }],
    ["alphabetical-above", { q: "quillory", search_above: "QUILLORY:00912345" }],
    ["alphabetical-below", { q: "quillory", search_after: "QUILLORY:00912345", size: "100" }],
  ])("are those stored as %s", async (name, query) => {
    expectStored(name, await askedBodies(search, read(query)));
  });

  test("are those stored as alphabetical-letters-off if the names beside the key share most of its letters", async () => {
    const beside = { ...companyHit(), source: { order_key_id: "TARNWICKPRESS:00912345" } };
    const bodies = await askedBodies(search, read({ q: "tarnwick prose" }), [
      [beside],
      [],
      [],
      [],
      [companyHit()],
    ]);
    expectStored("alphabetical-letters-off", bodies);
  });

  test("look on for an equal key after more digits than fit into a request", async () => {
    const digits = [..."12345678"].map((digit) => ({
      ...companyHit(),
      source: { order_key_id: `QUILLORY${digit}:00912345` },
    }));
    const bodies = await askedBodies(search, read({ q: "quillory", size: "6" }), [[], digits]);
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toMatchObject([{ search_after: ["QUILLORY:"] }, { search_after: ["QUILLORY:"] }]);
  });

  test("are sent in one request, for the hit and all companies around it", async () => {
    const before = Array.from({ length: 3 }, () => ({
      ...companyHit(),
      source: { order_key_id: "TARNWICK:00912345" },
    }));
    const values = read({ q: "tarnwick press", size: "6" });
    expect(await askedBodies(search, values, [before, [companyHit()]])).toHaveLength(1);
  });
});

describe("refuses", () => {
  test.each<[RawQuery, number, string]>([
    [{}, 400, "q"],
    [{ q: " " }, 400, "q"],
    [{ q: "t".repeat(161) }, 400, "q"],
    [{ q: "tarn", search_above: "t".repeat(1201) }, 400, "search_above"],
    [{ q: "tarn", size: "ten" }, 400, "size"],
    [{ q: "tarn", size: "0" }, 422, "size"],
    [{ q: "tarn", size: "101" }, 422, "size"],
  ])("%j with %d", (query, status, location) => {
    expect(() => read(query)).toThrow(
      expect.objectContaining({
        status,
        details: [expect.objectContaining({ type: "ch:validation", location }) as unknown],
      }),
    );
  });
});

test("finding nothing is a 404", async () => {
  const ask: Ask = (...bodies) => Promise.resolve(bodies.map(() => ({ total: 0, hits: [] })));
  await expect(fetchResult(search, ask, read({ q: "tarn" }))).rejects.toMatchObject({
    status: 404,
    details: [{ type: "ch:service", error: "companies-not-found" }],
  });
});

test("a page without items still shows the top hit", async () => {
  const found = [[], [companyHit()], []];
  const ask: Ask = () => Promise.resolve(found.map((hits) => ({ total: 0, hits })));
  const result = await fetchResult(search, ask, read({ q: "tarnwick press", search_below: "ZZZ:1" }));
  expect(answerOf(search, read({ q: "tarn" }), result.hits, result.top)).toMatchObject({
    items: [],
    top_hit: { company_number: "00912345" },
  });
});

test("an answer has every member", () => {
  const item = {
    kind: "searchresults#alphabetical-search",
    company_name: "TARNWICK PRESS LIMITED",
    company_number: "00912345",
    company_status: "active",
    company_type: "ltd",
    ordered_alpha_key_with_id: "TARNWICKPRESS:00912345",
    links: { company_profile: "/company/00912345" },
  };
  expect(answerOf(search, read({ q: "tarn" }), [companyHit()], companyHit())).toEqual({
    kind: "search#alphabetical-search",
    top_hit: item,
    items: [item],
  });
});
