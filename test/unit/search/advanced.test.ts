/** The advanced search without an engine: query bodies, items, and refused parameters. */
import { describe, expect, test } from "@jest/globals";
import { parseQuery, type RawQuery } from "../../../api/shared/schemas/query-parameters.ts";
import { searchAdvancedCompanies as search } from "../../../api/search/advanced-companies.ts";
import { answerOf, askedBodies, companyHit, TODAY } from "../../support/company-searches.ts";
import { expectStored } from "../../support/stored-queries.ts";

const read = (query: RawQuery) => parseQuery(search.parameters, query);
const build = async (query: RawQuery) => (await askedBodies(search, read(query))).flat();

describe("query bodies", () => {
  test.each<[string, RawQuery]>([
    ["advanced-none", {}],
    [
      "advanced-all",
      {
        company_name_includes: "H.W. Tarn & Sons",
        company_name_excludes: "holdings ltd",
        company_status: "Active,dissolved",
        company_type: ["plc", "ltd"],
        company_subtype: "community-interest-company",
        sic_codes: "11050, 56302",
        incorporated_from: "2010-01-01",
        incorporated_to: "2010-12-31",
        dissolved_from: "2019-01-01",
        dissolved_to: "2019-12-31",
        location: "O'Quill Lane, Tarnby",
        size: "100",
        start_index: "200",
      },
    ],
  ])("are those stored as %s", async (name, query) => {
    expectStored(name, await build(query));
  });
});

describe("refuses", () => {
  test.each([
    [{ company_status: "active,asleep" }, 400, "company_status"],
    [{ company_type: "LTD" }, 400, "company_type"],
    [{ company_subtype: "slp" }, 400, "company_subtype"],
    [{ incorporated_from: "2010-02-30" }, 400, "incorporated_from"],
    [{ incorporated_to: "31/12/2010" }, 400, "incorporated_to"],
    [{ dissolved_from: "20101231" }, 400, "dissolved_from"],
    [{ dissolved_to: "soon" }, 400, "dissolved_to"],
    [{ company_name_includes: "t".repeat(161) }, 400, "company_name_includes"],
    [{ size: "many" }, 400, "size"],
    [{ size: "0" }, 422, "size"],
    [{ size: "-1" }, 422, "size"],
    [{ size: "5001" }, 422, "size"],
    [{ start_index: "9990" }, 416, "start_index"],
  ])("%j with %d", async (query, status, location) => {
    await expect(build(query as RawQuery)).rejects.toEqual(
      expect.objectContaining({
        status,
        details: [expect.objectContaining({ type: "ch:validation", location }) as unknown],
      }),
    );
  });

  test("all wrong values at once", async () => {
    await expect(build({ company_status: "x", dissolved_to: "y" })).rejects.toEqual(
      expect.objectContaining({ status: 400, details: [expect.anything(), expect.anything()] }),
    );
  });
});

test("treats a negative offset as 0, and ignores empty conditions", () => {
  expect(read({ start_index: "-5", sic_codes: ",", company_status: "" })).toMatchObject({
    start_index: 0,
    size: 20,
    sic_codes: [],
    company_status: [],
  });
});

describe("an item", () => {
  const address = { care_of: "Odile", premises: "12", address_line_1: "Quill Lane", postal_code: "TA1 1ZZ" };
  const itemOf = (changes: Parameters<typeof companyHit>[0]) =>
    (answerOf(search, read({}), [companyHit(changes)]) as { items: unknown[] }).items[0];

  test("has every member", () => {
    expect(
      itemOf({
        company_status: "dissolved",
        date_of_cessation: "2019-01-31",
        subtype: "community-interest-company",
        sic_codes: ["11050"],
        registered_office_address: address,
      }),
    ).toEqual({
      kind: "search-results#company",
      company_name: "TARNWICK PRESS LIMITED",
      company_number: "00912345",
      company_status: "dissolved",
      company_type: "ltd",
      company_subtype: "community-interest-company",
      date_of_creation: "2005-12-02",
      date_of_cessation: "2019-01-31",
      registered_office_address: {
        premises: "12",
        address_line_1: "Quill Lane",
        postal_code: "TA1 1ZZ",
      },
      sic_codes: ["11050"],
      links: { company_profile: "/company/00912345" },
    });
  });

  test("shows a cessation only for companies that have ended", () => {
    expect(itemOf({ company_status: "liquidation", date_of_cessation: "2019-01-31" })).not.toHaveProperty(
      "date_of_cessation",
    );
  });
});

test("the etag is the same for the same content alone", () => {
  const answer = (number: string) => answerOf(search, read({}), [companyHit({ company_number: number })]);
  expect(answer("00000001").etag).toBe(answer("00000001").etag);
  expect(answer("00000001").etag).not.toBe(answer("00000002").etag);
});

test("an answer tells how many companies were found, not only how many it shows", () => {
  expect(search.mapResponse({ total: 3, hits: [] }, read({}), { today: TODAY })).toMatchObject({ hits: 3 });
});
