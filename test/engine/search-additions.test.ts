/** What searches answer beyond the original, on the real engine: explanations, suggestions, facets. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { RawQuery } from "../../api/shared/schemas/query-parameters.ts";
import type { IndexName } from "../../api/shared/definitions/define-index.ts";
import { inIndicesEndingWith } from "../../api/search/all.ts";
import { buildPage } from "../../api/search/clauses.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openRegister, type SearchRegister } from "../support/search-register.ts";

const register = forAllTests(openRegister);
beforeAll(async () => {
  await register.add([
    { company_number: "10000001", company_name: "QUERNMERE PRESS LIMITED", sic_codes: ["58110", "58190"] },
    {
      company_number: "10000002",
      company_name: "BRANTWORKS PLC",
      type: "plc",
      previous_company_names: [{ name: "QUERNMERE FOODS LIMITED", ceased_on: "2010-01-02" }],
      registered_office_address: { locality: "Llandudno" },
      sic_codes: ["58110"],
    },
    {
      company_number: "10000003",
      company_name: "QUERNMERE FOODS NORTH LTD",
      company_status: "dissolved",
      date_of_cessation: "2012-03-04",
      registered_office_address: { locality: "LLANDUDNO" },
      previous_company_names: [{ name: "OAKENTHWAITE LIMITED", ceased_on: "2011-01-02" }],
    },
    {
      officer_id: "person",
      forename: "Ignatia",
      other_forenames: "Corwin",
      surname: "BRIGHTQUERN",
      active_count: 1,
    },
    {
      officer_id: "married",
      forename: "Marigold",
      surname: "OVERBECK",
      former_names: [{ surname: "FINCHQUERN" }],
      active_count: 1,
    },
    { officer_id: "parted", forename: "Odile", surname: "VAN DER QUERN", active_count: 1 },
    { officer_id: "body", corporate_name: "QUERNSPIRE SECRETARIES LIMITED", active_count: 2 },
    { officer_id: "barred", forename: "Basil", surname: "UNDERQUERN", disqualified_until: "2099-05-01" },
    { officer_id: "barred-body", corporate_name: "GLASSQUERN LIMITED", disqualified_until: "2099-05-01" },
  ] as Parameters<SearchRegister["add"]>[0]);
});

async function firstOf(path: string, query: RawQuery): Promise<Record<string, unknown>> {
  const { items } = await register.ask(path, query);
  return items[0] as unknown as Record<string, unknown>;
}

test("the search of all kinds recognises an index by the end of its alias", async () => {
  const kinds = ["companies", "officers", "disqualified-officers"] as const;
  const foundIn = async (name: IndexName) => {
    const body = buildPage(inIndicesEndingWith(name), { start_index: 0, items_per_page: 100 });
    const [found] = await register.elasticsearch.search([...kinds], [body]);
    return [...new Set(found?.hits.map(({ index }) => index))];
  };
  expect(await foundIn("companies")).toEqual(["companies"]);
  expect(await foundIn("disqualified-officers")).toEqual(["disqualified-officers"]);
  // `*officers` also matches the alias of disqualified officers; only the alias of companies ends in "companies".
  expect((await foundIn("officers")).toSorted()).toEqual(["disqualified-officers", "officers"]);
});

describe("explain", () => {
  const COMPANIES = "/search/companies";
  const OFFICERS = "/search/officers";
  const DISQUALIFIED = "/search/disqualified-officers";
  const current = (tier: number, reason: string, name: string) => ({
    tier,
    reason,
    name,
    name_type: "current",
  });
  const previous = (tier: number, reason: string, name: string) => ({
    tier,
    reason,
    name,
    name_type: "previous",
  });

  test.each<[string, string, object]>([
    [COMPANIES, "10000001", current(0, "company-number", "QUERNMERE PRESS LIMITED")],
    [COMPANIES, "quernmere press", current(1, "same-name", "QUERNMERE PRESS LIMITED")],
    [
      COMPANIES,
      "quernmere press llp",
      current(2, "same-name-with-another-ending", "QUERNMERE PRESS LIMITED"),
    ],
    [COMPANIES, "quernmere foods", previous(3, "same-name", "QUERNMERE FOODS LIMITED")],
    [COMPANIES, "quernmere", current(4, "begins-with-words", "QUERNMERE PRESS LIMITED")],
    [COMPANIES, "quernmere pr", current(5, "begins-with-letters", "QUERNMERE PRESS LIMITED")],
    [COMPANIES, "oakenth", previous(6, "begins-with-letters", "OAKENTHWAITE LIMITED")],
    [COMPANIES, "press quernmere", current(7, "all-words", "QUERNMERE PRESS LIMITED")],
    [COMPANIES, "pre quern", current(9, "beginnings-of-words", "QUERNMERE PRESS LIMITED")],
    [COMPANIES, "c/o Quernmere Press", current(9, "name-among-other-words", "QUERNMERE PRESS LIMITED")],
    [COMPANIES, "at Quernmere Foods Ltd", previous(10, "name-among-other-words", "QUERNMERE FOODS LIMITED")],
    [COMPANIES, "quernmeer press", current(11, "near-spelling", "QUERNMERE PRESS LIMITED")],
    [COMPANIES, "quernmere press uk", current(11, "legally-equivalent-name", "QUERNMERE PRESS LIMITED")],
    [COMPANIES, "quernmere press uk ltd", current(5, "legally-equivalent-name", "QUERNMERE PRESS LIMITED")],
    [COMPANIES, "oakenthwait3 x", previous(12, "near-spelling", "OAKENTHWAITE LIMITED")],
    [
      COMPANIES,
      "please pay quernmere press ltd of hull",
      current(13, "name-among-other-words", "QUERNMERE PRESS LIMITED"),
    ],
    [COMPANIES, "quernmere press bristol", current(13, "most-words", "QUERNMERE PRESS LIMITED")],
    [OFFICERS, "Ignatia Corwin Brightquern", current(1, "same-name", "Ignatia Corwin BRIGHTQUERN")],
    [OFFICERS, "Ignatia Brightquern", current(2, "surname-and-first-forename", "Ignatia Corwin BRIGHTQUERN")],
    [OFFICERS, "Corwin Brightquern", current(3, "surname-and-other-forename", "Ignatia Corwin BRIGHTQUERN")],
    [OFFICERS, "Brightquern", current(2, "surname", "Ignatia Corwin BRIGHTQUERN")],
    [OFFICERS, "van der quern", current(2, "surname", "Odile VAN DER QUERN")],
    [OFFICERS, "Odile Van Der Quern", current(1, "same-name", "Odile VAN DER QUERN")],
    [OFFICERS, "Ignatia", current(5, "first-forename", "Ignatia Corwin BRIGHTQUERN")],
    [OFFICERS, "Corwin", current(4, "other-forename-or-part-of-surname", "Ignatia Corwin BRIGHTQUERN")],
    [OFFICERS, "Marigold Finchquern", previous(3, "surname-and-first-forename", "Marigold FINCHQUERN")],
    // Initials typed together.
    [
      OFFICERS,
      "ic Brightquern",
      current(5, "surname-and-beginnings-of-forenames", "Ignatia Corwin BRIGHTQUERN"),
    ],
    [OFFICERS, "Ignatia Brightqern", current(9, "near-spelling", "Ignatia Corwin BRIGHTQUERN")],
    [
      OFFICERS,
      "Ignatia Osbert Brightqern",
      current(18, "near-spelling-of-most-words", "Ignatia Corwin BRIGHTQUERN"),
    ],
    [
      OFFICERS,
      "Ignatia Osbert Brightquern",
      current(18, "surname-and-most-forenames", "Ignatia Corwin BRIGHTQUERN"),
    ],
    [OFFICERS, "quernspire secretaries ltd", current(1, "same-name", "QUERNSPIRE SECRETARIES LIMITED")],
    [OFFICERS, "quernspire", current(4, "begins-with-words", "QUERNSPIRE SECRETARIES LIMITED")],
    [
      OFFICERS,
      "quernspire secretaries lim",
      current(5, "begins-with-letters", "QUERNSPIRE SECRETARIES LIMITED"),
    ],
    [OFFICERS, "quernspire secr", current(5, "begins-with-letters", "QUERNSPIRE SECRETARIES LIMITED")],
    [
      OFFICERS,
      "the quernspire secr ltd",
      current(5, "begins-with-letters", "QUERNSPIRE SECRETARIES LIMITED"),
    ],
    [OFFICERS, "secretaries quernspire", current(5, "all-words", "QUERNSPIRE SECRETARIES LIMITED")],
    [
      OFFICERS,
      "c/o Quernspire Secretaries Ltd",
      current(7, "name-among-other-words", "QUERNSPIRE SECRETARIES LIMITED"),
    ],
    [DISQUALIFIED, "Basil Underquern", current(1, "same-name", "Basil UNDERQUERN")],
    [DISQUALIFIED, "glassquern ltd", current(1, "same-name", "GLASSQUERN LIMITED")],
    ["/search", "Basil Underquern", current(1, "same-name", "Basil UNDERQUERN")],
    ["/search", "quernmere press", current(1, "same-name", "QUERNMERE PRESS LIMITED")],
  ])("%s finds %s for the right reason, in its tier", async (path, q, match) => {
    expect(await firstOf(path, { q, explain: "true" })).toMatchObject({ match });
  });

  test("explains names that are legally the same, whatever a company's former names are", async () => {
    const restrictions = "legally-equivalent-company-name";
    const asked = { q: "Quernmere Press & Company", restrictions, explain: "true" };
    expect(await firstOf(COMPANIES, asked)).toMatchObject({
      match: current(1, "legally-equivalent-name", "QUERNMERE PRESS LIMITED"),
    });
    expect(await register.ask(COMPANIES, asked)).not.toHaveProperty("did_you_mean");
  });

  test("explains the dissolved search", async () => {
    const path = "/dissolved-search/companies";
    const ask = { explain: "true", search_type: "best-match" };
    expect(await firstOf(path, { q: "quernmere foods", ...ask })).toMatchObject({
      match: current(4, "begins-with-words", "QUERNMERE FOODS NORTH LTD"),
    });
    const byPrevious = { ...ask, search_type: "previous-name-dissolved" };
    expect(await firstOf(path, { q: "oakenthwaite", ...byPrevious })).toMatchObject({
      match: previous(1, "same-name", "OAKENTHWAITE LIMITED"),
    });
  });

  test("explains only when asked", async () => {
    expect(await firstOf(COMPANIES, { q: "quernmere press" })).not.toHaveProperty("match");
  });
});

describe("did_you_mean", () => {
  test.each([
    ["/search/companies", "quernmeer presss", "QUERNMERE PRESS"],
    ["/search/companies", "quernmeres press", "QUERNMERE PRESS"],
    ["/search/companies", "oakn thwaite", "OAKENTHWAITE"],
    ["/search/officers", "Ignata Brightquern", "IGNATIA BRIGHTQUERN"],
    // An initial is not corrected, and each word of the name is used only once.
    ["/search/officers", "I Brightqern", "I BRIGHTQUERN"],
    ["/search/disqualified-officers", 'Basil "Bazil" Underquern', "BASIL UNDERQUERN"],
    ["/search/officers", "quernspir secretries", "QUERNSPIRE SECRETARIES"],
    ["/search", "Bazil Underquern", "BASIL UNDERQUERN"],
    ["/dissolved-search/companies", "quernmeer foods", "QUERNMERE FOODS"],
  ])("%s answers %s with %s", async (path, q, meant) => {
    const query = path.startsWith("/dissolved") ? { search_type: "best-match" } : {};
    expect(await register.ask(path, { ...query, q })).toMatchObject({ did_you_mean: meant });
    // The suggested text finds its name as it is.
    expect(await register.ask(path, { ...query, q: meant })).not.toHaveProperty("did_you_mean");
  });

  test("suggests generic words alone, which then find their company", async () => {
    const haulage = { company_number: "10000004", company_name: "HAULAGE PLC", type: "plc" };
    await register.add([haulage]);
    const [wrong, right] = [{ q: "hauage plc uk" }, { q: "HAULAGE PLC UK" }];
    expect(await register.ask("/search/companies", wrong)).toMatchObject({ did_you_mean: right.q });
    expect(await firstOf("/search/companies", right)).toMatchObject({ title: haulage.company_name });
    await register.remove([haulage]);
  });

  test("suggests no other number", async () => {
    const house = { company_number: "10000005", company_name: "12 QUERNGATE MANAGEMENT LIMITED" };
    await register.add([house]);
    const ask = (q: string) => register.ask("/search/companies", { q });
    expect(await ask("14 Querngate Management")).toMatchObject({ total_results: 1 });
    expect(await ask("14 Querngate Management")).not.toHaveProperty("did_you_mean");
    expect(await ask("12 Qerngate Managment")).toMatchObject({ did_you_mean: "12 QUERNGATE MANAGEMENT" });
    expect(await ask("l2 Querngate Management")).toMatchObject({ did_you_mean: "12 QUERNGATE MANAGEMENT" });
    expect(await ask("1 2 Qerngate Managment")).toMatchObject({ did_you_mean: "12 QUERNGATE MANAGEMENT" });
    await register.remove([house]);
  });

  // A suggestion would lose the birth date or postcode that was read beside the name.
  test.each(["Ignatia Brightqern born 1970", "Ignatia Brightqern LS1 1ZZ"])(
    "suggests nothing for %s",
    async (q) => {
      const answer = await register.ask("/search/officers", { q });
      expect(answer.items).toHaveLength(1);
      expect(answer).not.toHaveProperty("did_you_mean");
    },
  );

  test.each([
    "quernmere press",
    "quernmere press bristol",
    "nothing of this sort",
    "quernmeer press LS1 1ZZ",
  ])("suggests nothing for %s", async (q) => {
    expect(await register.ask("/search/companies", { q })).not.toHaveProperty("did_you_mean");
  });

  test("suggests nothing for a part of a postcode or a legal ending", async () => {
    const near = [
      { company_number: "10000006", company_name: "LQZ SOFTWARE LIMITED" },
      { company_number: "10000007", company_name: "LD LIMITED" },
    ].map((one) => ({ ...one, registered_office_address: { locality: "Leeds" } }));
    await register.add(near);
    for (const q of ["Leeds LQ1", "ltd"]) {
      const answer = await register.ask("/search/companies", { q });
      expect([q, answer]).toEqual([q, expect.not.objectContaining({ did_you_mean: expect.anything() })]);
    }
    await register.remove(near);
  });

  test("suggests nothing on later pages", async () => {
    const page = { q: "quernmeer", items_per_page: "1" };
    expect(await register.ask("/search/companies", page)).toHaveProperty("did_you_mean");
    expect(await register.ask("/search/companies", { ...page, start_index: "1" })).not.toHaveProperty(
      "did_you_mean",
    );
  });
});

describe("facets", () => {
  test("count everything found, not only the page, and are returned only when asked for", async () => {
    const answer = await register.ask("/advanced-search/companies", {
      facets: "status,type,sic_codes,location",
      size: "1",
    });
    expect(answer).toMatchObject({
      hits: 3,
      facets: {
        status: [
          { value: "active", count: 2 },
          { value: "dissolved", count: 1 },
        ],
        type: [
          { value: "ltd", count: 2 },
          { value: "plc", count: 1 },
        ],
        sic_codes: [
          { value: "58110", count: 2 },
          { value: "58190", count: 1 },
        ],
        location: [{ value: "LLANDUDNO", count: 2 }],
      },
    });
    const one = await register.ask("/advanced-search/companies", { facets: "location" });
    expect(Object.keys((one as unknown as { facets: object }).facets)).toEqual(["location"]);
    expect(await register.ask("/advanced-search/companies", {})).not.toHaveProperty("facets");
  });

  test("of towns count companies as the filter finds them: anywhere in the address", async () => {
    const addresses = [
      { address_line_1: "Quay", locality: "Tarnby" },
      { address_line_1: "Tarnby Road", locality: "Odelham" },
      { address_line_1: "Mill Lane", locality: "Odelham", region: "Tarnby and Quillshire" },
      { address_line_1: "Harbour", locality: "Ödelham-on-Sea" },
      { address_line_1: "Nowhere", locality: "-" },
    ];
    const placed = addresses.map((registered_office_address, index) => {
      return { company_number: `0000000${index}`, company_name: "PLACED LTD", registered_office_address };
    });
    await register.add(placed);
    const ask = (query: RawQuery) =>
      register.ask("/advanced-search/companies", { company_name_includes: "placed", ...query });
    const [answer, found] = [await ask({ facets: "location" }), await ask({ location: "ODELHAM" })];
    await register.remove(placed);
    expect(answer).toMatchObject({
      facets: {
        location: [
          { value: "ODELHAM", count: 3 },
          { value: "TARNBY", count: 3 },
          { value: "ODELHAM-ON-SEA", count: 1 },
        ],
      },
    });
    expect(found).toMatchObject({ hits: 3 });
  });

  test("refuse an unknown facet", async () => {
    await expect(register.ask("/advanced-search/companies", { facets: "colour" })).rejects.toMatchObject({
      status: 400,
      details: [{ location: "facets" }],
    });
  });
});
