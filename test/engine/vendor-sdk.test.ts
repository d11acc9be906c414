/** The vendor's own client, unmodified, reads each resource and search that it knows. */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { createApiClient } from "@companieshouse/api-sdk-node";
import { forAllTests } from "../support/for-all-tests.ts";
import { openLoadedSample } from "../support/loaded-sample.ts";
import { TEST_KEY } from "../support/register.ts";
import { SAMPLE } from "../support/sample-register.ts";
import facts from "../fixtures/register/facts.json" with { type: "json" };

const register = forAllTests(openLoadedSample);
let client: ReturnType<typeof createApiClient>;
beforeAll(() => {
  client = createApiClient(TEST_KEY, undefined, register.base);
});

describe("the vendor's SDK", () => {
  it("reads a company profile, its deprecated members and links included", async () => {
    const { httpStatusCode, resource } = await client.companyProfile.getCompanyProfile("99000064");
    expect(httpStatusCode).toBe(200);
    expect(resource).toMatchObject({
      companyName: "QUILLFEATHER HOLDINGS LIMITED",
      companyNumber: "99000064",
      companyStatus: "active",
      type: "ltd",
      dateOfCreation: "2007-07-07",
      hasCharges: true,
      accounts: { nextAccounts: { periodEndOn: "2026-07-31" }, nextDue: "2027-04-30" },
      registeredOfficeAddress: { addressLineOne: "62 Pretend Avenue" },
    });
  });

  it("reads the legal form of an overseas company under the name that live answers use", async () => {
    const { resource } = await client.companyProfile.getCompanyProfile("FC099001");
    expect(resource?.foreignCompanyDetails).toMatchObject({
      legalForm: "Gesellschaft Mit Beschränkter Haftung",
    });
  });

  it("reports that a company does not exist", async () => {
    expect(await client.companyProfile.getCompanyProfile("98999999")).toMatchObject({ httpStatusCode: 404 });
  });

  it("reads the officers of a company and each appointment", async () => {
    const { resource } = await client.companyOfficers.getCompanyOfficers("99000064", 35, 0, false, "surname");
    expect(Number(resource?.totalResults)).toBe(resource?.items.length);
    const [officer] = resource?.items ?? [];
    const self = (officer?.links as { self?: string } | undefined)?.self ?? "";
    const appointment = await client.companyOfficers.getCompanyAppointment(
      "99000064",
      self.split("/").at(-1) ?? "",
    );
    expect(appointment.resource).toMatchObject({ name: officer?.name, officerRole: officer?.officerRole });
  });

  it("reads the filing history", async () => {
    const { resource } = await client.companyFilingHistory.getCompanyFilingHistory("99000064");
    expect(resource).toMatchObject({ totalCount: facts.api_shaped.filings_by_company["99000064"] });
  });

  it("reads the filings of a category", async () => {
    const { resource } = await client.companyFilingHistory.getCompanyFilingHistory("99000025", "accounts");
    expect(resource?.items.length).toBeGreaterThan(0);
    expect(new Set(resource?.items.map(({ category }) => category))).toEqual(new Set(["accounts"]));
  });

  it("reads the persons with significant control", async () => {
    const { httpStatusCode, resource } = await client.companyPsc.getCompanyPsc("99000065");
    expect(httpStatusCode).toBe(200);
    expect(resource?.items.length).toBeGreaterThan(0);
    expect(Number(resource?.totalResults)).toBe(resource?.items.length);
  });

  it("reads the statements of persons with significant control", async () => {
    const company = firstCompanyWithStatement();
    const answer = await client.companyPscStatements.getCompanyPscStatements(company, 25, 0);
    expect(answer).toMatchObject({
      httpStatusCode: 200,
      resource: { items: [{ statement: expect.any(String) }] },
    });
  });

  it("reads the advanced search, though it escapes the address as a whole", async () => {
    const none = null;
    const { httpStatusCode, resource } = await client.advancedSearch.getCompanies(
      ...([0, "zeros sample", "two", none, none, none, none, "active", none, none, none, none] as const),
      ...([10, "a-request"] as const),
    );
    expect(httpStatusCode).toBe(200);
    expect(resource?.items.map(({ company_number }) => company_number)).toEqual(["00099061"]);
  });

  it("walks the alphabet with its own cursor names", async () => {
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
    expect(above.resource?.items).toMatchObject([{ company_name: "GLEN NOWHERE HYDRO LIMITED" }]);
    expect(below.resource?.items).toMatchObject([{ company_name: "GRIBBLESWORTH TRAINING LIMITED" }]);
  });

  it.each([
    ["bestMatch", "quillfeather widgets", "search#dissolved"],
    ["previousNameDissolved", "once called sample 0", "search#previous-name-dissolved"],
  ])("reads the dissolved search by %s", async (type, q, kind) => {
    const { resource } = await client.dissolvedSearch.getCompanies(q, "request-1", type, 0, null, null, null);
    expect(resource).toMatchObject({ kind, top_hit: { company_number: "99090001" } });
  });

  it("reports that a search has found nothing", async () => {
    const answer = await client.alphabeticalSearch.getCompanies("00000", "request-1", null, null, 20);
    expect(answer).toMatchObject({ httpStatusCode: 404 });
  });
});

/** The number of a sample company with a statement. */
function firstCompanyWithStatement(): string {
  const text = readFileSync(`${SAMPLE}/psc/psc-snapshot-2026-11-01_2of2.txt`, "utf8");
  const line =
    text.split("\n").find((row) => row.includes('"persons-with-significant-control-statement"')) ?? "{}";
  return (JSON.parse(line) as { company_number: string }).company_number;
}
