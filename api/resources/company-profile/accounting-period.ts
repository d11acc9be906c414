/**
 * Derives the period of the next accounts, which the company CSV does not state, from the law: Companies Act 2006,
 * sections 390 to 392 (periods), 442 and 443 (time to file). Limited liability partnerships follow it, too.
 */
import { addDays } from "../../shared/values/dates.ts";
import { ENDED_STATUSES } from "../../shared/values/enumerations.ts";
import type { CompanyProfile } from "./members.ts";

// Months from the end of a period to the day on which its accounts are due. The types that are missing here come under
// other laws, or have no accounts.
const MONTHS_TO_FILE: ReadonlyMap<string, number> = new Map([
  ["ltd", 9],
  ["llp", 9],
  ["plc", 6],
  ["private-limited-guarant-nsc", 9],
  ["private-limited-guarant-nsc-limited-exemption", 9],
  ["private-limited-shares-section-30-exemption", 9],
  ["private-unlimited", 9],
  ["private-unlimited-nsc", 9],
]);
// A period may end up to 7 days before or after its reference day (section 390). So a reference day this soon after the
// start belongs to the period before.
const DAYS_ASIDE = 7;
// A first period lasts longer than 6 months; no period lasts longer than 18.
const LEAST_MONTHS_OF_FIRST = 6;
const MOST_MONTHS = 18;
// The time to file for a first period of more than 12 months starts on the company's first anniversary, but lasts until
// at least 3 months after the end of the period (section 442).
const MONTHS_OF_YEAR = 12;
const LEAST_MONTHS_TO_FILE = 3;

type Period = Required<Pick<NonNullable<CompanyProfile["accounts"]>["next_accounts"] & {}, PeriodDay>>;
type PeriodDay = "period_start_on" | "period_end_on";

/**
 * The period of the next accounts, or undefined where it is not certain. Two facts must agree: the reference day allows
 * one or two end days, a year apart, and the stored due day must be exactly what the law counts from one of them. They
 * disagree if the registrar allowed more time, or if the reference day changed unknown to the source.
 */
export function deriveNextPeriod(company: CompanyProfile): Period | undefined {
  const { accounts = {}, company_status: status = "", date_of_creation: created, type } = company;
  const { accounting_reference_date: reference, last_accounts, next_accounts: next } = accounts;
  const months = MONTHS_TO_FILE.get(type);
  if (!months || !reference || !next?.due_on || ENDED_STATUSES.has(status)) return undefined;
  const last = last_accounts?.period_end_on;
  const start = next.period_start_on ?? (last ? addDays(last, 1) : created);
  if (start === undefined) return undefined;
  const earliest = last ? addDays(start, DAYS_ASIDE) : addMonths(start, LEAST_MONTHS_OF_FIRST);
  const year = Number(start.slice(0, 4));
  const end = [year, year + 1, year + 2]
    .map((candidate) => referenceDayIn(candidate, reference))
    .filter((day) => day >= earliest && day < addMonths(start, MOST_MONTHS))
    .find((day) => next.due_on === (last ? timeLimit(day, months) : firstTimeLimit(start, day, months)));
  return end ? { period_start_on: start, period_end_on: end } : undefined;
}

/** The last day on which the accounts of a company's first period are in time (section 442). */
function firstTimeLimit(created: string, end: string, months: number): string {
  const anniversary = addMonths(created, MONTHS_OF_YEAR);
  if (end < anniversary) return timeLimit(end, months);
  const [usual, least] = [timeLimit(anniversary, months), timeLimit(end, LEAST_MONTHS_TO_FILE)];
  return usual > least ? usual : least;
}

/** The last day of so many months from a day. From the end of a month they run to the end of a month (section 443). */
function timeLimit(from: string, months: number): string {
  const limit = addMonths(from, months);
  return from === endOfMonth(from) ? endOfMonth(limit) : limit;
}

/** The reference day in a year. 28 February means the end of February: in leap years, rows of the CSV have the 29th. */
function referenceDayIn(year: number, { day, month }: { day: number; month: number }): string {
  const first = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-01`;
  return month === 2 && day >= 28 ? endOfMonth(first) : addDays(first, day - 1);
}

/** The same day some months later, or the last of that month where it has no such day. */
function addMonths(date: string, months: number): string {
  const first = new Date(`${date.slice(0, 7)}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() + months);
  const month = first.toISOString().slice(0, 7);
  const last = endOfMonth(`${month}-01`);
  const same = `${month}${date.slice(7)}`;
  return same < last ? same : last;
}

function endOfMonth(date: string): string {
  const end = new Date(`${date.slice(0, 7)}-01T00:00:00Z`);
  end.setUTCMonth(end.getUTCMonth() + 1, 0);
  return end.toISOString().slice(0, 10);
}
