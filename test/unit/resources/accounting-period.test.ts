import { describe, expect, it } from "@jest/globals";
import { deriveNextPeriod } from "../../../api/resources/company-profile/accounting-period.ts";
import type { CompanyProfile } from "../../../api/resources/company-profile/members.ts";

interface Known {
  type?: CompanyProfile["type"];
  status?: CompanyProfile["company_status"];
  created?: string;
  /** Day and month: `31/12`. */
  reference?: string;
  last?: string;
  start?: string;
  due?: string;
}

/** The first and last day of the next period, or undefined. */
function derive({ type = "ltd", status = "active", created, reference, last, start, due }: Known) {
  const [day = 0, month = 0] = reference?.split("/").map(Number) ?? [];
  const period = deriveNextPeriod({
    ...{ company_name: "SAMPLE LTD", company_number: "99000001", type, company_status: status },
    ...(created && { date_of_creation: created }),
    accounts: {
      ...(reference && { accounting_reference_date: { day, month } }),
      ...(last && { last_accounts: { period_end_on: last } }),
      ...(due && { next_accounts: { due_on: due, ...(start && { period_start_on: start }) } }),
    },
  });
  return period && [period.period_start_on, period.period_end_on];
}

describe("the period of the next accounts", () => {
  it.each<[string, Known, [start: string, end: string]]>([
    [
      "is a year on",
      { reference: "31/7", last: "2025-07-31", due: "2027-04-30" },
      ["2025-08-01", "2026-07-31"],
    ],
    // The next six are rows of the company CSV of 2021, with its days.
    [
      "is due at the end of a month if it ends with one",
      { reference: "30/11", last: "2019-11-30", due: "2021-08-31" },
      ["2019-12-01", "2020-11-30"],
    ],
    [
      "is due on the same day of the month if not",
      { reference: "30/3", last: "2020-03-30", due: "2021-12-30" },
      ["2020-03-31", "2021-03-30"],
    ],
    [
      "ends two days early",
      { reference: "29/12", last: "2019-12-31", due: "2021-09-29" },
      ["2020-01-01", "2020-12-29"],
    ],
    [
      "follows one that ended on 29 February",
      { reference: "28/2", last: "2020-02-29", due: "2021-11-30" },
      ["2020-03-01", "2021-02-28"],
    ],
    [
      "is the first of a company",
      { created: "2020-07-29", reference: "31/7", due: "2022-04-29" },
      ["2020-07-29", "2021-07-31"],
    ],
    [
      "is the first of a company of the last day of a month",
      { created: "2019-09-30", reference: "30/9", due: "2021-06-30" },
      ["2019-09-30", "2020-09-30"],
    ],
    [
      "ends on 29 February",
      { reference: "28/2", last: "2023-02-28", due: "2024-11-30" },
      ["2023-03-01", "2024-02-29"],
    ],
    [
      "of a public company is due after six months",
      { type: "plc", reference: "31/12", last: "2025-12-31", due: "2027-06-30" },
      ["2026-01-01", "2026-12-31"],
    ],
    [
      "of a partnership is due as that of a private company",
      { type: "llp", reference: "31/3", last: "2025-03-31", due: "2026-12-31" },
      ["2025-04-01", "2026-03-31"],
    ],
    [
      "is short after a change of the reference day",
      { reference: "31/3", last: "2024-12-31", due: "2025-12-31" },
      ["2025-01-01", "2025-03-31"],
    ],
    [
      "is long after another",
      { reference: "31/3", last: "2024-12-31", due: "2026-12-31" },
      ["2025-01-01", "2026-03-31"],
    ],
    [
      "is the first of a public company",
      { type: "plc", created: "2025-06-10", reference: "30/6", due: "2026-12-10" },
      ["2025-06-10", "2026-06-30"],
    ],
    [
      "of nearly 18 months is due three months after it",
      { type: "plc", created: "2025-01-15", reference: "30/6", due: "2026-09-30" },
      ["2025-01-15", "2026-06-30"],
    ],
    [
      "is a short first one",
      { created: "2025-08-22", reference: "31/3", due: "2026-12-31" },
      ["2025-08-22", "2026-03-31"],
    ],
  ])("%s: %j", (_title, known, period) => {
    expect(derive(known)).toEqual(period);
  });

  it.each<[string, Known]>([
    [
      "more time has been allowed, as in a row of 2021",
      { reference: "30/6", last: "2019-06-30", due: "2021-06-30" },
    ],
    ["the day is not that of the law", { reference: "30/4", last: "2025-04-30", due: "2027-01-30" }],
    [
      "the period would be longer than 18 months",
      { reference: "31/7", last: "2025-01-01", due: "2027-04-30" },
    ],
    ["the day is that of a public company", { reference: "31/12", last: "2025-12-31", due: "2027-06-30" }],
    [
      "the last accounts end a few days before the reference day, as those of the same year may",
      { reference: "31/3", last: "2026-03-24", due: "2026-12-31" },
    ],
    [
      "the beginning that a source states is of another period",
      { reference: "30/4", last: "2025-04-30", start: "2026-05-01", due: "2027-01-31" },
    ],
    ["no day is due", { reference: "31/7", last: "2025-07-31" }],
    ["there is no reference day", { last: "2025-07-31", due: "2027-04-30" }],
    ["nothing says where it begins", { reference: "31/7", due: "2027-04-30" }],
    ["a first period is of six months", { created: "2025-07-01", reference: "31/12", due: "2026-09-30" }],
    [
      "it is an old company whose last accounts are not known",
      { created: "1990-06-05", reference: "30/6", due: "2027-03-31" },
    ],
    [
      "the company has ended",
      { status: "dissolved", reference: "31/7", last: "2025-07-31", due: "2027-04-30" },
    ],
    [
      "the law of its type is another",
      { type: "oversea-company", reference: "31/7", last: "2025-07-31", due: "2027-04-30" },
    ],
  ])("is not derived if %s: %j", (_title, known) => {
    expect(derive(known)).toBeUndefined();
  });
});
