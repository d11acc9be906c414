/** The columns of the company CSV: which of them a file has, and which members of a company it can state in full. */
import type { CompanyProfile } from "../../api/resources/company-profile/members.ts";
import { isMembers } from "../../api/shared/values/members.ts";
import type { SourceContext } from "./define-source.ts";

/** How many former names a row can have; it has the newest ones. */
export const NAMES_IN_A_ROW = 10;

const SIC_COLUMNS = [1, 2, 3, 4].map((at) => `SICCode.SicText_${at}`);
const PREVIOUS_NAMES = Array.from({ length: NAMES_IN_A_ROW }, (_, at) => {
  const column = `PreviousName_${at + 1}`;
  return [`${column}.CompanyName`, `${column}.CONDATE`] as const;
});
// All other columns of the format (bulk formats 1.2). Those of the last two lines are not read.
const COLUMNS = `
  CompanyName CompanyNumber CompanyCategory CompanyStatus CountryOfOrigin DissolutionDate IncorporationDate
  RegAddress.CareOf RegAddress.POBox RegAddress.AddressLine1 RegAddress.AddressLine2
  RegAddress.PostTown RegAddress.County RegAddress.Country RegAddress.PostCode
  Accounts.AccountRefDay Accounts.AccountRefMonth Accounts.NextDueDate Accounts.LastMadeUpDate
  Accounts.AccountCategory Returns.NextDueDate Returns.LastMadeUpDate Mortgages.NumMortCharges
  ConfStmtNextDueDate ConfStmtLastMadeUpDate
  Mortgages.NumMortOutstanding Mortgages.NumMortPartSatisfied Mortgages.NumMortSatisfied
  LimitedPartnerships.NumGenPartners LimitedPartnerships.NumLimPartners URI`;
const KNOWN_COLUMNS = new Set([...COLUMNS.trim().split(/\s+/), ...SIC_COLUMNS, ...PREVIOUS_NAMES.flat()]);
// By member, how the names of its columns begin. A file that lacks one of these columns cannot state the member.
const COLUMNS_OF: Readonly<Partial<Record<keyof CompanyProfile, readonly string[]>>> = {
  accounts: ["Accounts."],
  annual_return: ["Returns.", "ConfStmtLastMadeUpDate"],
  confirmation_statement: ["ConfStmt"],
  date_of_cessation: ["DissolutionDate"],
  date_of_creation: ["IncorporationDate"],
  foreign_company_details: ["CountryOfOrigin"],
  has_charges: ["Mortgages.NumMortCharges"],
  last_full_members_list_date: ["Returns.LastMadeUpDate"],
  previous_company_names: ["PreviousName_"],
  registered_office_address: ["RegAddress."],
  sic_codes: ["SICCode."],
};

export function listUnknown(columns: readonly string[]): string[] {
  return columns.filter((name) => !KNOWN_COLUMNS.has(name)).map((name) => name.slice(0, 50));
}

export function listMissing(columns: readonly string[]): string[] {
  return [...KNOWN_COLUMNS].filter((name) => !columns.includes(name));
}

export type Layout = ReturnType<typeof layoutOf>;

export function layoutOf({ columns = [], delimiter = "," }: SourceContext) {
  const find = (name: string) => columns.indexOf(name);
  const known = [...KNOWN_COLUMNS];
  return {
    delimiter,
    columns,
    /** Members for which the file lacks columns: an empty value of these means nothing. */
    leaves: listUnstatable(listMissing(columns)),
    warnings: listUnknown(columns).map((name) => `column "${name}" is unknown, left out`),
    /** Position of each column; -1: missing. */
    at: Object.fromEntries(known.map((name) => [name, find(name)])),
    sic: SIC_COLUMNS.map(find),
    previousNames: PREVIOUS_NAMES.map(([name, ceasedOn]) => [find(name), find(ceasedOn)] as const),
  };
}

function listUnstatable(missing: readonly string[]): string[] {
  const isMissing = (start: string) => missing.some((name) => name.startsWith(start));
  return Object.entries(COLUMNS_OF).flatMap(([member, starts]) => (starts.some(isMissing) ? member : []));
}

// The warning of a value that could not be used begins with its path.
const LEFT_OUT = /^([\w.]+) left out: /;
// Values that are made from another one, or belong to it.
const FOLLOWS: Readonly<Record<string, string>> = {
  company_status: "company_status_detail",
  "confirmation_statement.next_due": "confirmation_statement.next_made_up_to",
};
// By value, another one that its merge rules compare in both editions: earlier days due hold while the last period is
// the same, and the oldest former name began with the company.
const MERGED_WITH: Readonly<Record<string, string>> = {
  "accounts.next_accounts.due_on": "accounts.last_accounts.period_end_on",
  "annual_return.next_due": "annual_return.last_made_up_to",
  "confirmation_statement.next_due": "confirmation_statement.last_made_up_to",
  date_of_creation: "previous_company_names",
};

/** The paths whose values a row leaves to earlier editions. `warnings`: the row's warnings. */
export function leavesOf(
  { leaves }: Layout,
  data: CompanyProfile,
  { isTypeKnown, warnings }: { isTypeKnown: boolean; warnings: readonly string[] },
) {
  const unreadable = warnings.flatMap((warning) => LEFT_OUT.exec(warning)?.[1] ?? []);
  // A full row may lack older names.
  const isFull = data.previous_company_names?.length === NAMES_IN_A_ROW;
  if (isTypeKnown && !isFull && unreadable.length === 0) return leaves;
  const more = [...(isTypeKnown ? [] : ["type", "subtype"]), ...(isFull ? ["previous_company_names"] : [])];
  const left = unreadable.flatMap((path) => [path, ...pathsLeftWith(path, data)]);
  return [...new Set([...leaves, ...more, ...left])];
}

/** Paths that are left together with this one. A value it is compared with is left only if the row gives that value. */
function pathsLeftWith(path: string, data: CompanyProfile): string[] {
  const { [path]: follower } = FOLLOWS;
  const { [path]: other } = MERGED_WITH;
  return [...(follower ? [follower] : []), ...(other && hasPath(data, other) ? [other] : [])];
}

function hasPath(data: CompanyProfile, path: string): boolean {
  const step = (at: unknown, name: string) => (isMembers(at) ? at[name] : undefined);
  return path.split(".").reduce<unknown>(step, data) !== undefined;
}
