/** How a row of the company CSV changes stored accounts, returns and type. */
import { describe, expect, it } from "@jest/globals";
import { after, afterEditions, type Fields } from "../../support/company-rows.ts";

describe("the accounts", () => {
  const STORED = {
    accounting_reference_date: { day: 28, month: 2 },
    last_accounts: { period_start_on: "2024-03-01", period_end_on: "2025-02-28", type: "micro-entity" },
    next_accounts: { due_on: "2026-11-28", period_start_on: "2025-03-01", period_end_on: "2026-02-28" },
  };
  const ROW = {
    "Accounts.AccountRefDay": "28",
    "Accounts.AccountRefMonth": "2",
    "Accounts.NextDueDate": "28/11/2026",
    "Accounts.LastMadeUpDate": "28/02/2025",
    "Accounts.AccountCategory": "MICRO ENTITY",
  };
  const accountsAfter = (fields: Fields, stored: object = STORED) =>
    after({ accounts: stored }, { ...ROW, ...fields }).accounts;

  it("stay when the row says the same", () => {
    expect(accountsAfter({})).toEqual(STORED);
  });

  it("keep both periods if the next ones are due on another day", () => {
    expect(accountsAfter({ "Accounts.NextDueDate": "28/02/2027" })).toEqual({
      ...STORED,
      next_accounts: { ...STORED.next_accounts, due_on: "2027-02-28" },
    });
  });

  it("keep the periods if the last ones turn out to be of another type", () => {
    expect(accountsAfter({ "Accounts.AccountCategory": "DORMANT" })).toEqual({
      ...STORED,
      last_accounts: { ...STORED.last_accounts, type: "dormant" },
    });
    expect(accountsAfter({ "Accounts.AccountCategory": "" })).toEqual(STORED);
  });

  it("lose both periods when later ones have been made up", () => {
    const filed = { "Accounts.LastMadeUpDate": "28/02/2026", "Accounts.NextDueDate": "28/11/2027" };
    expect(accountsAfter({ ...filed, "Accounts.AccountCategory": "" })).toEqual({
      accounting_reference_date: STORED.accounting_reference_date,
      last_accounts: { period_end_on: "2026-02-28" },
      next_accounts: { due_on: "2027-11-28" },
    });
    expect(accountsAfter({ ...filed, "Accounts.NextDueDate": "" })).not.toHaveProperty("next_accounts");
  });

  it.each<[what: string, fields: Fields]>([
    [
      "the accounting year of the company has changed",
      { "Accounts.AccountRefDay": "31", "Accounts.AccountRefMonth": "3" },
    ],
    ["the stored one ends after that day", { "Accounts.NextDueDate": "28/11/2025" }],
    ["the row has no last period", { "Accounts.LastMadeUpDate": "" }],
  ])("lose the next period with another due day if %s", (_what, fields) => {
    const next = { "Accounts.NextDueDate": "31/12/2026", ...fields };
    expect(Object.keys(accountsAfter(next)?.next_accounts ?? {})).toEqual(["due_on"]);
  });

  it("get the next due day if none was stored, and keep a stored one if the row has none", () => {
    expect(accountsAfter({}, { ...STORED, next_accounts: undefined })?.next_accounts).toEqual({
      due_on: "2026-11-28",
    });
    expect(accountsAfter({ "Accounts.NextDueDate": "" })).toEqual(STORED);
  });

  it("get the type of a row without a period only if no period is stored", () => {
    const fields = { "Accounts.LastMadeUpDate": "", "Accounts.AccountCategory": "DORMANT" };
    expect(accountsAfter(fields)?.last_accounts).toEqual(STORED.last_accounts);
    expect(accountsAfter(fields, {})?.last_accounts).toEqual({ type: "dormant" });
  });

  it("of one edition are replaced by those of the next edition", () => {
    const next = { ...ROW, "Accounts.NextDueDate": "28/11/2027", "Accounts.LastMadeUpDate": "28/02/2026" };
    expect(afterEditions(ROW, next).accounts).toEqual({
      accounting_reference_date: { day: 28, month: 2 },
      last_accounts: { period_end_on: "2026-02-28", type: "micro-entity" },
      next_accounts: { due_on: "2027-11-28" },
    });
  });
});

describe("the confirmation statement", () => {
  const STORED = { last_made_up_to: "2025-10-01", next_made_up_to: "2026-10-01", next_due: "2026-11-12" };
  const statementAfter = (last: string, due: string, stored: object = STORED) =>
    after({ confirmation_statement: stored }, { ConfStmtLastMadeUpDate: last, ConfStmtNextDueDate: due })
      .confirmation_statement;

  it("keeps the stored made-up day of the next one, because the CSV's is only calculated", () => {
    expect(statementAfter("01/10/2025", "12/11/2026")).toEqual(STORED);
    expect(statementAfter("01/10/2025", "15/10/2026")).toEqual({ ...STORED, next_due: "2026-10-15" });
  });

  it("takes the calculated day if it is before the stored one, or another statement has been filed", () => {
    expect(statementAfter("01/10/2025", "15/09/2026")?.next_made_up_to).toBe("2026-09-01");
    expect(statementAfter("01/10/2026", "15/10/2027")).toEqual({
      last_made_up_to: "2026-10-01",
      next_made_up_to: "2027-10-01",
      next_due: "2027-10-15",
    });
    expect(statementAfter("01/10/2026", "")).toEqual({ last_made_up_to: "2026-10-01" });
  });

  it("takes the last one from the row if none had been filed", () => {
    const stored = { next_made_up_to: "2026-10-01", next_due: "2026-10-15" };
    expect(statementAfter("01/10/2026", "15/10/2027", stored)).toEqual({
      last_made_up_to: "2026-10-01",
      next_made_up_to: "2027-10-01",
      next_due: "2027-10-15",
    });
  });
});

describe("the annual return", () => {
  it("is replaced by that of the next edition", () => {
    const stored = afterEditions(
      { "Returns.LastMadeUpDate": "01/02/2014", "Returns.NextDueDate": "01/03/2015" },
      { "Returns.LastMadeUpDate": "01/02/2015", "Returns.NextDueDate": "01/03/2016" },
    );
    expect(stored).toMatchObject({
      annual_return: { last_made_up_to: "2015-02-01", next_due: "2016-03-01" },
    });
  });
});

describe("the type", () => {
  const typeAfter = (type: string, CompanyCategory: string, fields: Fields = {}) =>
    after({ type }, { CompanyCategory, ...fields }).type;

  it.each([
    ["ltd", "Community Interest Company", "the category does not say the form"],
    ["plc", "Community Interest Company", "the category does not say the form"],
    ["eeig-establishment", "Other company type", "the category stands for several"],
    ["assurance-company", "Other company type", "the category stands for several"],
    ["industrial-and-provident-society", "Other company type", "the company number says no more"],
    ["private-unlimited", "Private Unlimited", "the category may mean it"],
    ["llp", "Limited Liability Partnership 2026", "the category is not known"],
  ])("%s stays with the category %s: %s", (type, category) => {
    expect(typeAfter(type, category)).toBe(type);
  });

  it.each([
    ["charitable-incorporated-organisation", "Community Interest Company", "private-limited-guarant-nsc"],
    ["llp", "Private Unlimited", "private-unlimited-nsc"],
    ["ltd", "Public Limited Company", "plc"],
    ["private-limited-guarant-nsc", "Private Limited Company", "ltd"],
  ])("%s is replaced with the category %s by %s", (type, category, expected) => {
    expect(typeAfter(type, category)).toBe(expected);
  });

  it("of a community interest company is plc where its name says so", () => {
    expect(typeAfter("ltd", "Community Interest Company", { CompanyName: "SAMPLE C.I.C. PLC" })).toBe("plc");
  });

  it("of a community interest company loses its subtype with another category", () => {
    const stored = { subtype: "community-interest-company" };
    expect(after(stored, {})).not.toHaveProperty("subtype");
    expect(after(stored, { CompanyCategory: "Community Interest Company" })).toMatchObject(stored);
    expect(after(stored, { CompanyCategory: "Unheard Of" })).toMatchObject(stored);
  });

  it("of a private fund keeps its subtype while it is a limited partnership", () => {
    const stored = { type: "limited-partnership", subtype: "private-fund-limited-partnership" };
    expect(after(stored, { CompanyCategory: "Limited Partnership" })).toMatchObject(stored);
    expect(after(stored, {})).not.toHaveProperty("subtype");
  });
});
