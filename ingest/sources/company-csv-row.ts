/** Owns one row of the company CSV: its fields, found by column name, to the raw company. */
import { companyPrefix, parseCompanyNumber } from "../../api/core/company-number.ts";
import type { RawCompany } from "../../api/resources/company-profile/normalise.ts";
import type { SourceContext } from "./define-source.ts";
import { accountTypeOf, companyStandingOf, companyTypeOf } from "./company-csv-words.ts";

/** Former names that a row has room for; the newest stand there. */
export const NAMES_IN_A_ROW = 10;

// The columns of the format (bulk formats 1.2), but for former names.
const COLUMNS = [
  ...(["CompanyName", "CompanyNumber", "CompanyCategory", "CompanyStatus", "CountryOfOrigin"] as const),
  ...(["DissolutionDate", "IncorporationDate", "ConfStmtNextDueDate", "ConfStmtLastMadeUpDate"] as const),
  ...columnsOf("RegAddress", ["CareOf", "POBox", "AddressLine1", "AddressLine2"]),
  ...columnsOf("RegAddress", ["PostTown", "County", "Country", "PostCode"]),
  ...columnsOf("Accounts", ["AccountRefDay", "AccountRefMonth", "NextDueDate", "LastMadeUpDate"]),
  ...columnsOf("Accounts", ["AccountCategory"]),
  ...columnsOf("Returns", ["NextDueDate", "LastMadeUpDate"]),
  ...columnsOf("Mortgages", ["NumMortCharges"]),
];
type Column = (typeof COLUMNS)[number];
const SIC_COLUMNS = columnsOf("SICCode", ["SicText_1", "SicText_2", "SicText_3", "SicText_4"]);
const PREVIOUS_NAMES = Array.from({ length: NAMES_IN_A_ROW }, (_, at) => ({
  name: `PreviousName_${at + 1}.CompanyName`,
  ceasedOn: `PreviousName_${at + 1}.CONDATE`,
}));
const KNOWN_COLUMNS = new Set<string>([
  ...[...COLUMNS, ...SIC_COLUMNS, ...PREVIOUS_NAMES.flatMap(({ name, ceasedOn }) => [name, ceasedOn])],
  // These are not read.
  ...columnsOf("Mortgages", ["NumMortOutstanding", "NumMortPartSatisfied", "NumMortSatisfied"]),
  ...[...columnsOf("LimitedPartnerships", ["NumGenPartners", "NumLimPartners"]), "URI"],
]);
// Companies of other countries: no confirmation statements, and a country of origin worth telling.
const OVERSEA_PREFIXES: ReadonlySet<string> = new Set(["FC", "SF", "NF"]);
const FOREIGN_PREFIXES: ReadonlySet<string> = new Set([...OVERSEA_PREFIXES, "OE"]);

function columnsOf<Group extends string, Name extends string>(group: Group, names: readonly Name[]) {
  return names.map((name) => `${group}.${name}` as const);
}

/** What the header of a file says of its rows. */
export type Layout = ReturnType<typeof layoutOf>;

/** Looks the columns up in the header: where each stands, -1 for one that the file lacks. */
export function layoutOf({ columns = [], delimiter = "," }: SourceContext) {
  const find = (name: string) => columns.indexOf(name);
  const unknown = columns.filter((name) => !KNOWN_COLUMNS.has(name));
  return {
    delimiter,
    /** How many fields a row has. */
    width: columns.length,
    /** True when the file has all columns of the address: a part that a row leaves out is then left out of the address. */
    isAddressWhole: COLUMNS.every((name) => !name.startsWith("RegAddress.") || columns.includes(name)),
    /** A sentence for each column that the format does not know. */
    warnings: unknown.map((name) => `column "${name.slice(0, 50)}" is new, left out`),
    at: Object.fromEntries(COLUMNS.map((name) => [name, find(name)])) as Record<Column, number>, // has all of them
    sic: SIC_COLUMNS.map(find),
    previousNames: PREVIOUS_NAMES.map(({ name, ceasedOn }) => ({
      name: find(name),
      ceasedOn: find(ceasedOn),
    })),
  };
}

/** Fields to the raw company; `isTypeKnown` is false where the category is not. What the tables do not know is warned of. */
export function readCompany(
  fields: string[],
  layout: Layout,
  warnings: string[],
): { raw: RawCompany; isTypeKnown: boolean } {
  const { at } = layout;
  const read: Read = (column) => fields[at[column]] ?? "";
  const number = read("CompanyNumber");
  const prefix = companyPrefix(parseCompanyNumber(number) ?? "");
  const category = read("CompanyCategory");
  const known = companyTypeOf(category, { prefix, name: read("CompanyName") });
  if (!known)
    warnings.push(`type is other unless another is held: category "${category.slice(0, 50)}" is unknown`);
  // One literal: put together from two objects, it makes the mapping of a row twice as slow (36 µs against 16).
  const raw: RawCompany = {
    company_name: read("CompanyName"),
    company_number: number,
    type: known?.type ?? "other",
    subtype: known?.subtype,
    ...readStanding(read("CompanyStatus"), prefix, warnings),
    date_of_cessation: read("DissolutionDate"),
    date_of_creation: read("IncorporationDate"),
    registered_office_address: readAddress(read),
    accounts: readAccounts(read, warnings),
    confirmation_statement: OVERSEA_PREFIXES.has(prefix) ? undefined : readStatement(read),
    annual_return: readAnnualReturn(read),
    last_full_members_list_date: read("Returns.LastMadeUpDate"),
    has_charges: readHasCharges(read("Mortgages.NumMortCharges").trim(), warnings),
    sic_codes: readSicCodes(fields, layout),
    foreign_company_details: FOREIGN_PREFIXES.has(prefix) ? readOrigin(read("CountryOfOrigin")) : undefined,
    previous_company_names: readPreviousNames(fields, layout),
  };
  return { raw, isTypeKnown: known !== null };
}

/** The field of a column; empty for one that the file lacks. */
type Read = (column: Column) => string;

function readStanding(text: string, prefix: string, warnings: string[]) {
  if (text.trim() === "") return undefined;
  const standing = companyStandingOf(text, prefix);
  if (!standing) warnings.push(`company_status left out: status "${text.slice(0, 50)}" is unknown`);
  return standing;
}

function readAddress(read: Read) {
  return {
    care_of: read("RegAddress.CareOf"),
    po_box: read("RegAddress.POBox"),
    address_line_1: read("RegAddress.AddressLine1"),
    address_line_2: read("RegAddress.AddressLine2"),
    locality: read("RegAddress.PostTown"),
    region: read("RegAddress.County"),
    country: read("RegAddress.Country"),
    postal_code: read("RegAddress.PostCode"),
  };
}

function readAccounts(read: Read, warnings: string[]) {
  const type = readAccountType(read("Accounts.AccountCategory"), warnings);
  return {
    accounting_reference_date: {
      day: read("Accounts.AccountRefDay"),
      month: read("Accounts.AccountRefMonth"),
    },
    last_accounts: { period_end_on: read("Accounts.LastMadeUpDate"), type },
    next_accounts: { due_on: read("Accounts.NextDueDate") },
  };
}

function readAccountType(category: string, warnings: string[]): string | null {
  const type = category.trim() === "" ? null : accountTypeOf(category);
  if (type !== undefined) return type;
  const field = "accounts.last_accounts.type";
  warnings.push(`${field} left out: account category "${category.slice(0, 50)}" is unknown`);
  return null;
}

function readStatement(read: Read) {
  return { next_due: read("ConfStmtNextDueDate"), last_made_up_to: read("ConfStmtLastMadeUpDate") };
}

/** Told only while no confirmation statement has been filed (specification 2.1). */
function readAnnualReturn(read: Read) {
  if (read("ConfStmtLastMadeUpDate") !== "") return undefined;
  return { next_due: read("Returns.NextDueDate"), last_made_up_to: read("Returns.LastMadeUpDate") };
}

function readHasCharges(count: string, warnings: string[]): boolean | undefined {
  if (/^\d+$/.test(count)) return Number(count) > 0;
  if (count !== "") warnings.push("has_charges left out: the count of mortgages is no number");
  return undefined;
}

function readSicCodes(fields: string[], { sic }: Layout): string[] {
  const codes: string[] = [];
  for (const position of sic) {
    const text = fields[position] ?? "";
    if (text !== "" && !/^none supplied$/i.test(text)) codes.push(text.split(" - ", 1)[0] ?? text);
  }
  return codes;
}

function readOrigin(country: string) {
  return /^united kingdom$/i.test(country) ? undefined : { originating_registry: { country } };
}

function readPreviousNames(fields: string[], { previousNames }: Layout) {
  const names = [];
  for (const at of previousNames) {
    const name = fields[at.name] ?? "";
    if (name !== "") names.push({ name, ceased_on: fields[at.ceasedOn] ?? "" });
  }
  return names;
}
