/**
 * Owns how a row of the company CSV is merged with the stored company. Absent fields leave what is stored (bulk formats 1.7),
 * also where the file lacks their column; what a row shows to be over is removed.
 */
import type { Address } from "../../api/core/address.ts";
import { ENDED_STATUSES, type CompanyProfile } from "../../api/resources/company-profile/record.ts";
import {
  address,
  each,
  given,
  isAnother,
  mergeAddresses,
  mergeRecords,
  says,
  until,
  value,
  type Telling,
} from "../statements/merge.ts";
import type { Table } from "../statements/statement.ts";
import { mayBeOfType, NAMES_IN_A_ROW, type Layout } from "./company-csv-row.ts";

type Company = Partial<CompanyProfile>;
type Accounts = NonNullable<CompanyProfile["accounts"]>;
type LastAccounts = NonNullable<Accounts["last_accounts"]>;
type Statement = NonNullable<CompanyProfile["confirmation_statement"]>;
type PreviousName = NonNullable<CompanyProfile["previous_company_names"]>[number];

const RULES: Telling = {
  ...each(["company_name", "company_status", "date_of_creation", "has_charges"], value),
  ...each(["last_full_members_list_date", "sic_codes"], value),
  accounts: given((held, incoming) => mergeRecords(held, incoming, ACCOUNTS)),
  annual_return: given(mergeReturns),
  // A detail belongs to its status. Of the details the CSV knows one, and would give it (bulk formats 1.2).
  company_status_detail: until<CompanyProfile>(
    ({ held, incoming: { company_status: status } }) =>
      isAnother(held.company_status, status) ||
      (status !== undefined && held.company_status_detail === "active-proposal-to-strike-off"),
  ),
  confirmation_statement: given(mergeStatements),
  // A company that has been restored has not ceased.
  date_of_cessation: until<CompanyProfile>(
    ({ held: { company_status: before = "" }, incoming: { company_status: after } }) =>
      ENDED_STATUSES.has(before) && after !== undefined && !ENDED_STATUSES.has(after),
  ),
  previous_company_names: given(mergePreviousNames),
  registered_office_address: given(mergeOfficeAddress),
  // A subtype belongs to its type. Community interest companies have a category of their own.
  subtype: until<CompanyProfile>(
    ({ held, incoming }) => held.subtype === "community-interest-company" || !keepsType(held, incoming),
  ),
  type: (held, incoming, records) => (keepsType(records.held, records.incoming) ? held : incoming),
};

/** The rules by the names under which records remember them. */
export const companyTellings: Readonly<Record<string, Table>> = Object.fromEntries(
  [true, false].flatMap((isTypeKnown) =>
    [true, false].map((isAddressWhole) => {
      const rules = {
        ...RULES,
        ...(!isAddressWhole && { registered_office_address: address }),
        ...(!isTypeKnown && { type: (held: unknown, guess: unknown) => held ?? guess, subtype: value }),
      };
      return [tellingOf({ isAddressWhole }, isTypeKnown), { rules, outdates: [] }];
    }),
  ),
);

/** The name of the rules for a row. */
export function tellingOf({ isAddressWhole }: Pick<Layout, "isAddressWhole">, isTypeKnown: boolean): string {
  return `company-csv${isTypeKnown ? "" : "-of-any-type"}${isAddressWhole ? "" : "-in-part"}`;
}

/** True where the row's category may stand for the stored type. */
function keepsType(held: Company, incoming: Company): boolean {
  return held.type !== undefined && mayBeOfType(held.type, incoming);
}

/** Stored names stay where they are told again: the CSV only reckons when one began. Behind a full row there may be older ones. */
function mergePreviousNames(held: PreviousName[], incoming: PreviousName[]): PreviousName[] {
  const find = (item: PreviousName) => held.findIndex((before) => isSameName(before, item));
  const told = incoming.map((item) => ({ ...item, ...held[find(item)] }));
  const oldest = incoming.at(-1);
  if (!oldest || incoming.length < NAMES_IN_A_ROW) return told;
  const position = find(oldest);
  const isOlder = ({ ceased_on }: PreviousName, at: number) =>
    position === -1 ? (ceased_on ?? "") < (oldest.ceased_on ?? "") : at > position;
  return [...told, ...held.filter(isOlder)];
}

function isSameName(held: PreviousName, { name, ceased_on }: PreviousName): boolean {
  return says(held.name, name) && (ceased_on === undefined || held.ceased_on === ceased_on);
}

/** What an edition told without premises and in capitals is no richer for a line that the next one leaves out. */
function mergeOfficeAddress(held: Address, incoming: Address): Address {
  const isOfCsv =
    held.premises === undefined &&
    Object.entries(held).every(([member, text]) => member === "country" || text === text.toUpperCase());
  return isOfCsv ? incoming : mergeAddresses(held, incoming);
}

// What belongs to one period of accounts or returns goes when the CSV tells another last period.
const ACCOUNTS: Telling = {
  accounting_reference_date: (held, incoming) => incoming ?? held,
  // A type without its period fills a gap: it may be that of other accounts.
  last_accounts: given((held: LastAccounts, incoming: LastAccounts) => {
    if (incoming.period_end_on === undefined) return { ...incoming, ...held };
    return isAnother(held.period_end_on, incoming.period_end_on) ? incoming : { ...held, ...incoming };
  }),
  next_accounts: (_held, _incoming, { held, incoming }) => mergeNext(held, incoming),
};

/**
 * The CSV tells only the day due. With another one the stored period stays while the row confirms the last period, does not
 * tell another reference date, and the period ends before that day.
 */
function mergeNext(held: Accounts, incoming: Accounts): Accounts["next_accounts"] {
  const [before, after] = [held.next_accounts, incoming.next_accounts];
  const [last, toldLast] = [held.last_accounts?.period_end_on, incoming.last_accounts?.period_end_on];
  if (isAnother(last, toldLast)) return after;
  if (!before || !after?.due_on) return after ?? before;
  const { accounting_reference_date: reference } = incoming;
  const isSameYear = reference === undefined || says(held.accounting_reference_date, reference);
  const isSame = last === toldLast && isSameYear && (before.period_end_on ?? "") < after.due_on;
  return isSame || before.due_on === after.due_on ? { ...before, ...after } : after;
}

/** Annual returns: next days are those after the last. */
function mergeReturns(held: Statement, incoming: Statement): Statement {
  return isAnother(held.last_made_up_to, incoming.last_made_up_to) ? incoming : { ...held, ...incoming };
}

/**
 * Confirmation statements. The CSV's next day is only reckoned from the day due, which may have been put off: until a statement
 * is filed the stored one stays, if it is before the day due.
 */
function mergeStatements(held: Statement, incoming: Statement): Statement {
  const merged = mergeReturns(held, incoming);
  const { next_made_up_to: next } = held;
  const isSame = held.last_made_up_to === incoming.last_made_up_to && (next ?? "") < (merged.next_due ?? "");
  return next && isSame ? { ...merged, next_made_up_to: next } : merged;
}
