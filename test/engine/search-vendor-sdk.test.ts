/** The vendor's own client, unmodified, asks the alphabetical, the dissolved and the advanced search. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createApiClient } from "@companieshouse/api-sdk-node";
import { openRegister, TEST_KEY, type TestRegister } from "../support/register.ts";

let register: TestRegister;
let client: ReturnType<typeof createApiClient>;

beforeAll(async () => {
  register = await openRegister();
  const { exitCode } = await register.load("companies/dissolved-extract.csv");
  expect(exitCode).toBe(0);
  client = createApiClient(TEST_KEY, undefined, register.base);
});
afterAll(() => register.close());

describe("the vendor's SDK", () => {
  it("walks the alphabet by its own names of the cursors", async () => {
    const { resource } = await client.alphabeticalSearch.getCompanies(
      "gone sample",
      "request-1",
      null,
      null,
      20,
    );
    expect(resource?.top_hit).toMatchObject({ company_number: "99090004", company_type: "ltd" });
    const key = resource?.top_hit.ordered_alpha_key_with_id ?? "";
    const search = client.alphabeticalSearch;
    const above = await search.getCompanies("gone sample", "request-2", key, null, 1);
    const below = await search.getCompanies("gone sample", "request-3", null, key, 1);
    expect(above.resource?.items).toMatchObject([{ company_name: "GLEN GONE LIMITED" }]);
    expect(below.resource?.items).toMatchObject([{ company_name: "LAGAN GONE LIMITED" }]);
  });

  it.each([
    ["bestMatch", "quillfeather widgets", "search#dissolved"],
    ["previousNameDissolved", "once called sample 0", "search#previous-name-dissolved"],
  ])("reads the dissolved search by %s", async (type, q, kind) => {
    const { resource } = await client.dissolvedSearch.getCompanies(q, "request-1", type, 0, null, null, null);
    expect(resource).toMatchObject({ kind, top_hit: { company_number: "99090001" } });
  });

  it("learns that nothing was found", async () => {
    const answer = await client.alphabeticalSearch.getCompanies("00000", "request-1", null, null, 20);
    expect(answer).toMatchObject({ httpStatusCode: 404 });
  });
});

it("the advanced search answers to the parameters that the SDK sends", async () => {
  const query = "start_index=0&company_name_includes=gone&company_status=dissolved&size=2";
  const { status, body } = await register.get(`/advanced-search/companies?${query}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ hits: 3, top_hit: { company_name: "GLEN GONE LIMITED" } });
});

it.each([
  ["/advanced-search/companies?size=5001", 422, "size"],
  ["/advanced-search/companies?size=5000&start_index=6000", 416, "start_index"],
  ["/dissolved-search/companies?q=gone", 400, "search_type"],
])("%s is refused with %d and names the parameter", async (path, status, location) => {
  expect(await register.get(path)).toMatchObject({
    status,
    body: { errors: [{ type: "ch:validation", location_type: "query-parameter", location }] },
  });
});
