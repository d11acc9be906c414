/** Owns the raw company that every source maps to, and its normalisation to the stored profile. */
import { normaliseAddress, type Address } from "../../shared/values/address.ts";
import { jurisdictionOf, parseCompanyNumber, partialDataOf } from "../../shared/values/company-number.ts";
import { addDays } from "../../shared/values/dates.ts";
import { enumerationKeys, type EnumerationName } from "../../shared/values/enumerations.ts";
import { RecordError } from "../../shared/runtime/errors.ts";
import {
  normaliseAccounts,
  normaliseBranch,
  normaliseForeignCompany,
  normalisePreviousNames,
} from "./normalise-nested.ts";
import { addDefined, compact, itemsOf, membersOf, RawReader } from "./raw-values.ts";
import type { CompanyProfile } from "./members.ts";

/**
 * A company as a source knows it: the API's members, each absent, null, empty or a value. Dates may be in
 * any form `parseDate` reads, numbers and flags may be text, the number may lack its zeros, and the
 * deprecated members of the API (`accounts.next_due`, `links.charges`, …) count where the current ones are absent.
 * Members not listed here are ignored.
 */
export interface RawCompany {
  accounts?: unknown;
  annual_return?: unknown;
  branch_company_details?: unknown;
  company_name?: unknown;
  company_number?: unknown;
  company_status?: unknown;
  company_status_detail?: unknown;
  confirmation_statement?: unknown;
  corporate_annotation?: unknown;
  date_of_cessation?: unknown;
  date_of_creation?: unknown;
  external_registration_number?: unknown;
  foreign_company_details?: unknown;
  has_been_liquidated?: unknown;
  has_charges?: unknown;
  has_insolvency_history?: unknown;
  has_super_secure_pscs?: unknown;
  is_community_interest_company?: unknown;
  is_on_register_in_country_formed_in?: unknown;
  jurisdiction?: unknown;
  last_full_members_list_date?: unknown;
  links?: unknown;
  partial_data_available?: unknown;
  previous_company_names?: unknown;
  registered_office_address?: unknown;
  registered_office_is_in_dispute?: unknown;
  service_address?: unknown;
  sic_codes?: unknown;
  subtype?: unknown;
  term?: unknown;
  type?: unknown;
  undeliverable_registered_office_address?: unknown;
}

/** The stored profile, and a sentence for each value that was dropped on the way. */
export interface NormalisedCompany {
  data: CompanyProfile;
  warnings: string[];
}

// Days from the date to which a confirmation statement is made up to the day it is due (bulk formats 1.2).
const DAYS_TO_FILE_STATEMENT = 14;
// From these days on the confirmation statement applies (specification 2.1).
const ANNUAL_RETURN_DUE_BEFORE = "2016-07-28";
const ANNUAL_RETURN_MADE_UP_BEFORE = "2016-07-30";
const SIC_CODE = /^\d{4,5}$/;

const TYPES = listOf("company_type");
const SUBTYPES = listOf("company_subtype");
const STATUSES = listOf("company_status");
const STATUS_DETAILS = listOf("company_status_detail");
const JURISDICTIONS = listOf("jurisdiction");
const PARTIAL_DATA = listOf("partial_data_available");
const ANNOTATION_TYPES = listOf("corporate_annotation_type");

/**
 * Turns a raw company into the stored one. What the input does not contain stays absent, except what the
 * number itself shows (jurisdiction, partial data). Throws RecordError without a name, a type or a number.
 */
export function normaliseCompany(raw: RawCompany): NormalisedCompany {
  const reader = new RawReader();
  const number = normaliseNumber(raw.company_number);
  const name = reader.text(raw.company_name);
  if (name === undefined) throw new RecordError("is missing", "company_name");
  const data: CompanyProfile = {
    company_name: name,
    company_number: number,
    type: normaliseType(raw.type, reader),
  };
  addStanding(data, raw, reader);
  addFlags(data, raw, reader);
  addFilings(data, raw, reader);
  addParticulars(data, raw, reader);
  return { data, warnings: reader.warnings };
}

function normaliseNumber(value: unknown): string {
  const text = typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
  if (text === "") throw new RecordError("is missing", "company_number");
  const number = parseCompanyNumber(text);
  if (number === null)
    throw new RecordError(`"${text.slice(0, 50)}" is not a company number`, "company_number");
  return number;
}

/** A type that is not on the list is stored as `other`: the rest of the record is still useful. */
function normaliseType(value: unknown, reader: RawReader): string {
  if (reader.text(value) === undefined) throw new RecordError("is missing", "type");
  return reader.choice(value, TYPES, "type") ?? "other";
}

function addStanding(data: CompanyProfile, raw: RawCompany, reader: RawReader): void {
  const isCommunityInterest = reader.flag(raw.is_community_interest_company, "is_community_interest_company");
  const jurisdiction = reader.choice(raw.jurisdiction, JURISDICTIONS, "jurisdiction");
  const partialData = reader.choice(raw.partial_data_available, PARTIAL_DATA, "partial_data_available");
  const subtype = reader.choice(raw.subtype, SUBTYPES, "subtype");
  addDefined(data, {
    company_status: reader.choice(raw.company_status, STATUSES, "company_status"),
    company_status_detail: reader.choice(raw.company_status_detail, STATUS_DETAILS, "company_status_detail"),
    date_of_cessation: reader.date(raw.date_of_cessation, "date_of_cessation"),
    date_of_creation: reader.date(raw.date_of_creation, "date_of_creation"),
    jurisdiction: jurisdiction ?? jurisdictionOf(data.company_number),
    partial_data_available: partialData ?? partialDataOf(data.company_number) ?? undefined,
    subtype: subtype ?? (isCommunityInterest ? "community-interest-company" : undefined),
  });
}

function addFlags(data: CompanyProfile, raw: RawCompany, reader: RawReader): void {
  const links = membersOf(raw.links);
  const flag = (name: keyof RawCompany) => reader.flag(raw[name], name);
  addDefined(data, {
    has_been_liquidated: flag("has_been_liquidated"),
    has_charges: flag("has_charges") ?? (links.charges ? true : undefined),
    has_insolvency_history: flag("has_insolvency_history") ?? (links.insolvency ? true : undefined),
    has_super_secure_pscs: flag("has_super_secure_pscs"),
    is_on_register_in_country_formed_in: flag("is_on_register_in_country_formed_in"),
    registered_office_is_in_dispute: flag("registered_office_is_in_dispute"),
    undeliverable_registered_office_address: flag("undeliverable_registered_office_address"),
  });
}

function addFilings(data: CompanyProfile, raw: RawCompany, reader: RawReader): void {
  addDefined(data, {
    accounts: normaliseAccounts(raw.accounts, reader),
    annual_return: normaliseAnnualReturn(raw.annual_return, reader),
    confirmation_statement: normaliseStatement(raw.confirmation_statement, reader),
    last_full_members_list_date: reader.date(raw.last_full_members_list_date, "last_full_members_list_date"),
  });
}

function addParticulars(data: CompanyProfile, raw: RawCompany, reader: RawReader): void {
  addDefined(data, {
    branch_company_details: normaliseBranch(raw.branch_company_details, reader),
    corporate_annotation: normaliseAnnotations(raw.corporate_annotation, reader),
    external_registration_number: reader.text(raw.external_registration_number),
    foreign_company_details: normaliseForeignCompany(raw.foreign_company_details, reader),
    previous_company_names: normalisePreviousNames(raw.previous_company_names, data.date_of_creation, reader),
    registered_office_address: optionalAddress(raw.registered_office_address),
    service_address: optionalAddress(raw.service_address),
    sic_codes: normaliseSicCodes(raw.sic_codes, reader),
    term: reader.text(raw.term),
  });
}

function normaliseAnnualReturn(value: unknown, reader: RawReader): CompanyProfile["annual_return"] {
  if (!value) return undefined;
  const raw = membersOf(value);
  const nextDue = reader.date(raw.next_due, "annual_return.next_due");
  const nextMadeUpTo = reader.date(raw.next_made_up_to, "annual_return.next_made_up_to");
  return compact({
    last_made_up_to: reader.date(raw.last_made_up_to, "annual_return.last_made_up_to"),
    next_due: nextDue && nextDue < ANNUAL_RETURN_DUE_BEFORE ? nextDue : undefined,
    next_made_up_to: nextMadeUpTo && nextMadeUpTo < ANNUAL_RETURN_MADE_UP_BEFORE ? nextMadeUpTo : undefined,
  });
}

function normaliseStatement(value: unknown, reader: RawReader): CompanyProfile["confirmation_statement"] {
  if (!value) return undefined;
  const raw = membersOf(value);
  const nextDue = reader.date(raw.next_due, "confirmation_statement.next_due");
  const nextMadeUpTo = reader.date(raw.next_made_up_to, "confirmation_statement.next_made_up_to");
  return compact({
    last_made_up_to: reader.date(raw.last_made_up_to, "confirmation_statement.last_made_up_to"),
    next_due: nextDue,
    next_made_up_to: nextMadeUpTo ?? (nextDue && addDays(nextDue, -DAYS_TO_FILE_STATEMENT)),
  });
}

function normaliseAnnotations(value: unknown, reader: RawReader): CompanyProfile["corporate_annotation"] {
  const annotations = itemsOf(value).flatMap((item) => {
    const raw = membersOf(item);
    const type = reader.choice(raw.type, ANNOTATION_TYPES, "corporate_annotation.type");
    if (type === undefined) return [];
    const createdOn = reader.date(raw.created_on, "corporate_annotation.created_on");
    return [{ type, ...compact({ created_on: createdOn, description: reader.text(raw.description) }) }];
  });
  return annotations.length > 0 ? annotations : undefined;
}

function optionalAddress(value: unknown): Address | undefined {
  return value ? (normaliseAddress(membersOf(value)) ?? undefined) : undefined;
}

function normaliseSicCodes(value: unknown, reader: RawReader): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const codes: string[] = [];
  for (const item of value) {
    const code = reader.text(item);
    if (code === undefined || codes.includes(code)) continue;
    if (SIC_CODE.test(code)) codes.push(code);
    else reader.drop("sic_codes", "not a SIC code");
  }
  return codes.length > 0 ? codes : undefined;
}

function listOf(name: EnumerationName): ReadonlySet<string> {
  return new Set(enumerationKeys(name));
}
