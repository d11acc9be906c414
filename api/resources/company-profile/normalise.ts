/** Owns the raw company that every source maps to, and its normalisation to the stored profile. */
import { jurisdictionOf, parseCompanyNumber, partialDataOf } from "../../shared/values/company-number.ts";
import { addDays, byNewestEnd } from "../../shared/values/dates.ts";
import { RecordError } from "../../shared/runtime/errors.ts";
import { remember } from "../../shared/values/remember.ts";
import { isMembers, type Members } from "../../shared/values/members.ts";
import type { CompanyProfile } from "./members.ts";
import {
  address,
  asText,
  date,
  drop,
  flag,
  itemsOf,
  membersOf,
  object,
  orElse,
  readerOf,
  text,
  whole,
  type Rule,
} from "../rules.ts";

/**
 * A company as a source knows it: the API's members, each absent, null, empty or a value. Dates may be in
 * any form `parseDate` reads, numbers and flags may be text, the number may lack its zeros, and the
 * deprecated members of the API (`accounts.next_due`, `links.charges`, …) count where the current ones are absent.
 * Other members are ignored.
 */
export type RawCompany = Partial<
  Record<keyof CompanyProfile | "is_community_interest_company" | "links", unknown>
>;

// Days from the date to which a confirmation statement is made up to the day it is due (bulk formats 1.2).
const DAYS_TO_FILE_STATEMENT = 14;
// From these days on the confirmation statement applies (specification 2.1).
const ANNUAL_RETURN_DUE_BEFORE = "2016-07-28";
const ANNUAL_RETURN_MADE_UP_BEFORE = "2016-07-30";
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].map((days) => whole(1, days));
const SIC_CODE = /^\d{4,5}$/;
// Limit: the company CSV has room for ten names. Where ten are given, there may be older ones,
// so the start of the tenth is not known.
const NAMES_A_SOURCE_MAY_HOLD = 10;

const NO_MEMBERS: Members = {};
const month = whole(1, 12);

/** Day and month, as numbers or as text (`"03"`); both or nothing. */
const dayOfYear: Rule<{ day: number; month: number }> = (value, field, around) => {
  const members = object(value, field, around) ?? NO_MEMBERS;
  const given = month(members.month, `${field}.month`, around);
  const day = given && DAYS_IN_MONTH[given - 1]?.(members.day, `${field}.day`, around);
  return given && day ? { day, month: given } : undefined;
};

const accounts = membersOf({
  accounting_reference_date: dayOfYear,
  last_accounts: membersOf({
    period_start_on: date,
    period_end_on: orElse("made_up_to", date),
    type: text,
  }),
  // The deprecated members stand beside the object of the current ones.
  next_accounts: (value, field, around) => {
    const { due_on, period_start_on, period_end_on } = object(value, field, around) ?? NO_MEMBERS;
    const { next_due, next_made_up_to } = around.raw;
    const given = {
      due_on: due_on ?? next_due,
      period_start_on,
      period_end_on: period_end_on ?? next_made_up_to,
    };
    return nextAccounts(given, field, around);
  },
});

const nextAccounts = membersOf({ due_on: date, period_start_on: date, period_end_on: date });

const dayOfStatement = remember((due) => addDays(due, -DAYS_TO_FILE_STATEMENT));

const confirmationStatement = membersOf({
  last_made_up_to: date,
  next_due: date,
  next_made_up_to: (value, field, around) => {
    const { next_due: due } = around.read as { next_due?: string };
    return date(value, field, around) ?? (due && dayOfStatement(due));
  },
});

const branch = membersOf({
  business_activity: text,
  parent_company_name: text,
  parent_company_number: (value, field, around) => {
    const given = text(value, field, around);
    return given && (parseCompanyNumber(given) ?? drop(around, field, "not a company number"));
  },
});

/** The spellings of live payloads (`legal_form`, …) are read as well. */
const foreignCompany = membersOf({
  accounting_requirement: membersOf({
    foreign_account_type: text,
    terms_of_account_publication: text,
  }),
  accounts: membersOf({
    account_period_from: dayOfYear,
    account_period_to: dayOfYear,
    must_file_within: membersOf({ months: whole(0, 999) }, "months"),
  }),
  business_activity: text,
  company_type: orElse("legal_form", text),
  governed_by: text,
  is_a_credit_finance_institution: orElse("is_a_credit_financial_institution", flag),
  originating_registry: membersOf({ country: text, name: text }),
  registration_number: text,
});

const previousName = membersOf({ name: text, effective_from: date, ceased_on: date }, "name");
type PreviousName = NonNullable<ReturnType<typeof previousName>>;
const previousNames = itemsOf(previousName);

/**
 * The former names, newest first. A name without a beginning began when the one before it ended, the oldest
 * at the company's creation; a beginning after the end is left out, and so is an item without a name.
 */
const orderedNames: Rule<PreviousName[]> = (value, field, around) => {
  const names = previousNames(value, field, around);
  // A name without an end cannot be sorted by end: then the given order, newest first, is used.
  if (names?.every((item) => item.ceased_on)) names.sort(byNewestEnd);
  const { date_of_creation: createdOn } = around.read as { date_of_creation?: string };
  return names?.map((item, index) => {
    const { name, effective_from, ceased_on } = item;
    const before = index < names.length - 1 ? names[index + 1]?.ceased_on : undefined;
    const isOldest = index === names.length - 1 && names.length < NAMES_A_SOURCE_MAY_HOLD;
    const beginning = effective_from ?? (isOldest ? createdOn : before);
    if (beginning && (!ceased_on || beginning <= ceased_on)) return { ...item, effective_from: beginning };
    return ceased_on ? { name, ceased_on } : { name };
  });
};

const sicCodes: Rule<string[]> = (value, field, around) => {
  const codes: string[] = [];
  for (const item of Array.isArray(value) ? value : [value]) {
    const code = text(item, field, around);
    if (code === undefined || codes.includes(code)) continue;
    if (SIC_CODE.test(code)) codes.push(code);
    else drop(around, field, "not a SIC code");
  }
  return codes.length > 0 ? codes : undefined;
};

/** A deprecated flag: where the API has the link instead, the link counts (specification 2.1). */
function flagOrLink(link: string): Rule<boolean> {
  return (value, field, around) => {
    const { links } = around.raw;
    return isMembers(links) && links[link] ? true : flag(value, field, around);
  };
}

/** A word that the company's number shows where it is not stated. */
function textOrOfNumber(derive: (number: string) => string | null | undefined): Rule<string> {
  return (value, field, around) =>
    text(value, field, around) ?? derive(around.read.company_number as string) ?? undefined;
}

function dateBefore(end: string): Rule<string> {
  return (value, field, around) => {
    const day = date(value, field, around);
    return day && day < end ? day : undefined;
  };
}

// In the order in which records have them.
const readOthers = readerOf({
  company_status: text,
  company_status_detail: text,
  date_of_cessation: date,
  date_of_creation: date,
  jurisdiction: textOrOfNumber(jurisdictionOf),
  partial_data_available: textOrOfNumber(partialDataOf),
  subtype: (value, field, around) => {
    const member = "is_community_interest_company";
    const isCommunityInterest = flag(around.raw[member], member, around);
    return text(value, field, around) ?? (isCommunityInterest ? "community-interest-company" : undefined);
  },
  has_been_liquidated: flag,
  has_charges: flagOrLink("charges"),
  has_insolvency_history: flagOrLink("insolvency"),
  has_super_secure_pscs: flag,
  is_on_register_in_country_formed_in: flag,
  registered_office_is_in_dispute: flag,
  undeliverable_registered_office_address: flag,
  accounts,
  annual_return: membersOf({
    last_made_up_to: date,
    next_due: dateBefore(ANNUAL_RETURN_DUE_BEFORE),
    next_made_up_to: dateBefore(ANNUAL_RETURN_MADE_UP_BEFORE),
  }),
  confirmation_statement: confirmationStatement,
  last_full_members_list_date: date,
  branch_company_details: branch,
  corporate_annotation: itemsOf(membersOf({ type: text, created_on: date, description: text }, "type")),
  external_registration_number: text,
  foreign_company_details: foreignCompany,
  previous_company_names: orderedNames,
  registered_office_address: address,
  service_address: address,
  sic_codes: sicCodes,
  term: text,
} satisfies RulesOf<Omit<CompanyProfile, "company_name" | "company_number" | "type" | "etag">>);

type RulesOf<T> = { [Member in keyof Required<T>]: Rule<T[Member]> };

/**
 * Turns a raw company into the stored one, with a sentence for each value that was dropped on the way. What the input does not
 * contain stays absent, except what the number itself shows (jurisdiction, partial data). Throws RecordError without a name,
 * a type or a number.
 */
export function normaliseCompany(raw: RawCompany): { data: CompanyProfile; warnings: string[] } {
  const warnings: string[] = [];
  const company_number = normaliseNumber(raw.company_number);
  const company_name = asText(raw.company_name);
  if (company_name === undefined) throw new RecordError("is missing", "company_name");
  const type = asText(raw.type);
  if (type === undefined) throw new RecordError("is missing", "type");
  const data: CompanyProfile = { company_name, company_number, type };
  readOthers(data, raw, warnings);
  return { data, warnings };
}

function normaliseNumber(value: unknown): string {
  const given = typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
  if (given === "") throw new RecordError("is missing", "company_number");
  const number = parseCompanyNumber(given);
  if (number === null)
    throw new RecordError(`"${given.slice(0, 50)}" is not a company number`, "company_number");
  return number;
}
