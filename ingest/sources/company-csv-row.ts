/** Maps one row of the company CSV to the raw company: finds fields by column name, and keys for their words. */
import { companyPrefix, parseCompanyNumber } from "../../api/shared/values/company-number.ts";
import { findStatusCode, parseCompanyStatus } from "../../api/shared/values/company-status.ts";
import {
  enumerationKeys,
  enumerationLabel,
  type EnumerationName,
} from "../../api/shared/values/enumerations.ts";
import { remember } from "../../api/shared/values/remember.ts";
import type { CompanyProfile } from "../../api/resources/company-profile/members.ts";
import type { Layout } from "./company-csv-columns.ts";

// Foreign companies file no confirmation statements; their country of origin is kept.
const OVERSEA_PREFIXES = ["FC", "SF", "NF"];
const FOREIGN_PREFIXES = [...OVERSEA_PREFIXES, "OE"];

const squeeze = remember((text) => text.replace(/\s+/g, "").toLowerCase());

// A bracket at the end only explains and is ignored (bulk formats 1.3).
const CATEGORIES = wordsOf("company_type", {
  "PRI/LTD BY GUAR/NSC": "private-limited-guarant-nsc",
  "PRI/LBG/NSC": "private-limited-guarant-nsc-limited-exemption",
  "PRIV LTD SECT. 30": "private-limited-shares-section-30-exemption",
  // Without "Company" it is read as the kind without share capital, which bulk formats 1.3 assumes.
  "Private Unlimited": "private-unlimited-nsc",
  "Investment Company with Variable Capital": "investment-company-with-variable-capital",
  "Investment Company with Variable Capital(Umbrella)": "icvc-umbrella",
  "Investment Company with Variable Capital(Securities)": "icvc-securities",
  "Investment Company with Variable Capital(Warrant)": "icvc-warrant",
  "Scottish Partnership": "scottish-partnership",
  "European Public Limited-Liability Company": "european-public-limited-liability-company-se",
  "Further Education and Sixth Form College Corps": "further-education-or-sixth-form-college-corporation",
});
const COMMUNITY_INTEREST = "community-interest-company";

// Types whose companies have the category "other"; the number's prefix often says which.
const OTHER_TYPES: Record<string, readonly string[]> = {
  ...{ "assurance-company": ["AC", "SA", "NA"], "oversea-company": ["FC", "SF", "NF"] },
  ...{ "unregistered-company": ["ZC", "SZ", "NZ"], eeig: ["GE", "GS", "GN"], "eeig-establishment": [] },
  ...{ "northern-ireland": [], "northern-ireland-other": [], "uk-establishment": [], other: [] },
};

// Bulk formats 1.5. "Medum" is a typing error of the 2014 edition.
const ACCOUNT_CATEGORIES = wordsOf("account_type", {
  "Accounts type not available": "no-accounts-type-available",
  Medum: "medium",
  // The register's codes.
  ...{ 1: "full", 2: "small", 3: "medium", 4: "group", 5: "dormant", 6: "interim", 7: "initial" },
  ...{ 8: "no-accounts-type-available", 9: "total-exemption-full", A: "total-exemption-small" },
  ...{ B: "partial-exemption", C: "audit-exemption-subsidiary", D: "filing-exemption-subsidiary" },
  ...{ E: "micro-entity", F: "audited-abridged", G: "unaudited-abridged" },
});

/** Maps trimmed fields to the raw company, with warnings. `isTypeKnown`: false for an unknown category. */
export function readRow(fields: string[], layout: Layout, warnings: string[]) {
  const { at } = layout;
  const read: Read = (column) => fields[at[column] ?? -1] ?? "";
  const number = read("CompanyNumber");
  const prefix = companyPrefix(parseCompanyNumber(number) ?? "");
  const known = typeOf(read, prefix, warnings);
  const country = read("CountryOfOrigin");
  const isForeign = FOREIGN_PREFIXES.includes(prefix) && !/^united kingdom$/i.test(country);
  const [lastReturn, lastStatement] = [read("Returns.LastMadeUpDate"), read("ConfStmtLastMadeUpDate")];
  const status = readStatus(read("CompanyStatus"), prefix, warnings);
  // One literal: merging two objects makes mapping a row twice as slow (36 µs against 16).
  const raw: Partial<Record<keyof CompanyProfile, unknown>> = {
    company_name: read("CompanyName"),
    company_number: number,
    type: known?.type ?? "other",
    subtype: known?.subtype,
    company_status: status.company_status,
    company_status_detail: status.detail,
    date_of_cessation: read("DissolutionDate"),
    date_of_creation: read("IncorporationDate"),
    registered_office_address: readAddress(read),
    accounts: readAccounts(read),
    confirmation_statement: OVERSEA_PREFIXES.includes(prefix)
      ? undefined
      : { next_due: read("ConfStmtNextDueDate"), last_made_up_to: lastStatement },
    // Only while no confirmation statement has been filed (specification 2.1).
    annual_return:
      lastStatement === ""
        ? { next_due: read("Returns.NextDueDate"), last_made_up_to: lastReturn }
        : undefined,
    last_full_members_list_date: lastReturn,
    has_charges: readHasCharges(read("Mortgages.NumMortCharges"), warnings),
    sic_codes: readSicCodes(fields, layout),
    foreign_company_details: isForeign ? { originating_registry: { country } } : undefined,
    previous_company_names: readPreviousNames(fields, layout),
  };
  return { raw, isTypeKnown: known !== null };
}

type Read = (column: string) => string;

type CompanyType = Pick<CompanyProfile, "type" | "subtype">;

/** The type by category; prefix and name decide if the category is ambiguous. Null: unknown category. */
function typeOf(read: Read, prefix: string, warnings: string[]): CompanyType | null {
  const category = read("CompanyCategory");
  const key = squeeze(category);
  if (key === "communityinterestcompany") {
    // The name shows a PLC; most of the others are guarantee companies.
    const isPublic = /\bPLC\.?$/i.test(read("CompanyName"));
    return { type: isPublic ? "plc" : "private-limited-guarant-nsc", subtype: COMMUNITY_INTEREST };
  }
  const type = CATEGORIES.get(key) ?? CATEGORIES.get(key.replace(/\(.*$/, ""));
  if (type === undefined) {
    warnings.push(
      `type left out: category "${category.slice(0, 50)}" is unknown; the company keeps its stored type, or is shown as other`,
    );
    return null;
  }
  if (type !== "other") return { type };
  const other = Object.entries(OTHER_TYPES).find(([, prefixes]) => prefixes.includes(prefix));
  return { type: other?.[0] ?? type };
}

/** True if this type fits the category that gave `given`: some categories cover several types, "other" covers all. */
export function mayBeOfType(type: string, given: Partial<CompanyType>): boolean {
  if (type === given.type || given.type === "other") return true;
  if (given.type === "private-unlimited-nsc") return type === "private-unlimited";
  if (given.subtype === COMMUNITY_INTEREST && given.type !== "plc") return type === "ltd" || type === "plc";
  return given.type !== undefined && given.type in OTHER_TYPES && type in OTHER_TYPES;
}

/** The status, with its detail if the text or code has one. Overseas entities are registered, not active. */
function readStatus(text: string, prefix: string, warnings: string[]): Status {
  const status = statusOf(text);
  if (status === null) {
    warnings.push(`company_status left out: status "${text.slice(0, 50)}" is unknown`);
    return {};
  }
  const { company_status, detail } = status;
  return company_status === "active" && !detail && prefix === "OE"
    ? { company_status: "registered" }
    : status;
}

interface Status {
  company_status?: string;
  detail?: string | undefined;
}

/** Null: the text is unknown. */
const statusOf = remember((text): Status | null => {
  if (text === "") return {};
  const ofCode = findStatusCode(text);
  if (ofCode) return ofCode;
  const company_status = parseCompanyStatus(text);
  const detail = /strike/i.test(text) ? "active-proposal-to-strike-off" : undefined;
  return company_status === null ? null : { company_status, detail };
});

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

function readAccounts(read: Read) {
  const type = readAccountType(read("Accounts.AccountCategory"));
  const [day, month] = [read("Accounts.AccountRefDay"), read("Accounts.AccountRefMonth")];
  return {
    // A day without a month, or the reverse, means nothing.
    accounting_reference_date: day && month ? { day, month } : undefined,
    last_accounts: { period_end_on: read("Accounts.LastMadeUpDate"), type },
    next_accounts: { due_on: read("Accounts.NextDueDate") },
  };
}

/** Null: none have been filed. */
function readAccountType(category: string): string | null {
  const key = squeeze(category);
  if (["", "noaccountsfiled", "0"].includes(key)) return null;
  return ACCOUNT_CATEGORIES.get(key) ?? category;
}

function readHasCharges(count: string, warnings: string[]): boolean | undefined {
  if (/^\d+$/.test(count)) return Number(count) > 0;
  if (count !== "") warnings.push("has_charges left out: the count of mortgages is not a number");
  return undefined;
}

function readSicCodes(fields: string[], { sic }: Layout): string[] {
  const texts = sic.map((position) => fields[position] ?? "");
  const given = texts.filter((text) => text !== "" && !/^none supplied$/i.test(text));
  // The digits before any dash: spreadsheets may turn the dash into a long one.
  return given.map((text) => /^\d{4,5}\b/.exec(text)?.[0] ?? text);
}

function readPreviousNames(fields: string[], { previousNames }: Layout) {
  const given = previousNames.filter(([position]) => fields[position]);
  return given.map(([name, ceasedOn]) => ({ name: fields[name], ceased_on: fields[ceasedOn] ?? "" }));
}

/** Keys of an enumeration by the API's labels and by the CSV's other texts for them. */
function wordsOf(list: EnumerationName, others: Record<string, string>): ReadonlyMap<string, string> {
  const labels = enumerationKeys(list).map((key) => [enumerationLabel(list, key) ?? key, key] as const);
  return new Map([...labels, ...Object.entries(others)].map(([text, key]) => [squeeze(text), key]));
}
