/** Owns the accounts of a raw company: periods, due dates and the yearly reference day. */
import { enumerationKeys } from "../../core/enumerations.ts";
import { compact, membersOf, type RawReader } from "./raw-values.ts";
import type { CompanyProfile } from "./members.ts";

/** A day that returns each year. */
export interface DayOfYear {
  day: number;
  month: number;
}

const ACCOUNT_TYPES: ReadonlySet<string> = new Set(enumerationKeys("account_type"));
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Accounts, each fact under its current name; the API's deprecated names are read where the current ones are absent. */
export function normaliseAccounts(value: unknown, reader: RawReader): CompanyProfile["accounts"] {
  if (!value) return undefined;
  const raw = membersOf(value);
  const last = membersOf(raw.last_accounts);
  const next = membersOf(raw.next_accounts);
  const date = (text: unknown, field: string) => reader.date(text, `accounts.${field}`);
  return compact({
    accounting_reference_date: normaliseDayOfYear(
      raw.accounting_reference_date,
      reader,
      "accounts.accounting_reference_date",
    ),
    last_accounts: compact({
      period_start_on: date(last.period_start_on, "last_accounts.period_start_on"),
      period_end_on: date(last.period_end_on ?? last.made_up_to, "last_accounts.period_end_on"),
      type: reader.choice(last.type, ACCOUNT_TYPES, "accounts.last_accounts.type"),
    }),
    next_accounts: compact({
      due_on: date(next.due_on ?? raw.next_due, "next_accounts.due_on"),
      period_start_on: date(next.period_start_on, "next_accounts.period_start_on"),
      period_end_on: date(next.period_end_on ?? raw.next_made_up_to, "next_accounts.period_end_on"),
    }),
  });
}

/** Day and month, as numbers or as text (`"03"`); both or nothing. */
export function normaliseDayOfYear(value: unknown, reader: RawReader, field: string): DayOfYear | undefined {
  if (!value) return undefined;
  const raw = membersOf(value);
  const month = reader.whole(raw.month, { from: 1, to: 12 }, `${field}.month`);
  if (month === undefined) return undefined;
  const day = reader.whole(raw.day, { from: 1, to: DAYS_IN_MONTH[month - 1] ?? 31 }, `${field}.day`);
  return day === undefined ? undefined : { day, month };
}
