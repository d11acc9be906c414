import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { compileCheck } from "../../../api/shared/schemas/validate.ts";
import { deriveNextPeriod } from "../../../api/resources/company-profile/accounting-period.ts";
import example from "../../../api/resources/company-profile/example.json" with { type: "json" };
import { companyProfile } from "../../../api/resources/company-profile/index.ts";
import { SUPER_SECURE, type RecordLink } from "../../../api/resources/company-profile/links.ts";
import { readCompany, settleCompany } from "../../../api/resources/company-profile/normalise.ts";
import type { CompanyProfile } from "../../../api/resources/company-profile/members.ts";
import { companyRecord } from "../../../api/resources/company-profile/record.ts";
import facts from "../../fixtures/register/facts.json" with { type: "json" };
import { createMemoryReader } from "../../support/record-reader.ts";
import { SAMPLE } from "../../support/sample-register.ts";

const TODAY = "2026-11-01";
const ETAG = "0".repeat(40);
const PLAIN: CompanyProfile = { company_name: "SAMPLE LTD", company_number: "99000001", type: "ltd" };

const [version1] = companyProfile.versions;
const checkAnswer = compileCheck(version1.schema);

function present(
  data: Partial<CompanyProfile>,
  links: RecordLink[] = [],
  { today = TODAY, hasAllPscs = false } = {},
) {
  const company = { _id: "99000001", etag: ETAG, revision: 1, data: { ...PLAIN, ...data } };
  return version1.present({ company, links, hasAllPscs }, { today });
}

const samples = readFileSync(`${SAMPLE}/api-shaped/company-profile.jsonl`, "utf8")
  .trim()
  .split("\n")
  .map((line) => (JSON.parse(line) as { data: Record<string, unknown> }).data);

const LIVE_NAMES = ["legal_form", "is_a_credit_financial_institution"];

/**
 * An answer without its links and ETag, in the form of the specification: days and months are whole numbers, accounts
 * without anything due are not overdue, and members that live answers have under two names have one name.
 */
function comparable({ accounts, ...answer }: Record<string, unknown>): unknown {
  const withOverdue = accounts ? { overdue: false, ...accounts } : undefined;
  const json = JSON.stringify(
    { ...answer, accounts: withOverdue, links: undefined, etag: undefined },
    (name, value) => (LIVE_NAMES.includes(name) ? undefined : (value as unknown)),
  );
  return JSON.parse(json.replace(/"(day|months?)":"0*(\d+)"/g, '"$1":$2'));
}

type Accounts = Record<string, unknown>;

/** An answer with the period of the next accounts, which these samples do not state. */
function withNextPeriod(sample: Record<string, unknown>, data: CompanyProfile): Record<string, unknown> {
  const period = deriveNextPeriod(data);
  if (!period) return sample;
  const accounts = sample.accounts as { next_accounts: Accounts };
  const next_accounts = { ...accounts.next_accounts, ...period };
  return { ...sample, accounts: { ...accounts, next_accounts, next_made_up_to: period.period_end_on } };
}

describe("answers of the original", () => {
  it.each(samples.map((sample) => ({ number: sample.company_number, sample })))(
    "are shown as they came: $number",
    ({ sample }) => {
      const warnings: string[] = [];
      const data = settleCompany(readCompany(sample, warnings));
      const answer = present(data);
      expect(warnings).toEqual([]);
      expect(companyRecord.check(data)).toBeNull();
      expect(checkAnswer(answer)).toBeNull();
      expect(comparable(answer)).toEqual(comparable(withNextPeriod(sample, data)));
    },
  );

  it("are as many as the sample register has", () => {
    expect(samples).toHaveLength(facts.api_shaped["company-profile"]);
  });
});

describe("version 1", () => {
  it("shows a company with few known members", () => {
    expect(present({})).toEqual({
      ...PLAIN,
      can_file: true,
      etag: ETAG,
      links: { self: "/company/99000001", filing_history: "/company/99000001/filing-history" },
    });
  });

  it.each([
    [
      { period_end_on: "2025-05-31" },
      { made_up_to: "2025-05-31", period_end_on: "2025-05-31", type: "null" },
    ],
    [{ period_start_on: "2024-06-01" }, { period_start_on: "2024-06-01", type: "null" }],
    [{ type: "null" as const }, { type: "null" }],
  ])("shows an unknown type of the last accounts as the text null: %j", (last_accounts, shown) => {
    expect(present({ accounts: { last_accounts } }).accounts).toMatchObject({ last_accounts: shown });
  });

  it("repeats accounts in their deprecated members", () => {
    const accounts = {
      last_accounts: { period_end_on: "2025-05-31", type: "full" },
      next_accounts: { due_on: "2026-10-31", period_end_on: "2026-05-31" },
    };
    expect(present({ accounts }).accounts).toEqual({
      last_accounts: { made_up_to: "2025-05-31", period_end_on: "2025-05-31", type: "full" },
      next_accounts: { due_on: "2026-10-31", period_end_on: "2026-05-31", overdue: true },
      next_due: "2026-10-31",
      next_made_up_to: "2026-05-31",
      overdue: true,
    });
  });

  it("shows the period of the next accounts that follows from the due day, unless a source states one", () => {
    const accounts = {
      accounting_reference_date: { day: 31, month: 7 },
      last_accounts: { period_end_on: "2025-07-31" },
      next_accounts: { due_on: "2027-04-30" },
    };
    expect(present({ accounts }).accounts).toMatchObject({
      next_accounts: { due_on: "2027-04-30", period_start_on: "2025-08-01", period_end_on: "2026-07-31" },
      next_made_up_to: "2026-07-31",
    });
    const stated = { due_on: "2027-04-30", period_start_on: "2025-08-02" };
    expect(present({ accounts: { ...accounts, next_accounts: stated } }).accounts).toMatchObject({
      next_accounts: { ...stated, period_end_on: "2026-07-31" },
    });
    const next_accounts = { due_on: "2027-04-30", period_end_on: "2026-08-02" };
    expect(present({ accounts: { ...accounts, next_accounts } }).accounts).toMatchObject({
      next_accounts: { ...next_accounts, overdue: false },
      next_made_up_to: "2026-08-02",
    });
    expect(present({ accounts: { ...accounts, next_accounts } })).not.toHaveProperty(
      "accounts.next_accounts.period_start_on",
    );
  });

  it.each([
    ["2026-10-31", true],
    ["2026-11-01", false],
    ["2026-11-02", false],
  ])("calls a filing due on %s overdue on 1 November: %p", (due, overdue) => {
    const answer = present({
      accounts: { next_accounts: { due_on: due } },
      confirmation_statement: { next_due: due },
    });
    expect(answer).toMatchObject({
      accounts: { overdue, next_accounts: { overdue } },
      confirmation_statement: { overdue },
    });
  });

  it("calls accounts overdue only if their due day is known", () => {
    const answer = present({ accounts: { next_accounts: { period_end_on: "2026-05-31" } } });
    expect(answer.accounts).toEqual({
      next_accounts: { period_end_on: "2026-05-31", overdue: false },
      next_made_up_to: "2026-05-31",
      overdue: false,
    });
    expect(present({ accounts: {} }).accounts).toEqual({ overdue: false });
  });

  it("shows the annual return until the first confirmation statement", () => {
    const annualReturn = { last_made_up_to: "2015-02-10", next_due: "2016-03-09" };
    const nextOnly = present({
      annual_return: annualReturn,
      confirmation_statement: { next_due: "2017-02-24" },
    });
    expect(nextOnly.annual_return).toEqual({ ...annualReturn, overdue: true });
    const filed = present({
      annual_return: annualReturn,
      confirmation_statement: { last_made_up_to: "2026-02-10" },
    });
    expect(filed).not.toHaveProperty("annual_return");
  });

  it.each<[Partial<CompanyProfile>, boolean]>([
    [{ type: "ltd", company_status: "active" }, true],
    [{ type: "llp", company_status: "liquidation" }, true],
    [{ type: "plc" }, true],
    [{ type: "private-limited-guarant-nsc" }, true],
    [{ type: "oversea-company", company_status: "active" }, false],
    [{ type: "charitable-incorporated-organisation" }, false],
    [{ type: "ltd", company_status: "dissolved" }, false],
    [{ type: "ltd", company_status: "converted-closed" }, false],
    [{ type: "ltd", company_status_detail: "petition-to-restore-dissolved" }, false],
  ])("says whether %j can file: %p", (data, canFile) => {
    expect(present(data).can_file).toBe(canFile);
  });

  it("links to the records that exist", () => {
    const data = {
      has_charges: true,
      has_insolvency_history: true,
      branch_company_details: { parent_company_number: "FC099001" },
    };
    expect(present(data, ["officers"]).links).toEqual({
      self: "/company/99000001",
      filing_history: "/company/99000001/filing-history",
      charges: "/company/99000001/charges",
      insolvency: "/company/99000001/insolvency",
      overseas: "/company/FC099001",
      officers: "/company/99000001/officers",
    });
  });

  it.each([
    ["has_charges", "charges"],
    ["has_insolvency_history", "insolvency"],
  ] as const)("shows %s, the deprecated form of the link %s, whenever it shows the link", (flag, link) => {
    for (const data of [{}, { [flag]: false }, { [flag]: true }]) {
      expect(present(data, [link])).toMatchObject({
        [flag]: true,
        links: { [link]: expect.any(String) as unknown },
      });
    }
    expect(present({ [flag]: false })[flag]).toBe(false);
    expect(present({})).not.toHaveProperty(flag);
  });

  it.each<[boolean | undefined, { isListed?: boolean; hasAllPscs?: boolean }, boolean | undefined]>([
    [undefined, {}, undefined],
    [undefined, { hasAllPscs: true }, false],
    [undefined, { isListed: true }, true],
    [false, { isListed: true, hasAllPscs: true }, true],
    [false, {}, false],
    [true, { hasAllPscs: true }, true],
  ])(
    "with has_super_secure_pscs stated as %p and the stored list %j shows it as %p",
    (stated, { isListed, hasAllPscs }, shown) => {
      const data = stated === undefined ? {} : { has_super_secure_pscs: stated };
      const answer = present(data, isListed ? [SUPER_SECURE] : [], { ...(hasAllPscs && { hasAllPscs }) });
      expect(answer.has_super_secure_pscs).toBe(shown);
      expect(answer.links).not.toHaveProperty(SUPER_SECURE);
      expect(checkAnswer(answer)).toBeNull();
    },
  );

  it("shows foreign details under both of their names", () => {
    const details = { company_type: "GmbH", is_a_credit_finance_institution: false, governed_by: "GmbHG" };
    expect(present({ foreign_company_details: details }).foreign_company_details).toEqual({
      ...details,
      legal_form: "GmbH",
      is_a_credit_financial_institution: false,
    });
  });

  it("repeats the subtype as the deprecated flag", () => {
    expect(present({ subtype: "community-interest-company" }).is_community_interest_company).toBe(true);
    expect(present({})).not.toHaveProperty("is_community_interest_company");
  });

  it("has an example that is what the code would answer", () => {
    const data = settleCompany(readCompany(example, []));
    expect({ ...present(data, ["officers"]), etag: example.etag }).toEqual(example);
  });
});

describe("the read", () => {
  const company = { _id: "99000001", etag: ETAG, revision: 1, data: PLAIN };
  const read = (stored: Parameters<typeof createMemoryReader>[0]) =>
    companyProfile.read(createMemoryReader(stored).records, { company_number: "99000001" }, {});

  it("finds a company and whether it has officers", async () => {
    const appointment = { ...company, _id: "a", company_number: "99000001" };
    expect(await read({ companies: [company], appointments: [appointment] })).toEqual({
      company,
      links: ["officers"],
      hasAllPscs: false,
    });
    expect(await read({ companies: [company] })).toEqual({ company, links: [], hasAllPscs: false });
  });

  it("finds no unknown company", async () => {
    expect(await read({})).toBeNull();
  });
});
