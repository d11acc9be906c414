/** The dissolved search without an engine: query bodies, items by kind of search, and refused parameters. */
import { describe, expect, test } from "@jest/globals";
import { parseQuery, type RawQuery } from "../../../api/shared/schemas/query-parameters.ts";
import type { CompanyProfile } from "../../../api/resources/company-profile/members.ts";
import { searchDissolvedCompanies as search } from "../../../api/search/dissolved-companies.ts";
import { answerOf, askedBodies, companyHit } from "../../support/company-searches.ts";
import { expectStored } from "../../support/stored-queries.ts";

const read = (query: RawQuery) => parseQuery(search.parameters, query);

describe("query bodies", () => {
  test.each<[string, RawQuery]>([
    [
      "dissolved-best-match",
      { q: "Quillory Press Ltd", search_type: "best-match", size: "7", start_index: "14" },
    ],
    ["dissolved-number", { q: "sc 90123", search_type: "best-match" }],
    ["dissolved-previous-name", { q: "Quillory Press", search_type: "previous-name-dissolved" }],
    ["dissolved-alphabetical", { q: "Quillory Press", search_type: "alphabetical", size: "4" }],
  ])("are those stored as %s", async (name, query) => {
    expectStored(name, await askedBodies(search, read(query)));
  });
});

describe("refuses", () => {
  test.each<[RawQuery, number, string, string]>([
    [{ search_type: "best-match" }, 400, "q", "missing-parameter"],
    [{ q: "tarn" }, 400, "search_type", "missing-parameter"],
    [{ q: "tarn", search_type: "worst-match" }, 400, "search_type", "invalid-parameter"],
    [{ q: "t".repeat(161), search_type: "best-match" }, 400, "q", "parameter-too-long"],
    [{ q: "tarn", search_type: "alphabetical", size: "0" }, 422, "size", "invalid-parameter"],
    [{ q: "tarn", search_type: "alphabetical", size: "101" }, 422, "size", "invalid-parameter"],
  ])("%j with %d", (query, status, location, error) => {
    expect(() => read(query)).toThrow(
      expect.objectContaining({
        status,
        details: [expect.objectContaining({ type: "ch:validation", location, error }) as unknown],
      }),
    );
  });

  test("a page past the result window", async () => {
    const values = read({ q: "tarn", search_type: "best-match", start_index: "9981" });
    await expect(async () => askedBodies(search, values)).rejects.toMatchObject({
      status: 416,
      details: [{ type: "ch:validation", location: "start_index" }],
    });
  });
});

test("treats a negative offset as 0", () => {
  expect(read({ q: "tarn", search_type: "best-match", start_index: "-3" })).toMatchObject({
    size: 20,
    start_index: 0,
  });
});

const address = { premises: "12", address_line_1: "Quill Lane", country: "Wales", postal_code: "TA1 1ZZ" };
const DISSOLVED: Partial<CompanyProfile> = {
  company_status: "dissolved",
  date_of_cessation: "2019-01-31",
  registered_office_address: address,
  previous_company_names: [
    { name: "QUILLORY LTD", effective_from: "2001-01-01", ceased_on: "2010-05-06" },
    { name: "TARN LTD", ceased_on: "2012-05-06" },
  ],
};
const PREVIOUS = [
  { name: "TARN LTD", ceased_on: "2012-05-06", company_number: "00912345" },
  {
    name: "QUILLORY LTD",
    effective_from: "2001-01-01",
    ceased_on: "2010-05-06",
    company_number: "00912345",
  },
];
const ITEM = {
  kind: "searchresults#dissolved-company",
  company_name: "TARNWICK PRESS LIMITED",
  company_number: "00912345",
  company_status: "dissolved",
  date_of_creation: "2005-12-02",
  date_of_cessation: "2019-01-31",
  registered_office_address: { address_line_1: "Quill Lane", postal_code: "TA1 1ZZ" },
  previous_company_names: PREVIOUS,
};

function answer(search_type: string, q: string, changes: Partial<CompanyProfile> = {}) {
  return answerOf(search, read({ q, search_type }), [companyHit({ ...DISSOLVED, ...changes })]);
}

describe("an answer", () => {
  test("of the best match has every member", () => {
    const item = { ...ITEM, ordered_alpha_key_with_id: "TARNWICKPRESS:00912345" };
    expect(answer("best-match", "tarnwick")).toEqual({
      etag: expect.stringMatching(/^[0-9a-f]{40}$/),
      kind: "search#dissolved",
      top_hit: item,
      items: [item],
      hits: 1,
    });
  });

  test("of previous names has an item for each matching one, and no key", () => {
    const item = { ...ITEM, matched_previous_company_name: PREVIOUS[1] };
    expect(answer("previous-name-dissolved", "quillory")).toEqual({
      etag: expect.any(String),
      kind: "search#previous-name-dissolved",
      top_hit: item,
      items: [item],
      hits: 1,
    });
  });

  test.each([
    ["912345", PREVIOUS],
    ["quillorry", [PREVIOUS[1]]],
    // A name among other words.
    ["Quillory, Leeds", [PREVIOUS[1]]],
    ["FAO Quill Ory Ltd", [PREVIOUS[1]]],
    // With a slip beside an address.
    ["Quilory Press Norwich", [PREVIOUS[1]]],
    // Found by its address, so no name is nearer than another.
    ["TA1 1ZZ", PREVIOUS],
  ])("of previous names for %j shows the matching names %j", (q, names) => {
    const { items } = answer("previous-name-dissolved", q) as { items: Record<string, unknown>[] };
    expect(items.map((item) => item.matched_previous_company_name)).toEqual(names);
  });

  const matchedNames = (q: string, names: string[], changes: Partial<CompanyProfile> = {}) => {
    const previous_company_names = names.map((name) => ({ name }));
    const { items } = answer("previous-name-dissolved", q, { previous_company_names, ...changes }) as {
      items: { matched_previous_company_name: { name: string } }[];
    };
    return items.map((item) => item.matched_previous_company_name.name);
  };

  test.each<[q: string, names: string[], other: string]>([
    ["Muddlecmbe Pizza Norwich", ["MUDDLECOMBE PIZZA LTD"], "BLUE LANTERN PIZZA LTD"],
    ["Muddlecmbe Pizza, 12 Quill Lane", ["MUDDLECOMBE PIZZA LTD"], "LANTERN LANE LTD"],
    // The address has the second word, but the name does not.
    ["Muddlecmbe Quill TA1 1ZZ", ["MUDDLECOMBE FARMS LTD"], "LANTERN FARMS LTD"],
    ["Quillory Pres Norwich", ["QUILLORY PRESS LTD", "QUILLORY LTD"], "TARN LTD"],
    ["Muddlecmbe & Co", ["MUDDLECOMBE & CO LTD"], "SPENCER & CO LTD"],
    ["Llewellyn & ButlerLtd", ["LLEWELLYN FINANCE LTD"], "SPENCER & SON LTD"],
    ["Muddlecmbe Vantage Mills", ["MUDDLECOMBE VANTAGE LTD"], "VANTAGE STORES LTD"],
  ])("of previous names for %j shows %j, and not %j", (q, names, other) => {
    expect(matchedNames(q, [other, ...names.toReversed()])).toEqual(names);
  });

  test("keeps the order of previous names that ended on the same day or on unknown days", () => {
    const names = ["TARN LTD", "TARN LLP", "TARN PLC"];
    for (const ceased_on of ["2011-02-03", undefined]) {
      const previous_company_names = names.map((name) => ({ name, ...(ceased_on && { ceased_on }) }));
      const { items } = answer("best-match", "tarnwick", { previous_company_names });
      const [item] = items as { previous_company_names: { name: string }[] }[];
      expect(item?.previous_company_names.map(({ name }) => name)).toEqual(names);
    }
  });

  test("of the alphabetical search has the top hit, and no number of hits", () => {
    const [top, other] = [companyHit(DISSOLVED), companyHit({ ...DISSOLVED, company_number: "00000001" })];
    const body = answerOf(search, read({ q: "tarn", search_type: "alphabetical" }), [other], top);
    expect(body).toMatchObject({
      kind: "search#alphabetical-dissolved",
      top_hit: { company_number: "00912345" },
      items: [{ company_number: "00000001" }],
    });
    expect(body).not.toHaveProperty("hits");
  });
});

describe("the address", () => {
  // The tests ask on 2026-11-21.
  test.each([
    ["2006-11-21", true],
    ["2006-11-20", false],
    [undefined, false],
  ])("is shown for twenty years, so of a company that ceased on %s: %p", (date_of_cessation, isShown) => {
    const hit = companyHit(DISSOLVED);
    const shown = hit.source.shown as Record<string, unknown>;
    if (date_of_cessation) shown.date_of_cessation = date_of_cessation;
    else delete shown.date_of_cessation;
    const { top_hit } = answerOf(search, read({ q: "tarn", search_type: "best-match" }), [hit]);
    expect(Object.keys(top_hit as object).includes("registered_office_address")).toBe(isShown);
  });
});
