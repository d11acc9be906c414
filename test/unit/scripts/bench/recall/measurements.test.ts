import { expect, it } from "@jest/globals";
import type { SearchDefinition } from "../../../../../api/search/define-search.ts";
import type { Least } from "../../../../../scripts/bench/recall/define-form.ts";
import { compareWith } from "../../../../../scripts/bench/recall/earlier.ts";
import { measureFalsePositives } from "../../../../../scripts/bench/recall/false-positives.ts";
import { measureSuites, type Measuring } from "../../../../../scripts/bench/recall/measure.ts";
import { describeRecall } from "../../../../../scripts/bench/recall/report.ts";
import type { Suite } from "../../../../../scripts/bench/recall/suites.ts";

/** A search that finds companies by the digits of the query: `31` finds 3 and 1. A query with a 2 takes two requests. */
const search = {
  path: "/digits",
  indices: ["companies"],
  parameters: {
    q: { kind: "text", description: "", maxLength: 9 },
    explain: { kind: "boolean", description: "" },
  },
  fetch: async (ask: (body: object) => Promise<unknown>, { q }: { q: string }) => {
    await ask({});
    if (q.includes("2")) await ask({});
    return { total: q.length, hits: [...q] };
  },
  mapResponse: ({ hits }: { hits: string[] }, { explain }: { explain: boolean }) => ({
    did_you_mean: "one",
    items: hits.map((digit) => ({
      title: `COMPANY ${digit}`,
      links: { self: `/company/${digit}` },
      ...(explain && { match: { tier: 11, reason: digit === "9" ? "near-spelling" : "most-words" } }),
    })),
  }),
} as unknown as SearchDefinition;

const measuring: Measuring = {
  elasticsearch: { search: () => Promise.resolve([]), words: { fetch: () => Promise.resolve([]) } },
  searches: [search],
  sample: { companies: [], dissolved: [], persons: [], people: {} },
  seed: 1,
  count: 4,
  misses: 2,
  tell: () => undefined,
};

/** A suite with one form, whose target is company 1. It sends 100 warm-up queries, then these one after the other. */
function suiteOf(queries: string[], least?: Least): Suite {
  let drawn = -100;
  const draw = () => {
    const query = drawn < 0 ? "1" : queries[drawn % queries.length];
    drawn += 1;
    if (query === undefined || query === "") return undefined;
    return { query, target: "one", isTarget: ({ path }: { path: string[] }) => path.includes("1") };
  };
  return {
    name: "digits",
    path: "/digits",
    absent: "companies",
    forms: [{ name: "a form", least, draw }],
  };
}

it("counts what is found, what is first, and requests", async () => {
  const [result] = await measureSuites(measuring, [suiteOf(["1", "21", "31", "3"])]);
  expect(result).toMatchObject({ form: "a form", search: "digits", queries: 4, found: 0.75, first: 0.25 });
  expect(result).toMatchObject({ requests: 1.25, least: null, isShort: false });
});

it("lists the queries whose target was missing or not first, with what was found instead", async () => {
  const [result] = await measureSuites(measuring, [suiteOf(["1", "21", "34", "231"])]);
  expect(result?.misses).toEqual([
    {
      query: "34",
      target: "one",
      rank: null,
      didYouMean: "one",
      items: ["COMPANY 3 [11 most-words]", "COMPANY 4 [11 most-words]"],
    },
    expect.objectContaining({ query: "231", rank: 3 }),
  ]);
});

it("draws another target if one lacks what the form needs", async () => {
  const [result] = await measureSuites(measuring, [suiteOf(["", "1", "", "3"])]);
  expect(result).toMatchObject({ queries: 4, found: 0.5 });
});

it.each<[Least, boolean]>([
  [{ found: 0.75 }, false],
  [{ found: 0.76 }, true],
  [{ found: 0.5, first: 0.25 }, false],
  [{ found: 0.5, first: 0.3 }, true],
])("a form is short of %j: %s", async (least, isShort) => {
  const results = await measureSuites(measuring, [suiteOf(["1", "21", "31", "3"], least)]);
  expect(results.map((result) => result.isShort)).toEqual([isShort]);
  const lines = describeRecall(compareWith([], results), []);
  expect(lines.join("\n").includes("SHORT")).toBe(isShort);
});

it("does not judge a form for which the register has no target", async () => {
  const results = await measureSuites(measuring, [suiteOf([""], { found: 0.5 })]);
  expect(results).toMatchObject([{ queries: 0, isShort: false }]);
  const [, line] = describeRecall(compareWith([], results), []);
  expect(line?.split(/ +/)).toEqual(["a", "form", "digits", "0", "-", "-", "0.50", "-", "-"]);
});

it("counts unused names for which more than near spellings were found", async () => {
  const absent = { companies: ["9", "93", "34", "99"], people: [] };
  const [result] = await measureFalsePositives(measuring, [suiteOf(["1"])], absent);
  expect(result).toMatchObject({ asked: 4, answered: 4, unmarked: 2, isShort: true });
  expect(result?.reasons).toEqual({ "11 most-words": 2 });
  expect(result?.examples).toEqual([
    { query: "93", items: ["COMPANY 3 [11 most-words]"] },
    { query: "34", items: ["COMPANY 3 [11 most-words]", "COMPANY 4 [11 most-words]"] },
  ]);
});

it.each([
  ["passes a form that found as much before", { found: 0.75, first: 0.25, isShort: false }, false],
  ["reports a form that found more before", { found: 0.8, first: 0.25, isShort: false }, true],
  [
    "reports a form whose target was first more often before",
    { found: 0.75, first: 0.26, isShort: false },
    true,
  ],
  ["passes a form that was short before too", { found: 0.8, first: 0.3, isShort: true }, false],
  [
    "passes a form that the earlier run did not have",
    { found: 0.8, first: 0.3, isShort: false, form: "another" },
    false,
  ],
])("the comparison with an earlier run %s", async (_title, shares, isShort) => {
  const results = await measureSuites(measuring, [suiteOf(["1", "21", "31", "3"], { found: 0.1 })]);
  const before = { form: "a form", search: "digits", queries: 4, ...shares };
  const [compared] = compareWith([before], results);
  expect(compared?.isShort).toBe(isShort);
  expect(compared?.before).toEqual(before.form === "a form" ? before : null);
});
