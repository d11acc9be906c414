import { describe, expect, it } from "@jest/globals";
import { RecordError } from "../../../api/shared/runtime/errors.ts";
import { readCompany, settleCompany } from "../../../api/resources/company-profile/normalise.ts";
import type { Members } from "../../../api/shared/values/members.ts";
import { companyRecord } from "../../../api/resources/company-profile/record.ts";

const PLAIN = { company_name: "SAMPLE LTD", company_number: "99000001", type: "ltd" };

function normalise(raw: Members) {
  const warnings: string[] = [];
  return { data: settleCompany(readCompany({ ...PLAIN, ...raw }, warnings)), warnings };
}

describe("a company", () => {
  it("invents nothing that the input lacks", () => {
    expect(normalise({})).toEqual({ data: { ...PLAIN, jurisdiction: "england-wales" }, warnings: [] });
  });

  it("treats null, empty texts and empty objects as absent", () => {
    const raw = {
      company_status: null,
      date_of_creation: "",
      accounts: { accounting_reference_date: { day: "", month: "" }, last_accounts: null },
      confirmation_statement: {},
      registered_office_address: { address_line_1: "" },
      sic_codes: [],
      previous_company_names: [],
      links: null,
    };
    expect(normalise(raw)).toEqual(normalise({}));
  });

  it("trims the ends of a name and keeps its inner double spaces", () => {
    expect(normalise({ company_name: " DOUBLE  SPACE LTD " }).data.company_name).toBe("DOUBLE  SPACE LTD");
  });

  it.each([
    [{ company_name: " " }, "company_name", "is missing"],
    [{ company_number: "" }, "company_number", "is missing"],
    [{ company_number: "9.9E+07" }, "company_number", '"9.9E+07" is not a company number'],
    [{ type: null }, "type", "is missing"],
  ])("refuses %j", (raw, field, reason) => {
    const refused = new RecordError(reason, field);
    expect(() => normalise(raw)).toThrow(refused);
  });

  it.each([
    [{ date_of_creation: "31/02/2020" }, "date_of_creation left out: not a valid date"],
    [{ date_of_creation: "01/01/2999" }, "date_of_creation left out: too far in the future"],
    [{ has_charges: "many" }, "has_charges left out: not true or false"],
    [{ sic_codes: ["printing"] }, "sic_codes left out: not a SIC code"],
    [
      { branch_company_details: { parent_company_number: "?" } },
      "branch_company_details.parent_company_number left out: not a company number",
    ],
    [
      { accounts: { accounting_reference_date: { day: "31", month: "02" } } },
      "accounts.accounting_reference_date left out: no day of a year",
    ],
    [{ registered_office_address: "1 High Street" }, "registered_office_address left out: not an object"],
    [{ registered_office_address: ["1 High Street"] }, "registered_office_address left out: not an object"],
    [{ registered_office_address: [] }, "registered_office_address left out: not an object"],
    [
      { registered_office_address: { postal_code: ["RG1 9ZZ"] } },
      "registered_office_address.postal_code left out: not a text",
    ],
    [{ service_address: 1 }, "service_address left out: not an object"],
    [{ sic_codes: { a: 1 } }, "sic_codes left out: not a text"],
    [{ sic_codes: [["62012"]] }, "sic_codes left out: not a text"],
    [
      { accounts: { accounting_reference_date: "31-03" } },
      "accounts.accounting_reference_date left out: not an object",
    ],
    [{ accounts: { next_accounts: "2027-04-30" } }, "accounts.next_accounts left out: not an object"],
    [{ date_of_creation: ["2020-01-01"] }, "date_of_creation left out: not a valid date"],
    [{ company_status: { status: "active" } }, "company_status left out: not a text"],
    [{ has_charges: [true] }, "has_charges left out: not true or false"],
    [{ term: true }, "term left out: not a text"],
  ])("loses a value that cannot be used, with a warning: %j", (raw, warning) => {
    expect(normalise(raw)).toEqual({ data: normalise({}).data, warnings: [warning] });
  });

  it("reads day and month as text or number", () => {
    const dates = [
      { day: "31", month: "03" },
      { day: 31, month: 3 },
    ].map((date) => normalise({ accounts: { accounting_reference_date: date } }).data.accounts);
    expect(dates[0]).toEqual({ accounting_reference_date: { day: 31, month: 3 } });
    expect(dates[1]).toEqual(dates[0]);
  });

  it("reads deprecated members if the members that replace them are absent", () => {
    const { data } = normalise({
      accounts: {
        next_due: "2027-04-30",
        next_made_up_to: "2026-07-31",
        last_accounts: { made_up_to: "2025-07-31" },
      },
      is_community_interest_company: true,
      links: { charges: "/company/99000001/charges", insolvency: "/company/99000001/insolvency" },
    });
    expect(data).toMatchObject({
      accounts: {
        next_accounts: { due_on: "2027-04-30", period_end_on: "2026-07-31" },
        last_accounts: { period_end_on: "2025-07-31" },
      },
      subtype: "community-interest-company",
      has_charges: true,
      has_insolvency_history: true,
    });
  });

  it("trusts a link more than the deprecated flag beside it", () => {
    const links = { charges: "/company/99000001/charges", insolvency: "/company/99000001/insolvency" };
    const { data } = normalise({ links, has_charges: false, has_insolvency_history: false });
    expect(data).toMatchObject({ has_charges: true, has_insolvency_history: true });
    expect(normalise({ links: {}, has_charges: false }).data).toMatchObject({ has_charges: false });
  });

  it("reads one nature of business without its list", () => {
    expect(normalise({ sic_codes: "62012" }).data.sic_codes).toEqual(["62012"]);
  });

  it("lists each nature of business once, in the given order", () => {
    const sic_codes = ["62012", "1110", "62012"];
    expect(normalise({ sic_codes }).data.sic_codes).toEqual(["62012", "1110"]);
  });

  it("stores nothing that is computed when it is read", () => {
    const computed = { can_file: true, links: { self: "/company/99000001" } };
    expect(normalise(computed).data).toEqual(normalise({}).data);
  });

  it("derives the next confirmation date from the due date, unless it is given", () => {
    const statement = (raw: object) => normalise({ confirmation_statement: raw }).data.confirmation_statement;
    expect(statement({ next_due: "14/03/2027" })?.next_made_up_to).toBe("2027-02-28");
    expect(statement({ next_due: "2021-02-07", next_made_up_to: "2020-12-27" })?.next_made_up_to).toBe(
      "2020-12-27",
    );
  });

  it("keeps dates of the annual return only from its own time", () => {
    const annualReturn = (raw: object) => normalise({ annual_return: raw }).data.annual_return;
    expect(annualReturn({ next_due: "2016-07-27", next_made_up_to: "2016-07-29" })).toEqual({
      next_due: "2016-07-27",
      next_made_up_to: "2016-07-29",
    });
    expect(annualReturn({ next_due: "2016-07-28", next_made_up_to: "2016-07-30" })).toBeUndefined();
  });

  it("reads the names that live answers give to foreign details", () => {
    const details = { legal_form: "GmbH", is_a_credit_financial_institution: "false" };
    expect(normalise({ foreign_company_details: details }).data.foreign_company_details).toEqual({
      company_type: "GmbH",
      is_a_credit_finance_institution: false,
    });
  });

  it("keeps annotations that have a type, and no others", () => {
    const known = { type: "other", created_on: "01/02/2020", description: "Sample" };
    const { data } = normalise({ corporate_annotation: [known, { description: "Another" }] });
    expect(data.corporate_annotation).toEqual([{ ...known, created_on: "2020-02-01" }]);
  });

  it("derives from the prefix of its number which other register has its data", () => {
    expect(normalise({ company_number: "ip99123r" }).data).toMatchObject({
      company_number: "IP99123R",
      partial_data_available: "full-data-available-from-financial-conduct-authority-mutuals-public-register",
    });
  });
});

describe("former names", () => {
  const namesOf = (names: object[], createdOn?: string) =>
    normalise({ previous_company_names: names, date_of_creation: createdOn }).data.previous_company_names;

  it("are sorted newest first, each from the end of the one before", () => {
    const names = [
      { name: "FIRST LTD", ceased_on: "2005-01-01" },
      { name: "SECOND\nLTD", ceased_on: "01/06/2010" },
    ];
    expect(namesOf(names, "1999-12-31")).toEqual([
      { name: "SECOND LTD", effective_from: "2005-01-01", ceased_on: "2010-06-01" },
      { name: "FIRST LTD", effective_from: "1999-12-31", ceased_on: "2005-01-01" },
    ]);
  });

  it("keep a beginning that the source gives", () => {
    const names = [{ name: "FIRST LTD", effective_from: "2001-01-01", ceased_on: "2005-01-01" }];
    expect(namesOf(names, "1999-12-31")?.[0]?.effective_from).toBe("2001-01-01");
  });

  it("have no beginning after their end", () => {
    expect(namesOf([{ name: "FIRST LTD", ceased_on: "2005-01-01" }], "2010-01-01")).toEqual([
      { name: "FIRST LTD", ceased_on: "2005-01-01" },
    ]);
  });

  it("keep the given order and lose only the date when an end is impossible", () => {
    const names = [
      { name: "SECOND LTD", ceased_on: "31/02/2010" },
      { name: "FIRST LTD", ceased_on: "2005-01-01" },
    ];
    expect(namesOf(names)).toEqual([
      { name: "SECOND LTD", effective_from: "2005-01-01" },
      { name: "FIRST LTD", ceased_on: "2005-01-01" },
    ]);
  });

  it("leave the tenth name's beginning open, because older names may be missing", () => {
    const names = Array.from({ length: 10 }, (_, n) => ({
      name: `NAME ${n} LTD`,
      ceased_on: `201${n}-01-01`,
    }));
    expect(namesOf(names, "2000-01-01")?.at(-1)).toEqual({ name: "NAME 0 LTD", ceased_on: "2010-01-01" });
  });
});

describe("an API-shaped profile", () => {
  const load = (data: Members) => {
    const address = {
      kind: "company-profile",
      uri: `/company/${PLAIN.company_number}`,
      id: PLAIN.company_number,
    };
    const warnings: string[] = [];
    const profile = companyRecord.incoming?.normalise({ ...address, data: { ...PLAIN, ...data } }, warnings);
    return { profile, warnings };
  };

  it("loses days of the annual return after the confirmation statement took its place, with a warning", () => {
    const { profile, warnings } = load({
      annual_return: { last_made_up_to: "2015-09-01", next_due: "2016-09-29", next_made_up_to: "2016-07-29" },
    });
    expect(profile?.annual_return).toEqual({ last_made_up_to: "2015-09-01", next_made_up_to: "2016-07-29" });
    expect(warnings).toEqual([
      "annual_return.next_due left out: the confirmation statement has taken its place",
    ]);
  });

  it("may have long texts about a foreign company", () => {
    const text = "x".repeat(4000);
    const { profile } = load({
      branch_company_details: { business_activity: text },
      foreign_company_details: {
        business_activity: text,
        company_type: text,
        governed_by: text,
        originating_registry: { name: text },
      },
      term: text,
    });
    expect(companyRecord.check(profile)).toBeNull();
    expect(JSON.stringify(profile).split(text)).toHaveLength(7);
  });
});

describe("the stored profile", () => {
  it.each([
    [{ type: "" }, "type"],
    [{ date_of_creation: "2020-02-31" }, "date_of_creation"],
    [{ company_number: "99" }, "company_number"],
    [{ company_name: "x".repeat(301) }, "company_name"],
    [{ can_file: true }, ""],
  ])("does not hold %j", (wrong, field) => {
    expect(companyRecord.check({ ...PLAIN, ...wrong })?.field).toBe(field);
  });
});
