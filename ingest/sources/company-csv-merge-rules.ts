/** Merge rules of the company CSV: an absent field or column leaves what is stored (bulk formats 1.7). */
import type { Address } from "../../api/shared/values/address.ts";
import type { CompanyProfile } from "../../api/resources/company-profile/members.ts";
import { ENDED_STATUSES } from "../../api/shared/values/enumerations.ts";
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
  type MemberRules,
} from "../statements/merge.ts";
import type { MergeRules } from "../statements/statement.ts";
import { mayBeOfType, NAMES_IN_A_ROW, type Layout } from "./company-csv-row.ts";

type Company = Partial<CompanyProfile>;
type Accounts = NonNullable<CompanyProfile["accounts"]>;
type LastAccounts = NonNullable<Accounts["last_accounts"]>;
type Statement = NonNullable<CompanyProfile["confirmation_statement"]>;
type PreviousName = NonNullable<CompanyProfile["previous_company_names"]>[number];

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
  registered_office_address: given(mergeOfficeAddress),
  // A subtype belongs to its type. Community interest companies have their own category.
  subtype: until<CompanyProfile>(
    ({ stored, incoming }) => stored.subtype === "community-interest-company" || !keepsType(stored, incoming),
  ),
  type: (stored, incoming, records) => (keepsType(records.stored, records.incoming) ? stored : incoming),
};

const KINDS = [true, false].flatMap((isTypeKnown) =>
  [true, false].map((isAddressWhole) => {
    return { isTypeKnown, isAddressWhole, name: companyRulesName({ isAddressWhole }, isTypeKnown) };
  }),
);

export const companyMergeRules: Readonly<Record<string, MergeRules>> = Object.fromEntries(
  KINDS.map(({ isTypeKnown, isAddressWhole, name }) => {
    const rules = {
      ...RULES,
      ...(!isAddressWhole && { registered_office_address: address }),
      ...(!isTypeKnown && { type: (stored: unknown, guess: unknown) => stored ?? guess, subtype: value }),
    };
    const kinds = KINDS.map((kind) => kind.name);
    // An earlier edition's letter case of the name does not count any more, nor do lines of an address that it alone states,
    // nor its last return, which only fills a gap: that this was the day of a full list of members is assumed (bulk formats 1.2).
    const replacesMembers = {
      ...{ company_name: kinds, last_full_members_list_date: kinds },
      ...(isAddressWhole && { registered_office_address: kinds }),
    };
    return [name, { rules, replaces: [], replacesMembers }];
  }),
);

export function companyRulesName({ isAddressWhole }: Pick<Layout, "isAddressWhole">, isTypeKnown: boolean) {
  return `company-csv${isTypeKnown ? "" : "-of-any-type"}${isAddressWhole ? "" : "-in-part"}`;
}

/** The CSV has the country alone. */
function mergeRegistries(stored: unknown, incoming: unknown): object {
  return mergeRecords(stored, incoming, { country: value });
}

function keepsType(stored: Company, incoming: Company): boolean {
  return stored.type !== undefined && mayBeOfType(stored.type, incoming);
}

/** Repeated names stay as stored: the CSV estimates when a name began. A full row may lack older ones. */
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

/** Replaces an address that came from the CSV (capitals, no premises): lines that the row lacks go. */
function mergeOfficeAddress(stored: Address, incoming: Address): Address {
  const isOfCsv =
    stored.premises === undefined &&
    Object.entries(stored).every(([member, text]) => member === "country" || text === text.toUpperCase());
  return isOfCsv ? incoming : mergeAddresses(stored, incoming);
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

/** The CSV has only the day due: if it changes, the stored period stays only if the row agrees with it. */
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

/** The CSV's next day follows a due day that may be postponed: an earlier stored one stays until filing. */
function mergeStatements(stored: Statement, incoming: Statement): Statement {
  const merged = mergeReturns(stored, incoming);
  const { next_made_up_to: next } = stored;
  const isSame =
    stored.last_made_up_to === incoming.last_made_up_to && (next ?? "") < (merged.next_due ?? "");
  return next && isSame ? { ...merged, next_made_up_to: next } : merged;
}
