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
      "is the year after the last accounts",
      { reference: "31/7", last: "2025-07-31", due: "2027-04-30" },
      ["2025-08-01", "2026-07-31"],
    ],
    // The next six are rows of the company CSV of 2021, with its days.
    [
      "fits a due day at the end of a month if it ends at the end of one",
      { reference: "30/11", last: "2019-11-30", due: "2021-08-31" },
      ["2019-12-01", "2020-11-30"],
    ],
    [
      "fits a due day on the same day of the month if it ends within one",
      { reference: "30/3", last: "2020-03-30", due: "2021-12-30" },
      ["2020-03-31", "2021-03-30"],
    ],
    [
      "ends on the reference day, although the last one ended two days after it",
      { reference: "29/12", last: "2019-12-31", due: "2021-09-29" },
      ["2020-01-01", "2020-12-29"],
    ],
    [
      "begins on 1 March after one that ended on 29 February",
      { reference: "28/2", last: "2020-02-29", due: "2021-11-30" },
      ["2020-03-01", "2021-02-28"],
    ],
    [
      "of a new company begins with its creation and fits a due day nine months after a year",
      { created: "2020-07-29", reference: "31/7", due: "2022-04-29" },
      ["2020-07-29", "2021-07-31"],
    ],
    [
      "of a company created on the last day of a month ends on that day a year later",
      { created: "2019-09-30", reference: "30/9", due: "2021-06-30" },
      ["2019-09-30", "2020-09-30"],
    ],
    [
      "ends on 29 February of a leap year if the reference day is 28 February",
      { reference: "28/2", last: "2023-02-28", due: "2024-11-30" },
      ["2023-03-01", "2024-02-29"],
    ],
    [
      "of a public company fits a due day six months after it",
      { type: "plc", reference: "31/12", last: "2025-12-31", due: "2027-06-30" },
      ["2026-01-01", "2026-12-31"],
    ],
    [
      "of a partnership fits a due day nine months after it, as that of a private company",
      { type: "llp", reference: "31/3", last: "2025-03-31", due: "2026-12-31" },
      ["2025-04-01", "2026-03-31"],
    ],
    [
      "is three months long after a change of the reference day, if the due day fits",
      { reference: "31/3", last: "2024-12-31", due: "2025-12-31" },
      ["2025-01-01", "2025-03-31"],
    ],
    [
      "is fifteen months long after the same change, if the due day fits",
      { reference: "31/3", last: "2024-12-31", due: "2026-12-31" },
      ["2025-01-01", "2026-03-31"],
    ],
    [
      "of a new public company fits a due day six months after a year",
      { type: "plc", created: "2025-06-10", reference: "30/6", due: "2026-12-10" },
      ["2025-06-10", "2026-06-30"],
    ],
    [
      "of nearly 18 months fits a due day three months after it",
      { type: "plc", created: "2025-01-15", reference: "30/6", due: "2026-09-30" },
      ["2025-01-15", "2026-06-30"],
    ],
    [
      "of a new company fits a due day nine months after it if it is shorter than a year",
      { created: "2025-08-22", reference: "31/3", due: "2026-12-31" },
      ["2025-08-22", "2026-03-31"],
    ],
  ])("%s: %j", (_title, known, period) => {
    expect(derive(known)).toEqual(period);
  });

  it.each<[string, Known]>([
    [
      "the registrar allowed more time, as in a row of the company CSV of 2021",
      { reference: "30/6", last: "2019-06-30", due: "2021-06-30" },
    ],
    [
      "the due day is a day before that of the law",
      { reference: "30/4", last: "2025-04-30", due: "2027-01-30" },
    ],
    [
      "the period would be longer than 18 months",
      { reference: "31/7", last: "2025-01-01", due: "2027-04-30" },
    ],
    [
      "the due day of a private company is that of a public one",
      { reference: "31/12", last: "2025-12-31", due: "2027-06-30" },
    ],
    [
      "the due day fits only the reference day a week after the last accounts, which may belong to these",
      { reference: "31/3", last: "2026-03-24", due: "2026-12-31" },
    ],
    [
      "the source states the beginning of another period",
      { reference: "30/4", last: "2025-04-30", start: "2026-05-01", due: "2027-01-31" },
    ],
    ["the due day is not known", { reference: "31/7", last: "2025-07-31" }],
    ["the reference day is not known", { last: "2025-07-31", due: "2027-04-30" }],
    ["neither the last accounts nor the creation are known", { reference: "31/7", due: "2027-04-30" }],
    [
      "the first period would not be longer than six months",
      { created: "2025-07-01", reference: "31/12", due: "2026-09-30" },
    ],
    [
      "the last accounts of an old company are not known",
      { created: "1990-06-05", reference: "30/6", due: "2027-03-31" },
    ],
    [
      "the company has ended",
      { status: "dissolved", reference: "31/7", last: "2025-07-31", due: "2027-04-30" },
    ],
    [
      "another law applies to its type",
      { type: "oversea-company", reference: "31/7", last: "2025-07-31", due: "2027-04-30" },
    ],
  ])("is not derived if %s: %j", (_title, known) => {
    expect(derive(known)).toBeUndefined();
  });
});
