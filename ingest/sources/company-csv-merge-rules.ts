/**
 * Merge rules of the company CSV. An edition replaces earlier editions, except members for which it lacks columns.
 * Where other sources have stated a value, an absent one leaves it (bulk formats 1.7).
 */
import type { CompanyProfile } from "../../api/resources/company-profile/members.ts";
import { ENDED_STATUSES } from "../../api/shared/values/enumerations.ts";
import {
  address,
  each,
  given,
  isAnother,
  mergeRecords,
  says,
  until,
  value,
  type MemberRules,
} from "../statements/merge.ts";
import type { MergeRules } from "../statements/statement.ts";
import { NAMES_IN_A_ROW } from "./company-csv-columns.ts";
import { mayBeOfType } from "./company-csv-row.ts";

type Company = Partial<CompanyProfile>;
type Accounts = NonNullable<CompanyProfile["accounts"]>;
type LastAccounts = NonNullable<Accounts["last_accounts"]>;
type Statement = NonNullable<CompanyProfile["confirmation_statement"]>;
type PreviousName = NonNullable<CompanyProfile["previous_company_names"]>[number];

// Without the day of the last full list of members, which thus only fills a gap: it is an assumption that the last
// return had such a list (bulk formats 1.2).
const RULES: MemberRules = {
  ...each(["company_name", "company_status", "date_of_creation", "has_charges", "sic_codes"], value),
  accounts: given((stored, incoming) => mergeRecords(stored, incoming, ACCOUNTS)),
  annual_return: given(mergeReturns),
  // A detail belongs to its status. The CSV has only one detail and always gives it (bulk formats 1.2).
  company_status_detail: until<CompanyProfile>(
    ({ stored, incoming: { company_status: status } }) =>
      isAnother(stored.company_status, status) ||
      (status !== undefined && stored.company_status_detail === "active-proposal-to-strike-off"),
  ),
  confirmation_statement: given(mergeStatements),
  // A restored company has not ceased.
  date_of_cessation: until<CompanyProfile>(
    ({ stored: { company_status: before = "" }, incoming: { company_status: after } }) =>
      ENDED_STATUSES.has(before) && after !== undefined && !ENDED_STATUSES.has(after),
  ),
  foreign_company_details: given((stored, incoming) =>
    mergeRecords(stored, incoming, { originating_registry: given(mergeRegistries) }),
  ),
  previous_company_names: given(mergePreviousNames),
  registered_office_address: address,
  // A subtype belongs to its type. Community interest companies have their own category.
  subtype: until<CompanyProfile>(
    ({ stored, incoming }) =>
      incoming.type !== undefined &&
      (stored.subtype === "community-interest-company" || !keepsType(stored, incoming)),
  ),
  type: (stored, incoming, records) => (keepsType(records.stored, records.incoming) ? stored : incoming),
};

export const KNOWN_TYPE = "company-csv";
/** The name of the rules for a row of an unknown company category. */
export const GUESSED_TYPE = "company-csv-of-any-type";
const NAMES = [KNOWN_TYPE, GUESSED_TYPE];
/** Names that earlier releases stored for rows of files without all columns of the address. */
const FORMER_NAMES = NAMES.map((name) => `${name}-in-part`);

export const companyMergeRules: Readonly<Record<string, MergeRules>> = Object.fromEntries(
  [...NAMES, ...FORMER_NAMES].map((name) => {
    const guess = { type: (stored: unknown, guessed: unknown) => stored ?? guessed, subtype: value };
    const rules = name.startsWith(GUESSED_TYPE) ? { ...RULES, ...guess } : RULES;
    return [name, { rules, replaces: [...NAMES, ...FORMER_NAMES] }];
  }),
);

/** The CSV has only the country. */
function mergeRegistries(stored: unknown, incoming: unknown): object {
  return mergeRecords(stored, incoming, { country: value });
}

/** True if the stored type stays. An incoming row may lack its type, when only part of it still counts. */
function keepsType(stored: Company, incoming: Company): boolean {
  return stored.type !== undefined && (incoming.type === undefined || mayBeOfType(stored.type, incoming));
}

/** Repeated names stay as stored, since the CSV only estimates when a name began. A full row may lack older names. */
function mergePreviousNames(stored: PreviousName[], incoming: PreviousName[]): PreviousName[] {
  const find = (item: PreviousName) => stored.findIndex((before) => isSameName(before, item));
  const merged = incoming.map((item) => ({ ...item, ...stored[find(item)] }));
  const oldest = incoming.at(-1);
  if (!oldest || incoming.length < NAMES_IN_A_ROW) return merged;
  const position = find(oldest);
  const isOlder = ({ ceased_on }: PreviousName, at: number) =>
    position === -1 ? (ceased_on ?? "") < (oldest.ceased_on ?? "") : at > position;
  return [...merged, ...stored.filter(isOlder)];
}

function isSameName(stored: PreviousName, { name, ceased_on }: PreviousName): boolean {
  return says(stored.name, name) && (ceased_on === undefined || stored.ceased_on === ceased_on);
}

// Details of an accounting period or return are removed when the CSV has another last period.
const ACCOUNTS: MemberRules = {
  accounting_reference_date: (stored, incoming) => incoming ?? stored,
  // A type without its period only fills a gap: it may belong to other accounts.
  last_accounts: given((stored: LastAccounts, incoming: LastAccounts) => {
    if (incoming.period_end_on === undefined) return { ...incoming, ...stored };
    return isAnother(stored.period_end_on, incoming.period_end_on) ? incoming : { ...stored, ...incoming };
  }),
  next_accounts: (_stored, _incoming, { stored, incoming }) => mergeNext(stored, incoming),
};

/** The CSV has only the due day. If that changes, the stored period stays only if the row agrees with it. */
function mergeNext(stored: Accounts, incoming: Accounts): Accounts["next_accounts"] {
  const [before, after] = [stored.next_accounts, incoming.next_accounts];
  const [last, incomingLast] = [stored.last_accounts?.period_end_on, incoming.last_accounts?.period_end_on];
  if (isAnother(last, incomingLast)) return after;
  if (!before || !after?.due_on) return after ?? before;
  const { accounting_reference_date: reference } = incoming;
  const isSameYear = reference === undefined || says(stored.accounting_reference_date, reference);
  const isSame = last === incomingLast && isSameYear && (before.period_end_on ?? "") < after.due_on;
  return isSame || before.due_on === after.due_on ? { ...before, ...after } : after;
}

function mergeReturns(stored: Statement, incoming: Statement): Statement {
  return isAnother(stored.last_made_up_to, incoming.last_made_up_to) ? incoming : { ...stored, ...incoming };
}

/** The CSV's next day is derived from the due day, which may be postponed: an earlier stored day stays until filing. */
function mergeStatements(stored: Statement, incoming: Statement): Statement {
  const merged = mergeReturns(stored, incoming);
  const { next_made_up_to: next } = stored;
  const isSame =
    stored.last_made_up_to === incoming.last_made_up_to && (next ?? "") < (merged.next_due ?? "");
  return next && isSame ? { ...merged, next_made_up_to: next } : merged;
}
