/**
 * Turns a company from any source into the stored one, in two steps: `readCompany` reads each member by itself,
 * `settleCompany` completes and corrects members by others.
 */
import { jurisdictionOf, parseCompanyNumber, partialDataOf } from "../../shared/values/company-number.ts";
import { addDays, byNewestEnd } from "../../shared/values/dates.ts";
import { RecordError } from "../../shared/runtime/errors.ts";
import { compileReader, DERIVED } from "../../shared/schemas/read-members.ts";
import { leaveOut, onlyIf, type Read, type Warn } from "../../shared/schemas/read-values.ts";
import { COMPANY_NUMBER, DATE, FLAG } from "../../shared/schemas/schemas.ts";
import { remember } from "../../shared/values/remember.ts";
import { pickMembers, type Members } from "../../shared/values/members.ts";
import { companySchema, DAY_OF_YEAR, SIC_CODE, type CompanyProfile } from "./members.ts";

// Days from the date to which a confirmation statement is made up to the day it is due (bulk formats 1.2).
const DAYS_TO_FILE_STATEMENT = 14;
const dayOfStatement = remember((due) => addDays(due, -DAYS_TO_FILE_STATEMENT));
// From these days on, the confirmation statement applies instead (specification 2.1).
const ANNUAL_RETURN_DUE_BEFORE = "2016-07-28";
const ANNUAL_RETURN_MADE_UP_BEFORE = "2016-07-30";
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
// Limit: the company CSV has room for ten names. Where it gives ten, there may be older ones, so the start of the tenth
// is not known.
const NAMES_A_SOURCE_MAY_HOLD = 10;

const TEXT = { type: "string" };
const overdueSchema = { properties: { overdue: DERIVED } };

const OTHER_LINKS = (
  "self exemptions filing_history officers overseas persons_with_significant_control " +
  "persons_with_significant_control_statements registers uk_establishments uk-establishments"
).split(" ");

/** Members of answers that are not stored: computed, deprecated, spelt differently, or withdrawn by the original. */
const answerMembersSchema = {
  accounts: {
    properties: {
      last_accounts: { properties: { made_up_to: DATE } },
      next_accounts: overdueSchema,
      next_due: DATE,
      next_made_up_to: DATE,
      overdue: DERIVED,
    },
  },
  annual_return: overdueSchema,
  can_file: DERIVED,
  confirmation_statement: overdueSchema,
  foreign_company_details: { properties: { is_a_credit_financial_institution: FLAG, legal_form: TEXT } },
  is_community_interest_company: FLAG,
  kind: DERIVED,
  links: {
    properties: {
      ...Object.fromEntries(OTHER_LINKS.map((link) => [link, DERIVED])),
      charges: TEXT,
      insolvency: TEXT,
    },
  },
  super_secure_managing_officer_count: DERIVED,
};

type Accounts = NonNullable<CompanyProfile["accounts"]>;
type DayOfYear = NonNullable<Accounts["accounting_reference_date"]>;
type Statement = NonNullable<CompanyProfile["confirmation_statement"]>;
type PreviousNames = NonNullable<CompanyProfile["previous_company_names"]>;

/** What is read of a company: stored members, and members of answers that state the same in another form. */
type ReadCompany = Partial<CompanyProfile> & {
  accounts?: { last_accounts?: { made_up_to?: string }; next_due?: string; next_made_up_to?: string };
  foreign_company_details?: { is_a_credit_financial_institution?: boolean; legal_form?: string };
  is_community_interest_company?: boolean;
  links?: { charges?: string; insolvency?: string };
};

const readMembers = compileReader(
  [{ isLenient: true, properties: companySchema.properties }, { properties: answerMembersSchema }],
  new Map<unknown, Read>([
    [COMPANY_NUMBER, readNumber],
    // No company has a date before the year 1000.
    [DATE, onlyIf<string>((day) => day >= "1000", "not a valid date")],
    [
      DAY_OF_YEAR,
      onlyIf<DayOfYear>(({ day, month }) => day <= (DAYS_IN_MONTH[month - 1] ?? 0), "no day of a year"),
    ],
    [SIC_CODE, onlyIf<string>((code) => /^\d{4,5}$/.test(code), "not a SIC code")],
  ]),
);

/**
 * Reads each member of a company by itself, with a warning for each value that is left out. `raw` has the API's
 * members, each absent, null, empty or a value. Throws RecordError for a wrong number; leading zeros may be missing.
 */
export function readCompany(raw: Members, warnings: string[]): ReadCompany {
  // The cast: these are the members that the schemas name.
  return readMembers(raw, (warning) => warnings.push(warning));
}

function readNumber(value: unknown, field: string, warn: Warn): string | undefined {
  const given = String(value);
  const number = parseCompanyNumber(given);
  if (number !== null) return number;
  // The number of another company, the parent: the rest is useful without it.
  if (field !== "company_number") return leaveOut(field, "not a company number", warn);
  throw new RecordError(`"${given.slice(0, 50)}" is not a company number`, field);
}

type Settling = {
  [Member in keyof CompanyProfile]?: (read: ReadCompany) => CompanyProfile[Member] | undefined;
};

/** The final values of members that other members state as well, or that depend on others. The rest stay as read. */
const settling: Settling = {
  jurisdiction: (read) => read.jurisdiction ?? jurisdictionOf(read.company_number ?? ""),
  partial_data_available: (read) =>
    read.partial_data_available ?? partialDataOf(read.company_number ?? "") ?? undefined,
  subtype: (read) =>
    read.subtype ?? (read.is_community_interest_company ? "community-interest-company" : undefined),
  // A link of the API counts instead of the deprecated flag (specification 2.1).
  has_charges: ({ links, has_charges: flag }) => (links?.charges ? true : flag),
  has_insolvency_history: ({ links, has_insolvency_history: flag }) => (links?.insolvency ? true : flag),
  accounts: ({ accounts }) => accounts && settleAccounts(accounts),
  annual_return: ({ annual_return: given }) => given && settleReturn(given),
  confirmation_statement: ({ confirmation_statement: given }) => given && settleStatement(given),
  foreign_company_details: ({ foreign_company_details: given }) => given && settleForeign(given),
  previous_company_names: ({ previous_company_names: names, date_of_creation: createdOn }) =>
    names && orderNames(names, createdOn),
  sic_codes: ({ sic_codes: codes }) => codes && [...new Set(codes)],
};

// In the order in which records have them.
const members = keysOf(companySchema.properties).map((name) => ({ name, settle: settling[name] }));
const FOREIGN = keysOf(companySchema.properties.foreign_company_details.properties);

function keysOf<T extends object>(from: T): (keyof T)[] {
  return Object.keys(from) as (keyof T)[];
}

/** The members that have a value; undefined if none has. */
function keep<T extends object>(from: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } | undefined {
  const kept: Partial<T> = {};
  for (const name of keysOf(from)) if (from[name]) kept[name] = from[name];
  return keysOf(kept).length > 0 ? (kept as ReturnType<typeof keep<T>>) : undefined;
}

/**
 * The stored company. A member that was not read stays absent, unless other members imply it or the number shows it
 * (jurisdiction, partial data). Throws RecordError without a name, a type or a number.
 */
export function settleCompany(read: ReadCompany): CompanyProfile {
  for (const name of companySchema.required)
    if (read[name] === undefined) throw new RecordError("is missing", name);
  const company: Members = {};
  for (const { name, settle } of members) {
    const value = settle ? settle(read) : read[name as keyof ReadCompany];
    if (value !== undefined) company[name] = value;
  }
  // The cast: required members were checked above.
  return company as CompanyProfile;
}

/** Fills gaps of the current members from the deprecated ones beside them, which the company CSV does not have. */
function settleAccounts(given: NonNullable<ReadCompany["accounts"]>): Accounts | undefined {
  const { accounting_reference_date, last_accounts: last = {}, next_accounts: next = {} } = given;
  const { next_due, next_made_up_to } = given;
  if (!last.made_up_to && !next_due && !next_made_up_to) return given;
  return keep({
    accounting_reference_date,
    last_accounts: keep({
      period_start_on: last.period_start_on,
      period_end_on: last.period_end_on ?? last.made_up_to,
      type: last.type,
    }),
    next_accounts: keep({
      due_on: next.due_on ?? next_due,
      period_start_on: next.period_start_on,
      period_end_on: next.period_end_on ?? next_made_up_to,
    }),
  });
}

/** The annual return without days from after its time, when the confirmation statement had replaced it. */
function settleReturn({ last_made_up_to, next_due = "", next_made_up_to = "" }: Statement) {
  return keep({
    last_made_up_to,
    next_due: next_due < ANNUAL_RETURN_DUE_BEFORE ? next_due : "",
    next_made_up_to: next_made_up_to < ANNUAL_RETURN_MADE_UP_BEFORE ? next_made_up_to : "",
  });
}

function settleStatement(given: Statement): Statement {
  const { next_due: due, next_made_up_to } = given;
  if (!due || next_made_up_to) return given;
  return { ...given, next_made_up_to: dayOfStatement(due) };
}

/** Accepts the names in live answers (`legal_form`, …) as well. */
function settleForeign(given: NonNullable<ReadCompany["foreign_company_details"]>) {
  const { legal_form, is_a_credit_financial_institution: isInstitution } = given;
  const spelt = { company_type: legal_form, is_a_credit_finance_institution: isInstitution, ...given };
  return pickMembers(spelt, FOREIGN);
}

/**
 * The former names, newest first. A name without a start began when the name before it ended, and the oldest at the
 * company's creation. A start after the end is left out.
 */
function orderNames(given: PreviousNames, createdOn: string | undefined): PreviousNames {
  // A name without an end cannot be sorted by its end. The given order is newest first already.
  const names = given.every((item) => item.ceased_on) ? given.toSorted(byNewestEnd) : given;
  return names.map((item, index) => {
    const { effective_from, ...undated } = item;
    const { ceased_on } = item;
    const before = names[index + 1]?.ceased_on;
    const isOldest = index === names.length - 1 && names.length < NAMES_A_SOURCE_MAY_HOLD;
    const beginning = effective_from ?? (isOldest ? createdOn : before);
    if (beginning && (!ceased_on || beginning <= ceased_on)) return { ...item, effective_from: beginning };
    return undated;
  });
}
