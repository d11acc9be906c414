/** Owns the members of a raw company that have members of their own: accounts, country of origin, parent, former names. */
import { parseCompanyNumber } from "../../shared/values/company-number.ts";
import { enumerationKeys } from "../../shared/values/enumerations.ts";
import type { CompanyProfile } from "./members.ts";
import { compact, itemsOf, membersOf, type RawReader } from "./raw-values.ts";

/** A day that returns each year. */
interface DayOfYear {
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
function normaliseDayOfYear(value: unknown, reader: RawReader, field: string): DayOfYear | undefined {
  if (!value) return undefined;
  const raw = membersOf(value);
  const month = reader.whole(raw.month, { from: 1, to: 12 }, `${field}.month`);
  if (month === undefined) return undefined;
  const day = reader.whole(raw.day, { from: 1, to: DAYS_IN_MONTH[month - 1] ?? 31 }, `${field}.day`);
  return day === undefined ? undefined : { day, month };
}

const FOREIGN_ACCOUNT_TYPES: ReadonlySet<string> = new Set(enumerationKeys("foreign_account_type"));
const PUBLICATION_TERMS: ReadonlySet<string> = new Set(enumerationKeys("terms_of_account_publication"));
const FIELD = "foreign_company_details";

/** Details of a foreign company; the spellings of live payloads (`legal_form`, …) are read as well. */
export function normaliseForeignCompany(
  value: unknown,
  reader: RawReader,
): CompanyProfile["foreign_company_details"] {
  if (!value) return undefined;
  const raw = membersOf(value);
  const registry = membersOf(raw.originating_registry);
  const isCreditInstitution = raw.is_a_credit_finance_institution ?? raw.is_a_credit_financial_institution;
  return compact({
    accounting_requirement: normaliseRequirement(raw.accounting_requirement, reader),
    accounts: normaliseForeignAccounts(raw.accounts, reader),
    business_activity: reader.text(raw.business_activity),
    company_type: reader.text(raw.company_type ?? raw.legal_form),
    governed_by: reader.text(raw.governed_by),
    is_a_credit_finance_institution: reader.flag(
      isCreditInstitution,
      `${FIELD}.is_a_credit_finance_institution`,
    ),
    originating_registry: compact({
      country: reader.text(registry.country),
      name: reader.text(registry.name),
    }),
    registration_number: reader.text(raw.registration_number),
  });
}

/** Parent and business of a UK establishment. */
export function normaliseBranch(value: unknown, reader: RawReader): CompanyProfile["branch_company_details"] {
  if (!value) return undefined;
  const raw = membersOf(value);
  return compact({
    business_activity: reader.text(raw.business_activity),
    parent_company_name: reader.text(raw.parent_company_name),
    parent_company_number: normaliseParentNumber(raw.parent_company_number, reader),
  });
}

function normaliseRequirement(value: unknown, reader: RawReader) {
  const raw = membersOf(value);
  const field = `${FIELD}.accounting_requirement`;
  return compact({
    foreign_account_type: reader.choice(
      raw.foreign_account_type,
      FOREIGN_ACCOUNT_TYPES,
      `${field}.foreign_account_type`,
    ),
    terms_of_account_publication: reader.choice(
      raw.terms_of_account_publication,
      PUBLICATION_TERMS,
      `${field}.terms_of_account_publication`,
    ),
  });
}

function normaliseForeignAccounts(value: unknown, reader: RawReader) {
  const raw = membersOf(value);
  const field = `${FIELD}.accounts`;
  const { months: given } = membersOf(raw.must_file_within);
  const months = reader.whole(given, { from: 0, to: 999 }, `${field}.must_file_within.months`);
  return compact({
    account_period_from: normaliseDayOfYear(raw.account_period_from, reader, `${field}.account_period_from`),
    account_period_to: normaliseDayOfYear(raw.account_period_to, reader, `${field}.account_period_to`),
    must_file_within: months === undefined ? undefined : { months },
  });
}

function normaliseParentNumber(value: unknown, reader: RawReader): string | undefined {
  const text = reader.text(value);
  if (text === undefined) return undefined;
  const field = "branch_company_details.parent_company_number";
  return parseCompanyNumber(text) ?? reader.drop(field, "not a company number");
}

/** A name the company had. */
interface PreviousName {
  name: string;
  effective_from?: string;
  ceased_on?: string;
}

// Limit: the company CSV has room for ten names. Where ten are given, there may be older ones,
// so the start of the tenth is not known.
const NAMES_A_SOURCE_MAY_HOLD = 10;

/**
 * The former names, newest first. A name without a beginning began when the one before it ended, the oldest
 * at the company's creation; a beginning after the end is left out, and so is an item without a name.
 */
export function normalisePreviousNames(
  value: unknown,
  createdOn: string | undefined,
  reader: RawReader,
): PreviousName[] | undefined {
  const names = itemsOf(value).flatMap((item) => normaliseName(membersOf(item), reader));
  if (names.length === 0) return undefined;
  // A name without an end cannot be sorted by end: then the given order, newest first, is used.
  if (names.every((item) => item.ceased_on)) names.sort(byNewestEnd);
  return names.map((item, index) => {
    const beginning = item.effective_from ?? beginningOf(names, index, createdOn);
    const isKnown = beginning && (!item.ceased_on || beginning <= item.ceased_on);
    return isKnown ? { ...item, effective_from: beginning } : withoutBeginning(item);
  });
}

function normaliseName(raw: Record<string, unknown>, reader: RawReader): PreviousName[] {
  const name = reader.text(raw.name);
  if (name === undefined) return [];
  const effectiveFrom = reader.date(raw.effective_from, "previous_company_names.effective_from");
  const ceasedOn = reader.date(raw.ceased_on, "previous_company_names.ceased_on");
  return [{ name, ...compact({ effective_from: effectiveFrom, ceased_on: ceasedOn }) }];
}

function byNewestEnd(a: PreviousName, b: PreviousName): number {
  if (a.ceased_on === b.ceased_on) return 0;
  return (a.ceased_on ?? "") < (b.ceased_on ?? "") ? 1 : -1;
}

function beginningOf(
  names: PreviousName[],
  index: number,
  createdOn: string | undefined,
): string | undefined {
  if (index < names.length - 1) return names[index + 1]?.ceased_on;
  return names.length < NAMES_A_SOURCE_MAY_HOLD ? createdOn : undefined;
}

function withoutBeginning(item: PreviousName): PreviousName {
  return { name: item.name, ...compact({ ceased_on: item.ceased_on }) };
}
