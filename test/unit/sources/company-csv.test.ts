import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import type { CompanyProfile } from "../../../api/resources/company-profile/members.ts";
import { companyCsv } from "../../../ingest/sources/company-csv.ts";
import { dataOf, faultsOf, mapFile } from "../../support/snapshot-files.ts";
import { SAMPLE } from "../../support/sample-register.ts";

const PARTS = ["BasicCompanyData-2026-11-01-part1_2.csv", "BasicCompanyData-2026-11-01-part2_2.csv"];

interface Facts {
  companies: {
    rows: number;
    by_prefix: Record<string, number>;
    with_previous_names: number;
    previous_names: number;
    without_sic: number;
    with_mortgages: number;
    without_incorporation_date: string[];
    expect: Record<string, Record<string, unknown>>;
  };
}

const facts = JSON.parse(readFileSync(`${SAMPLE}/facts.json`, "utf8")) as Facts;
const map = async (file: string) => (await mapFile(companyCsv, `companies/${file}`)).outcomes;

const outcomes = (await Promise.all(PARTS.map((part) => map(part)))).flat();
const companies = dataOf<CompanyProfile>(outcomes);
const companyOf = (number: string) => companies.find((company) => company.company_number === number);

describe("the live companies", () => {
  it("are all there, without a warning", () => {
    expect(companies).toHaveLength(facts.companies.rows);
    expect(outcomes.filter((outcome) => outcome.kind !== "record" || outcome.warnings)).toEqual([]);
  });

  it.each([...PARTS, "dissolved-extract.csv", "BasicCompanyData-real-rows-2021.csv"])(
    "of %s obey the schema",
    async (file) => {
      expect(faultsOf(await map(file))).toEqual([]);
    },
  );

  it("have the numbers, dates, codes, names and charges that the facts count", () => {
    const counted = {
      with_previous_names: companies.filter((company) => company.previous_company_names).length,
      previous_names: companies.flatMap((company) => company.previous_company_names ?? []).length,
      without_sic: companies.filter((company) => !company.sic_codes).length,
      with_mortgages: companies.filter((company) => company.has_charges).length,
      without_incorporation_date: companies
        .filter((company) => !company.date_of_creation)
        .map((company) => company.company_number)
        .sort(),
    };
    expect(facts.companies).toMatchObject(counted);
  });

  it("have the prefixes that the facts count", () => {
    const counts: Record<string, number> = {};
    for (const { company_number: number } of companies) {
      const prefix = /^\d/.test(number) ? "digits" : number.slice(0, 2);
      counts[prefix] = (counts[prefix] ?? 0) + 1;
    }
    expect(counts).toEqual(facts.companies.by_prefix);
  });

  it("have every value of a full row", () => {
    expect(companyOf("99000020")).toMatchObject({
      type: "ltd",
      company_status: "active",
      jurisdiction: "england-wales",
      date_of_creation: "2005-04-04",
      has_charges: false,
    });
    expect(companyOf("99000002")).toEqual({
      company_name: '"ZEPHYRDALE" QUOTED NAME LIMITED',
      company_number: "99000002",
      type: "ltd",
      company_status: "active",
      date_of_creation: "2011-02-28",
      jurisdiction: "england-wales",
      has_charges: false,
      accounts: {
        accounting_reference_date: { day: 28, month: 2 },
        last_accounts: { period_end_on: "2025-02-28", type: "total-exemption-full" },
        next_accounts: { due_on: "2026-11-30" },
      },
      confirmation_statement: {
        last_made_up_to: "2026-02-28",
        next_due: "2027-03-14",
        next_made_up_to: "2027-02-28",
      },
      last_full_members_list_date: "2015-02-28",
      registered_office_address: {
        address_line_1: 'THE "OLD" MOCK MILL',
        address_line_2: "IMAGINARY LANE",
        locality: "LEEDS",
        region: "WEST YORKSHIRE",
        country: "England",
        postal_code: "LS1 4ZZ",
      },
      sic_codes: ["82990"],
    });
  });
});

describe("the expectations in the facts about single companies", () => {
  /** Expectations that equal the stored member of the same name, with "absent" for undefined. */
  const MEMBERS = [
    "company_name",
    "company_number",
    "company_status",
    "company_status_detail",
    "date_of_creation",
    "has_charges",
    "previous_company_names",
    "sic_codes",
  ] as const;

  it.each(Object.entries(facts.companies.expect))("hold for the members of %s", (number, expected) => {
    const company = companyOf(number);
    const named = MEMBERS.filter((member) => member in expected);
    const stored = Object.fromEntries(named.map((member) => [member, company?.[member] ?? "absent"]));
    expect(company).toBeDefined();
    expect(expected).toMatchObject(stored);
  });

  const expected = facts.companies.expect;

  it("hold for addresses", () => {
    const address = (number: string) => companyOf(number)?.registered_office_address;
    expect(address("99000002")?.address_line_1).toBe(expected["99000002"]?.first_address_line);
    expect(address("99000014")?.locality).toBe(expected["99000014"]?.locality);
    // The backslash after this postcode is data of the field, but not part of a postcode.
    expect(address("99000017")?.postal_code).toBe("WF2 4ZZ");
    expect(address("99000029")?.postal_code).toBe("RG1 9ZZ");
    expect(address("99000030")).toEqual({
      address_line_1: "30 EXAMPLE COURT",
      address_line_2: "READING",
      postal_code: "RG1 9ZZ",
    });
    expect(address("99000031")).not.toHaveProperty("region");
    expect(address("99000032")).toMatchObject({ country: "FRANCE", postal_code: "69000" });
    expect(address("CE099001")).toBeUndefined();
  });

  it("hold for names", () => {
    const names = companyOf("99000018")?.previous_company_names ?? [];
    expect(companyOf("99000015")?.company_name).toHaveLength(160);
    expect(names).toHaveLength(10);
    expect(names[0]?.name).toBe(expected["99000018"]?.newest);
    expect(names[9]?.name).toBe(expected["99000018"]?.oldest);
  });

  it("hold for accounts and statements", () => {
    const { accounts, confirmation_statement: statement } = companyOf("99000069") ?? {};
    expect(accounts).not.toHaveProperty("last_accounts");
    expect(accounts?.next_accounts?.due_on).toBe(expected["99000069"]?.accounts_next_due);
    expect(statement?.next_due).toBe(expected["99000069"]?.confirmation_next_due);
    expect(companyOf("99000028")?.accounts?.last_accounts?.type).toBe("no-accounts-type-available");
    expect(companyOf("99000027")?.accounts?.last_accounts).not.toHaveProperty("type");
  });

  it("hold for companies of other countries", () => {
    expect(companyOf("FC099001")).toMatchObject({
      type: "oversea-company",
      foreign_company_details: { originating_registry: { country: "GERMANY" } },
      accounts: { accounting_reference_date: { day: 31, month: 5 } },
    });
    for (const number of ["FC099001", "FC099002", "FC099003", "FC099004", "SF099001"]) {
      expect(companyOf(number)).not.toHaveProperty("confirmation_statement");
    }
    expect(companyOf("OE099001")).toMatchObject({
      type: "registered-overseas-entity",
      company_status: "registered",
      confirmation_statement: { next_due: "2027-10-17" },
    });
  });

  it("hold for the date that the file gives for charitable bodies", () => {
    expect(companyOf("CE099001")?.date_of_creation).toBe(expected.CE099001?.date_of_creation_in_file);
  });
});

describe("dissolved companies", () => {
  it("have their status and the day they ended", async () => {
    const dissolved = dataOf<CompanyProfile>(await map("dissolved-extract.csv"));
    expect(dissolved).toHaveLength(12);
    expect(dissolved.find((company) => company.company_number === "99090008")).toMatchObject({
      type: "plc",
      company_status: "dissolved",
      date_of_cessation: "2026-08-27",
    });
  });
});
