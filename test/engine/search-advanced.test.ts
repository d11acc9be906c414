/** The advanced search on the real engine: each filter alone, several together, pages, and what it refuses. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { RawQuery } from "../../api/shared/schemas/query-parameters.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import type { CompanyLine } from "../support/search-records.ts";
import { idsOf, openRegister } from "../support/search-register.ts";

const PATH = "/advanced-search/companies";

const lines: CompanyLine[] = [
  {
    company_name: "TARNWICK BREWING LIMITED",
    company_number: "91000001",
    date_of_creation: "2010-01-01",
    sic_codes: ["11050", "56302"],
    registered_office_address: { premises: "7", address_line_1: "O'Quill Lane", locality: "Tarnby" },
  },
  {
    company_name: "H.W.Q. BREWING PLC",
    company_number: "91000002",
    type: "plc",
    date_of_creation: "2010-12-31",
    sic_codes: ["11050"],
    registered_office_address: { address_line_1: "Lane End", locality: "Tarnby", postal_code: "TA1 1ZZ" },
  },
  {
    company_name: "H W Q & SONS LTD",
    company_number: "91000003",
    company_status: "dissolved",
    date_of_creation: "1999-05-05",
    date_of_cessation: "2004-02-29",
    registered_office_address: { address_line_1: "2 Quill Row", locality: "Quillby QB12ZZ" },
  },
  {
    company_name: "THE TARNWICK ESTATES COMMUNITY INTEREST COMPANY",
    company_number: "91000004",
    company_status: "liquidation",
    subtype: "community-interest-company",
    date_of_creation: "2011-01-01",
    date_of_cessation: "2019-03-03",
  },
  {
    company_name: "TARNWICK LP",
    company_number: "SL910005",
    company_status: "closed",
    type: "limited-partnership",
    subtype: "private-fund-limited-partnership",
    date_of_cessation: "2020-01-31",
  },
];

const ORDER = ["91000003", "91000002", "SL910005", "91000001", "91000004"];

const register = forAllTests(openRegister);
beforeAll(async () => {
  await register.add(lines);
});

/** The last digits of the companies found, in order. */
const found = async (query: RawQuery) => idsOf(await register.ask(PATH, query)).map((id) => id.slice(-1));

test("finds the whole register without conditions, ordered by name key", async () => {
  const answer = await register.ask(PATH, {});
  expect(idsOf(answer)).toEqual(ORDER);
  expect(answer).toMatchObject({ kind: "search#advanced-search", hits: 5, top_hit: answer.items[0] });
});

describe("a filter alone", () => {
  test.each<[RawQuery, string]>([
    [{ company_name_includes: "tarnwick" }, "514"],
    [{ company_name_includes: "brewing Tarnwick" }, "1"],
    [{ company_name_includes: "ltd" }, "31"],
    [{ company_name_includes: "limited" }, "31"],
    [{ company_name_includes: "hwq" }, "32"],
    [{ company_name_includes: "H. W. Q." }, "32"],
    [{ company_name_includes: "q h" }, "32"],
    [{ company_name_includes: "hwq brewing public limited company" }, "2"],
    [{ company_name_includes: "h. w. q. public limited company" }, "2"],
    [{ company_name_includes: "tarnwick limited partnership" }, "5"],
    [{ company_name_includes: "estates c.i.c." }, "4"],
    [{ company_name_includes: "tarnwick limited" }, "1"],
    [{ company_name_includes: "and sons" }, "3"],
    [{ company_name_includes: "&" }, "3"],
    [{ company_name_includes: "the" }, "4"],
    [{ company_name_excludes: "tarnwick" }, "32"],
    [{ company_name_excludes: "Limited" }, "254"],
    [{ company_name_excludes: "sons estates plc" }, "51"],
    [{ company_status: "ACTIVE" }, "21"],
    [{ company_status: "dissolved,Liquidation" }, "34"],
    [{ company_status: ["dissolved", "closed,active"] }, "3251"],
    [{ company_type: "plc" }, "2"],
    [{ company_type: "plc,limited-partnership" }, "25"],
    [{ company_subtype: "community-interest-company" }, "4"],
    [{ company_subtype: ["community-interest-company", "private-fund-limited-partnership"] }, "54"],
    [{ sic_codes: "11050" }, "21"],
    [{ sic_codes: "56302,99999" }, "1"],
    [{ incorporated_from: "2010-12-31" }, "24"],
    [{ incorporated_to: "2010-01-01" }, "31"],
    [{ incorporated_from: "0001-01-01", incorporated_to: "2010-01-01" }, "31"],
    [{ dissolved_from: "2019-03-03" }, "54"],
    [{ dissolved_to: "2019-03-03" }, "34"],
    [{ location: "tarnby" }, "21"],
    [{ location: "Tarnby, lane" }, "21"],
    [{ location: "oquill" }, "1"],
    [{ location: "o’quill lane 7" }, "1"],
    [{ location: "TA1 1ZZ" }, "2"],
    [{ location: "tarnby ta11zz" }, "2"],
    [{ location: "quillby qb12zz" }, "3"],
  ])("%j finds the companies %s", async (query, ids) => {
    expect((await found(query)).join("")).toBe(ids);
  });
});

test("a facet counts a town whose text contains a postcode as the filter finds it", async () => {
  const answer = await register.ask(PATH, { company_status: "dissolved", facets: "location" });
  expect(answer).toMatchObject({ facets: { location: [{ value: "QUILLBY QB12ZZ", count: 1 }] } });
});

describe("filters together", () => {
  test.each<[RawQuery, string]>([
    [{ company_name_includes: "brewing", company_status: "active", company_type: "ltd" }, "1"],
    [{ company_name_includes: "tarnwick", company_name_excludes: "estates brewing" }, "5"],
    [{ incorporated_from: "2010-01-01", incorporated_to: "2010-12-31", sic_codes: "11050" }, "21"],
    [{ dissolved_from: "2004-02-29", dissolved_to: "2004-02-29", company_status: "dissolved" }, "3"],
    [{ location: "tarnby", company_type: "plc", q: "ignored", nonsense: "x" }, "2"],
  ])("%j find the companies %s", async (query, ids) => {
    expect((await found(query)).join("")).toBe(ids);
  });
});

describe("pages", () => {
  test("follow each other, and keep the exact number of hits", async () => {
    const ids: string[] = [];
    for (let start = 0; start < 5; start += 2) {
      const answer = await register.ask(PATH, { size: "2", start_index: String(start) });
      expect(answer).toMatchObject({ hits: 5, top_hit: answer.items[0] });
      ids.push(...idsOf(answer));
    }
    expect(ids).toEqual(ORDER);
  });

  test("past the end are empty, without a top hit", async () => {
    const answer = await register.ask(PATH, { start_index: "9000" });
    expect(answer).toMatchObject({ hits: 5, items: [] });
    expect(answer).not.toHaveProperty("top_hit");
  });

  test("may have five thousand items, up to the result window", async () => {
    expect(await register.ask(PATH, { size: "5000", start_index: "5000" })).toMatchObject({ hits: 5 });
  });
});

// The last two are only punctuation, which no name and no address contains as a word.
test.each<RawQuery>([
  { company_name_includes: "brewin" },
  { company_name_includes: "***" },
  { location: "---" },
])("an empty result is a 404: %j", async (query) => {
  await expect(register.ask(PATH, query)).rejects.toMatchObject({
    status: 404,
    details: [{ type: "ch:service", error: "companies-not-found" }],
  });
});
