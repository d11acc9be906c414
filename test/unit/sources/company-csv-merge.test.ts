/** How a row of the company CSV changes a stored company. */
import { describe, expect, it } from "@jest/globals";
import { after, afterEditions, PLAIN, STREET, type Fields } from "../../support/company-rows.ts";

describe("a value that another source has stated and the row lacks", () => {
  it("stays", () => {
    const stored = {
      accounts: { accounting_reference_date: { day: 31, month: 3 }, next_accounts: { due_on: "2027-01-31" } },
      company_status: "registered",
      confirmation_statement: { next_due: "2027-01-31" },
      date_of_creation: "2010-02-01",
      has_charges: true,
      last_full_members_list_date: "2015-01-01",
      previous_company_names: [{ name: "OLD LTD", ceased_on: "2012-01-01" }],
      registered_office_address: STREET,
      sic_codes: ["62012"],
    };
    const row = { CompanyStatus: "", "SICCode.SicText_1": "None Supplied" };
    expect(after(stored, { ...row, "Accounts.AccountCategory": "NO ACCOUNTS FILED" })).toMatchObject(stored);
    expect(
      after(stored, row, /^(SICCode|RegAddress|PreviousName|Accounts|Mortgages|Conf|Returns)/),
    ).toMatchObject(stored);
  });

  it("stays if the row's value could not be read", () => {
    const stored = { company_status: "liquidation", date_of_creation: "2010-02-01", has_charges: true };
    const row = {
      CompanyStatus: "Brand New Status",
      IncorporationDate: "203/04/2017",
      "Mortgages.NumMortCharges": "many",
    };
    expect(after(stored, row)).toMatchObject(stored);
  });
});

describe("a value that the row gives", () => {
  it("replaces the value of the edition before", () => {
    const first = { ...PLAIN, "SICCode.SicText_1": "62012 - A", "SICCode.SicText_2": "62020 - B" };
    const second = {
      CompanyName: "RENAMED LTD",
      CompanyCategory: "Public Limited Company",
      CompanyStatus: "Liquidation",
      "RegAddress.AddressLine1": "2 LOW STREET",
      "RegAddress.PostTown": "YORK",
      "SICCode.SicText_1": "62020 - B",
      "PreviousName_1.CompanyName": "SAMPLE LTD",
      "PreviousName_1.CONDATE": "01/10/2026",
      "Mortgages.NumMortCharges": "1",
    };
    expect(afterEditions(first, second)).toEqual({
      company_name: "RENAMED LTD",
      company_number: "99000001",
      company_status: "liquidation",
      has_charges: true,
      jurisdiction: "england-wales",
      previous_company_names: [{ name: "SAMPLE LTD", ceased_on: "2026-10-01" }],
      registered_office_address: { address_line_1: "2 LOW STREET", locality: "YORK" },
      sic_codes: ["62020"],
      type: "plc",
    });
  });
});

it("a country of origin is replaced by another, together with the register that another source names", () => {
  const fields = { CompanyNumber: "FC990001", CountryOfOrigin: "GERMANY" };
  const detailsOf = (stored: object, given: Fields) =>
    after({ foreign_company_details: stored }, given).foreign_company_details;
  const name = "Handelsregister";
  const legal_form = "GmbH";
  expect(detailsOf({ legal_form, originating_registry: { country: "WEST GERMANY", name } }, fields)).toEqual({
    legal_form,
    originating_registry: { country: "GERMANY", name },
  });
  const stored = { originating_registry: { country: "Germany", name } };
  expect(detailsOf(stored, fields)).toEqual(stored);
  expect(detailsOf(stored, { ...fields, CountryOfOrigin: "" })).toEqual(stored);
});

describe("the detail of a status", () => {
  const STRIKE_OFF = "active-proposal-to-strike-off";

  it.each<[what: string, stored: object, status: string, detail: string | undefined]>([
    [
      "is kept with the same status, since the CSV has no word for it",
      { company_status: "active", company_status_detail: "transferred-from-uk" },
      "Active",
      "transferred-from-uk",
    ],
    [
      "is removed with another status",
      { company_status: "active", company_status_detail: "transferred-from-uk" },
      "Liquidation",
      undefined,
    ],
    [
      "to strike off is removed when the row no longer has it",
      { company_status: "active", company_status_detail: STRIKE_OFF },
      "Active",
      undefined,
    ],
    [
      "to strike off stays if the row has no status",
      { company_status: "active", company_status_detail: STRIKE_OFF },
      "",
      STRIKE_OFF,
    ],
    [
      "is replaced by the one that the row has",
      { company_status: "active", company_status_detail: "transferred-from-uk" },
      "Active - Proposal to Strike off",
      STRIKE_OFF,
    ],
  ])("%s", (_what, stored, status, detail) => {
    expect(after(stored, { CompanyStatus: status }).company_status_detail).toBe(detail);
  });

  it("is removed with the day of cessation when the company is live again", () => {
    const stored = { company_status: "dissolved", date_of_cessation: "2020-01-01" };
    expect(after(stored, {})).not.toHaveProperty("date_of_cessation");
    expect(after(stored, { CompanyStatus: "" })).toMatchObject(stored);
    expect(after(stored, { CompanyStatus: "Dissolved" })).toMatchObject(stored);
  });
});

describe("an address", () => {
  const addressAfter = (stored: object, fields: Fields, lacking?: RegExp) =>
    after({ registered_office_address: stored }, fields, lacking).registered_office_address;

  it.each<[what: string, stored: object, box?: string]>([
    ["premises separate from the street", STREET],
    ["a country by another name", { ...STREET, country: "United Kingdom" }],
    ["other punctuation and letter case", { ...STREET, premises: "1,", locality: "LEEDS." }],
    ["more than the row has", { ...STREET, address_line_2: "Old Town", care_of: "J. Doe" }],
    [
      "premises that include a part of the street",
      { ...STREET, premises: "1 High", address_line_1: "Street" },
    ],
    ["a PO box without the words", { ...STREET, po_box: "99" }, "PO BOX 99"],
    ["a PO box with the words", { ...STREET, po_box: "P.O. Box 99" }, "99"],
  ])("with %s stays if it is the same as the row's", (_what, stored, box = "") => {
    const fields = { ...PLAIN, "RegAddress.Country": "ENGLAND", "RegAddress.POBox": box };
    expect(addressAfter(stored, fields)).toMatchObject(stored);
  });

  it("takes the parts that only the row has", () => {
    expect(addressAfter(STREET, { ...PLAIN, "RegAddress.County": "WEST YORKSHIRE" })).toEqual({
      ...STREET,
      region: "WEST YORKSHIRE",
    });
  });

  it.each<[what: string, fields: Fields]>([
    ["another house", { "RegAddress.AddressLine1": "11 HIGH STREET" }],
    ["another town", { "RegAddress.PostTown": "YORK" }],
    ["another postcode", { "RegAddress.PostCode": "LS2 7ZZ" }],
    ["a box in the place of the street", { "RegAddress.AddressLine1": "", "RegAddress.POBox": "12" }],
  ])("is replaced whole by one with %s", (_what, fields) => {
    const moved = { ...PLAIN, ...fields };
    expect(addressAfter(STREET, moved)).toEqual(addressAfter({}, moved));
  });
});

it.each([
  ["FC990001", "JERSEY", { originating_registry: { country: "JERSEY" } }],
  ["FC990001", "United Kingdom", undefined],
  ["99000001", "JERSEY", undefined],
])(
  "the company %s of the country %s has the foreign details %j",
  (CompanyNumber, CountryOfOrigin, details) => {
    const { foreign_company_details } = after({}, { CompanyNumber, CountryOfOrigin });
    expect(foreign_company_details).toEqual(details);
  },
);

describe("former names", () => {
  const nameOf = (year: number) => ({
    name: `FORMER ${year} LTD`,
    effective_from: `${year - 1}-01-01`,
    ceased_on: `${year}-01-01`,
  });
  const fieldsOf = (years: number[]): Fields =>
    Object.fromEntries(
      years.flatMap((year, at) => [
        [`PreviousName_${at + 1}.CompanyName`, `FORMER ${year} LTD`],
        [`PreviousName_${at + 1}.CONDATE`, `01/01/${year}`],
      ]),
    );
  const years = (newest: number, count: number) => Array.from({ length: count }, (_, at) => newest - at);

  it("beyond the ten that a row has room for stay", () => {
    const names = years(2020, 12).map(nameOf);
    const fields = { ...fieldsOf(years(2020, 10)), IncorporationDate: "01/01/2000" };
    expect(after({ previous_company_names: names }, fields).previous_company_names).toEqual(names);
  });

  it("stay if a new one pushes the tenth out of the row", () => {
    const stored = afterEditions(fieldsOf(years(2019, 10)), fieldsOf(years(2020, 10)));
    expect(stored.previous_company_names?.map(({ ceased_on }) => ceased_on?.slice(0, 4))).toEqual(
      years(2020, 11).map(String),
    );
  });

  it.each([
    ["a later one", [2020, 2018]],
    ["the oldest one", [2020, 2019]],
  ])("are complete if a row has fewer than ten: %s is removed", (_which, row) => {
    const names = years(2020, 3).map(nameOf);
    expect(after({ previous_company_names: names }, fieldsOf(row)).previous_company_names).toEqual(
      row.map(nameOf),
    );
  });

  it("that are older than a full row stay, and no others, if the row has none of the stored names", () => {
    const names = [{ ...nameOf(2015), name: "MISREAD 2015 LTD" }, nameOf(2005)];
    const merged = after({ previous_company_names: names }, fieldsOf(years(2020, 10))).previous_company_names;
    expect(merged?.map(({ name }) => name)).toEqual(
      [...years(2020, 10), 2005].map((year) => nameOf(year).name),
    );
  });

  it("that a company had twice keep their own beginnings", () => {
    const names = [
      { name: "FORMER 2020 LTD", effective_from: "2018-06-07", ceased_on: "2020-01-01" },
      { name: "FORMER 2020 LTD", effective_from: "2003-04-05", ceased_on: "2010-01-01" },
    ];
    const row = { ...fieldsOf([2020, 2020]), "PreviousName_2.CONDATE": "01/01/2010" };
    expect(after({ previous_company_names: names }, row).previous_company_names).toEqual(names);
  });

  it("keep the beginning that only a richer source knew", () => {
    const names = [{ ...nameOf(2020), effective_from: "2003-04-05" }];
    const fields = { ...fieldsOf([2020]), IncorporationDate: "01/01/2000" };
    expect(after({ previous_company_names: names }, fields).previous_company_names).toEqual(names);
  });
});
