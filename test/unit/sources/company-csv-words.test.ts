import { describe, expect, it } from "@jest/globals";
import type { CompanyProfile } from "../../../api/resources/company-profile/members.ts";
import { companyCsv } from "../../../ingest/sources/company-csv.ts";
import { PARTS, readLines } from "../../support/load-command.ts";
import { dataOf, faultsOf } from "../../support/snapshot-files.ts";

describe("the words of the format", () => {
  const HEADER =
    "CompanyName,CompanyNumber,CompanyCategory,CompanyStatus,Accounts.AccountCategory,Accounts.LastMadeUpDate";
  const context = companyCsv.open({ line: 1, text: HEADER }, "x.csv");

  function mapRow(words: Partial<Record<"name" | "number" | "category" | "status" | "accounts", string>>) {
    const { name = "SAMPLE LTD", number = "99000001", category = "Private Limited Company" } = words;
    const { status = "Active", accounts = "" } = words;
    const text = [name, number, category, status, accounts, ""].map((field) => `"${field}"`).join(",");
    return companyCsv.mapRows([{ line: 2, text }], context)[0];
  }

  it.each([
    ["Private Limited Company", "ltd"],
    ["PRIVATE LIMITED COMPANY", "ltd"],
    ["PRI/LTD BY GUAR/NSC (Private, limited by guarantee, no share capital)", "private-limited-guarant-nsc"],
    ["PRI/LTD BY GUAR/NSC", "private-limited-guarant-nsc"],
    [
      "PRI/LBG/NSC (Private, Limited by guarantee, no share capital, use of 'Limited' exemption)",
      "private-limited-guarant-nsc-limited-exemption",
    ],
    ["PRI/LBG/NSC (Private, Limited by gua", "private-limited-guarant-nsc-limited-exemption"],
    ["Limited Partnership", "limited-partnership"],
    ["Limited Liability Partnership", "llp"],
    ["Charitable Incorporated Organisation", "charitable-incorporated-organisation"],
    ["Scottish Charitable Incorporated Organisation", "scottish-charitable-incorporated-organisation"],
    ["Overseas Entity", "registered-overseas-entity"],
    ["Other Company Type", "other"],
    ["Registered Society", "registered-society-non-jurisdictional"],
    ["Private Unlimited Company", "private-unlimited"],
    ["Private Unlimited", "private-unlimited-nsc"],
    ["Public Limited Company", "plc"],
    ["Royal Charter Company", "royal-charter"],
    ["Investment Company with Variable Capital", "investment-company-with-variable-capital"],
    ["Investment Company with Variable Capital(Umbrella)", "icvc-umbrella"],
    ["Investment Company with Variable Capital (Umbrella)", "icvc-umbrella"],
    ["Investment Company with Variable Capital (Securities)", "icvc-securities"],
    ["United Kingdom Economic Interest Grouping", "ukeig"],
    ["Scottish Partnership", "scottish-partnership"],
    ["Industrial and Provident Society", "industrial-and-provident-society"],
    ["Old Public Company", "old-public-company"],
    [
      "PRIV LTD SECT. 30 (Private limited company, section 30 of the Companies Act)",
      "private-limited-shares-section-30-exemption",
    ],
    ["United Kingdom Societas", "united-kingdom-societas"],
    ["European Public Limited-Liability Company (SE)", "european-public-limited-liability-company-se"],
    ["Protected Cell Company", "protected-cell-company"],
    ["Further Education and Sixth Form College Corps", "further-education-or-sixth-form-college-corporation"],
    ["Converted/Closed", "converted-or-closed"],
  ])("category %s is %s", (category, type) => {
    const outcome = mapRow({ category });
    expect(outcome).toMatchObject({ kind: "record", data: { type } });
    expect(outcome).not.toHaveProperty("warnings");
    expect(faultsOf(outcome ? [outcome] : [])).toEqual([]);
  });

  it.each([
    ["FC099001", "oversea-company"],
    ["NF099001", "oversea-company"],
    ["AC099001", "assurance-company"],
    ["ZC000991", "unregistered-company"],
    ["GE000991", "eeig"],
    ["99000001", "other"],
  ])("category 'other' of %s is %s", (number, type) => {
    expect(mapRow({ number, category: "Other company type" })).toMatchObject({ data: { type } });
  });

  it.each([
    ["SAMPLE PLC", "plc"],
    ["SAMPLE COMMUNITY INTEREST PLC", "plc"],
    ["SAMPLE CIC", "private-limited-guarant-nsc"],
  ])("community interest company %s is %s", (name, type) => {
    expect(mapRow({ name, category: "Community Interest Company" })).toMatchObject({
      data: { type, subtype: "community-interest-company" },
    });
  });

  it.each([
    ["Active", "active"],
    ["  active  ", "active"],
    ["Active  -  Proposal to Strike off", "active"],
    ["Liquidation", "liquidation"],
    ["In Administration", "administration"],
    ["ADMINISTRATION ORDER", "administration"],
    ["Voluntary Arrangement", "voluntary-arrangement"],
    ["RECEIVERSHIP", "receivership"],
    ["ADMINISTRATIVE RECEIVER", "receivership"],
    ["RECEIVER MANAGER / ADMINISTRATIVE RECEIVER", "receivership"],
    ["Live but Receiver Manager on at least one charge", "receivership"],
    ["In Administration/Administrative Receiver", "insolvency-proceedings"],
    ["In Administration/Receiver Manager", "insolvency-proceedings"],
    ["VOLUNTARY ARRANGEMENT / ADMINISTRATIVE RECEIVER", "insolvency-proceedings"],
    ["VOLUNTARY ARRANGEMENT / RECEIVER MANAGER", "insolvency-proceedings"],
    ["VOLUNTARY ARRANGEMENT / RECEIVERSHIP", "insolvency-proceedings"],
    ["Dissolved", "dissolved"],
    ["Converted / Closed", "converted-closed"],
  ])("status %s is %s", (status, companyStatus) => {
    const outcome = mapRow({ status });
    expect(outcome).toMatchObject({ kind: "record", data: { company_status: companyStatus } });
    expect(outcome).not.toHaveProperty("warnings");
  });

  it.each([
    ["0", "active", undefined],
    ["2", "liquidation", undefined],
    ["G", "receivership", undefined],
    ["5", "active", "transferred-from-uk"],
    ["Q", "active", "active-proposal-to-strike-off"],
    ["R", "dissolved", "petition-to-restore-dissolved"],
    ["X", "converted-closed", "transformed-to-se"],
    ["ab", "active", "converted-to-ukeig"],
    ["AC", "registered", undefined],
  ])("the register's code %s is the status %s", (status, company_status, detail) => {
    const outcome = mapRow({ status });
    expect(outcome).toHaveProperty("data.company_status", company_status);
    if (detail) expect(outcome).toHaveProperty("data.company_status_detail", detail);
    else expect(outcome).not.toHaveProperty("data.company_status_detail");
    expect(outcome).not.toHaveProperty("warnings");
    expect(faultsOf(outcome ? [outcome] : [])).toEqual([]);
  });

  it("a number with a blank inside is refused, because without it the row might be another company's", () => {
    expect(mapRow({ number: "SC 98100" })).toMatchObject({ kind: "refused", field: "company_number" });
    expect(mapRow({ number: " sc98100 " })).toMatchObject({ data: { company_number: "SC098100" } });
  });

  it("an empty status gives no status", () => {
    const outcome = mapRow({ status: "" });
    expect(outcome).not.toHaveProperty("data.company_status");
    expect(outcome).not.toHaveProperty("warnings");
  });

  it("an overseas entity is registered, not active", () => {
    expect(mapRow({ number: "OE099001" })).toMatchObject({ data: { company_status: "registered" } });
  });

  it.each([
    ["FULL", "full"],
    ["TOTAL EXEMPTION SMALL", "total-exemption-small"],
    ["MICRO ENTITY", "micro-entity"],
    ["UNAUDITED ABRIDGED", "unaudited-abridged"],
    ["ACCOUNTS TYPE NOT AVAILABLE", "no-accounts-type-available"],
    ["MEDUM", "medium"],
    ["7", "initial"],
    ["9", "total-exemption-full"],
    ["G", "unaudited-abridged"],
  ])("account category %s is %s", (accounts, type) => {
    expect(mapRow({ accounts })).toMatchObject({ data: { accounts: { last_accounts: { type } } } });
  });

  it.each(["NO ACCOUNTS FILED", "0"])(
    "account category %s says nothing about the last accounts",
    (accounts) => {
      const outcome = mapRow({ accounts });
      expect(outcome).not.toHaveProperty("data.accounts");
      expect(outcome).not.toHaveProperty("warnings");
    },
  );

  it("an unknown account category is stored as a key made of its words, with a warning", () => {
    expect(mapRow({ accounts: "VERY  SPLENDID" })).toMatchObject({
      data: { accounts: { last_accounts: { type: "very-splendid" } } },
      warnings: ['accounts.last_accounts.type: "VERY  SPLENDID" is not on the list'],
    });
  });

  it.each(['"', '""', '"a"b","c"', '"SAMPLE LTD","99000001"', "\t"])(
    "the odd row %p does not affect its neighbours",
    (text) => {
      const good = {
        line: 3,
        text: '"SAMPLE LTD","99000001","Private Limited Company","Active","",""',
      };
      const results = companyCsv.mapRows([{ line: 2, text }, good], context);
      expect(results.map(({ kind }) => kind)).toEqual([text === "\t" ? "skipped" : "refused", "record"]);
    },
  );
});

it.each([
  ["62012 - Business and domestic software development", ["62012"], undefined],
  ["62012 \u2013 Business and domestic software development", ["62012"], undefined],
  ["62012-Business", ["62012"], undefined],
  ["7499", ["7499"], undefined],
  ["6201A - Business", undefined, ["sic_codes left out: not a SIC code"]],
])("the code of the SIC text %s, whatever dash follows it, is %j", (text, codes, warnings) => {
  const header = "CompanyName,CompanyNumber,CompanyCategory,CompanyStatus,SICCode.SicText_1";
  const row = `"A LTD","99000001","Private Limited Company","Active","${text}"`;
  const [outcome] = companyCsv.mapRows(
    [{ line: 2, text: row }],
    companyCsv.open({ line: 1, text: header }, "x.csv"),
  );
  expect(outcome).toMatchObject({ kind: "record" });
  expect([dataOf<CompanyProfile>([outcome!])[0]?.sic_codes, outcome?.warnings]).toEqual([codes, warnings]);
});

it("spaces around fields, as in re-exported files, change nothing", () => {
  const [header = "", ...texts] = PARTS.flatMap(readLines);
  const context = companyCsv.open({ line: 1, text: header }, "x.csv");
  const padded = (text: string) =>
    `"${text
      .slice(1, -1)
      .split('","')
      .map((field) => `  ${field} `)
      .join('","')}"`;
  const rows = texts.filter((text) => text.startsWith('"'));
  expect(rows.length).toBeGreaterThan(190);
  for (const text of rows) {
    const [plain, spaced] = [text, padded(text)].map(
      (one) => companyCsv.mapRows([{ line: 2, text: one }], context)[0],
    );
    expect({ ...spaced, row: undefined }).toEqual({ ...plain, row: undefined });
  }
});
