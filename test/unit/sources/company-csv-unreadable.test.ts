/** Unusable values of the company CSV: only these stay as earlier editions stated them. */
import { describe, expect, it } from "@jest/globals";
import { companyAfter, EMPTIED, FULL, stateRow } from "../../support/company-rows.ts";

const [full, emptied] = [stateRow("2026-11-24", FULL), stateRow("2026-11-25", EMPTIED)];
const alone = companyAfter(emptied);

describe("a value that earlier editions stated", () => {
  it.each([
    ["accounts.next_accounts", { "Accounts.NextDueDate": "32/13/2026" }],
    ["company_status", { CompanyStatus: "Brand new status" }],
    ["date_of_creation", { IncorporationDate: "1/2" }],
    ["has_charges", { "Mortgages.NumMortCharges": "many" }],
    ["sic_codes", { "SICCode.SicText_1": "?" }],
  ])("stays if the value of the next edition cannot be used: %s", (member, fields) => {
    const unreadable = stateRow("2026-11-25", { ...EMPTIED, ...fields });
    expect(companyAfter(full, unreadable)).toHaveProperty(member, valueAt(full.data, member));
    expect(companyAfter(unreadable, full)).toEqual(companyAfter(full, unreadable));
  });

  it("stays with its detail if the status cannot be used", () => {
    const unreadable = stateRow("2026-11-25", { ...EMPTIED, CompanyStatus: "Brand new status" });
    for (const stated of [
      [full, unreadable],
      [unreadable, full],
    ])
      expect(companyAfter(...stated)).toMatchObject({
        company_status: "active",
        company_status_detail: "active-proposal-to-strike-off",
      });
  });

  it("is removed if the next edition has none, and only another value of the same object cannot be used", () => {
    const fields = { "Accounts.AccountRefDay": "31", "Accounts.AccountRefMonth": "2" };
    const unreadable = stateRow("2026-11-25", { ...EMPTIED, ...fields });
    for (const stated of [
      [full, unreadable],
      [unreadable, full],
    ])
      expect(companyAfter(...stated)).toHaveProperty("accounts", {
        accounting_reference_date: { day: 31, month: 12 },
      });
    expect(companyAfter(full, unreadable, { ...emptied, at: "2026-11-26" })).toEqual(alone);
  });

  it.each([
    [
      "next_due",
      { ConfStmtNextDueDate: "31/02/2028" },
      { next_due: "2026-10-15", next_made_up_to: "2026-10-01" },
    ],
    ["last_made_up_to", { ConfStmtLastMadeUpDate: "31/02/2026" }, { last_made_up_to: "2025-10-01" }],
  ])(
    "is removed if the next edition has none, and an unusable day stays with the day calculated from it: %s",
    (_name, fields, kept) => {
      const given = { ConfStmtNextDueDate: "15/10/2026", ConfStmtLastMadeUpDate: "01/10/2025" };
      const [before, after] = [stateRow("2026-11-24", given), stateRow("2026-11-25", fields)];
      expect(companyAfter(before, after)).toHaveProperty("confirmation_statement", kept);
    },
  );

  it("is removed if it is a due day and the last period is another, even if the new due day cannot be used", () => {
    const fields = { "Accounts.NextDueDate": "32/13/2027", "Accounts.LastMadeUpDate": "31/12/2025" };
    const next = companyAfter(full, stateRow("2026-11-25", fields));
    expect(next).toHaveProperty("accounts", { last_accounts: { period_end_on: "2025-12-31" } });
  });

  it("stays if it is the beginning of the oldest former name and the day of creation cannot be used", () => {
    const name = { "PreviousName_1.CompanyName": "OLD LTD", "PreviousName_1.CONDATE": "01/01/2012" };
    const next = stateRow("2026-11-25", { ...EMPTIED, ...name, IncorporationDate: "1/2" });
    const names = full.data.previous_company_names;
    expect(companyAfter(full, next)).toHaveProperty("previous_company_names", names);
    const unnamed = stateRow("2026-11-25", { ...EMPTIED, IncorporationDate: "1/2" });
    expect(companyAfter(full, unnamed)).not.toHaveProperty("previous_company_names");
  });

  it("stays if an earlier release stored that the edition leaves the whole object", () => {
    const former = { ...emptied, leaves: ["accounts"] };
    expect(companyAfter(full, former)).toHaveProperty("accounts", full.data.accounts);
  });
});

/** The value at a dotted path. */
function valueAt(data: object, path: string): unknown {
  // The cast: the path is one of the data.
  return path.split(".").reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], data);
}
