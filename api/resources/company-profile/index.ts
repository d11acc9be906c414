/** The company profile: GET /company/:company_number. */
import { DATE, ETAG, FLAG, objectOf } from "../../shared/schemas/schemas.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import { defineResource, type PresentContext, type StoredOf } from "../define-resource.ts";
import { deriveNextPeriod } from "./accounting-period.ts";
import type { RecordReader } from "../../shared/definitions/record-reader.ts";
import { isWhole } from "../../shared/stores/collections/loaded-sources.ts";
import { pscRecord } from "../person-with-significant-control/record.ts";
import { recordLinks, SUPER_SECURE, type RecordLink } from "./links.ts";
import { companySchema, type CompanyProfile } from "./members.ts";
import { companyRecord } from "./record.ts";
import example from "./example.json" with { type: "json" };

const LINK = { type: "string", pattern: "^/company/[A-Z0-9]{8}(/[a-z-]+)?$" } as const;
// Shown as the type of accounts where no source states one. The original uses this word, a key of its account types.
const NO_ACCOUNT_TYPE = "null";
const COMMUNITY_INTEREST = "community-interest-company";

const { properties: stored } = companySchema;
const { last_accounts: storedLast, next_accounts: storedNext } = stored.accounts.properties;

const accountsSchema = {
  ...stored.accounts,
  required: ["overdue"],
  title: "accounts",
  description: "Accounts of a company.",
  properties: {
    ...stored.accounts.properties,
    last_accounts: {
      ...storedLast,
      title: "last-accounts",
      required: ["type"],
      description: "The accounts that a company filed last.",
      properties: { ...storedLast.properties, made_up_to: deprecated(DATE, "period_end_on") },
    },
    next_accounts: {
      ...withOverdueSchema(storedNext, "Whether they are late today."),
      title: "next-accounts",
      description:
        "The accounts that a company has to file next. A period that no source states is derived where the law leaves no doubt.",
    },
    next_due: deprecated(DATE, "next_accounts.due_on"),
    next_made_up_to: deprecated(DATE, "next_accounts.period_end_on"),
    overdue: deprecated(FLAG, "next_accounts.overdue"),
  },
};

const confirmationStatementSchema = {
  ...withOverdueSchema(stored.confirmation_statement, "Whether the next statement is late today."),
  title: "confirmation-statement",
  description: "When a company last confirmed its details, and when it must do so again.",
};

const annualReturnSchema = {
  ...withOverdueSchema(stored.annual_return, "Whether the next return is late today."),
  title: "annual-return",
  description: "The annual return, which the confirmation statement replaced in 2016.",
};

const { foreign_company_details: storedForeign } = stored;
const { company_type, is_a_credit_finance_institution } = storedForeign.properties;

const foreignCompanySchema = {
  ...storedForeign,
  // Compat: live answers have these two names; the vendor's SDK reads only `legal_form`, not `company_type`.
  properties: {
    ...storedForeign.properties,
    legal_form: company_type,
    is_a_credit_financial_institution: is_a_credit_finance_institution,
  },
};

const linksSchema = {
  title: "company-links",
  description:
    "Addresses of the company's records. A link is present if there are such records, those to charges and insolvency also " +
    "if only the profile says that there are some, and the one to filings always.",
  ...objectOf(["self"], {
    self: LINK,
    filing_history: LINK,
    overseas: LINK,
    ...Object.fromEntries(
      recordLinks
        .filter(isShown)
        .toSorted()
        .map((name) => [name, LINK]),
    ),
  }),
};

const schema = {
  ...companySchema,
  title: "company-profile",
  description: "Basic information about one company.",
  required: [...companySchema.required, "can_file", "links"],
  properties: {
    ...stored,
    accounts: accountsSchema,
    annual_return: annualReturnSchema,
    can_file: FLAG,
    confirmation_statement: confirmationStatementSchema,
    etag: ETAG,
    foreign_company_details: foreignCompanySchema,
    has_charges: deprecated(FLAG, "links.charges"),
    has_insolvency_history: deprecated(FLAG, "links.insolvency"),
    is_community_interest_company: deprecated(FLAG, "subtype"),
    links: linksSchema,
  },
};

function withOverdueSchema<S extends { properties: object }>(schema: S, description: string) {
  return { ...schema, properties: { ...schema.properties, overdue: { ...FLAG, description } } };
}

/** Marks a member as deprecated and names its replacement, as the specification does (2.1). */
function deprecated(fragment: JsonSchema, instead: string): JsonSchema {
  return { ...fragment, deprecated: true, description: `Deprecated: use \`${instead}\`.` };
}

/** What a profile is made from: the company, and its links to other records. */
interface CompanyRead {
  company: StoredOf<typeof companyRecord>;
  links: readonly RecordLink[];
  /** True: all persons with significant control have been loaded, so a company without one really has none. */
  hasAllPscs: boolean;
}

export function presentCompany(read: CompanyRead, { today }: PresentContext) {
  const { company, links: stored, hasAllPscs } = read;
  const {
    accounts,
    annual_return,
    confirmation_statement,
    foreign_company_details: foreign,
    ...rest
  } = company.data;
  const links = presentLinks(company.data, stored);
  const body: Record<string, unknown> = {
    ...rest,
    // The deprecated forms of two links (specification 2.1). Stored records may cause the link without a stored flag.
    ...(links.charges && { has_charges: true }),
    ...(links.insolvency && { has_insolvency_history: true }),
    can_file: canFile(company.data),
    etag: etagOf(company),
    links,
  };
  // Stored persons are better evidence than the flag, which a source may have stated before they were loaded.
  if (stored.includes(SUPER_SECURE)) body.has_super_secure_pscs = true;
  else if (hasAllPscs) body.has_super_secure_pscs ??= false;
  if (rest.subtype === COMMUNITY_INTEREST) body.is_community_interest_company = true;
  if (foreign) body.foreign_company_details = presentForeign(foreign);
  if (accounts) body.accounts = presentAccounts(company.data, accounts, today);
  if (confirmation_statement) body.confirmation_statement = withOverdue(confirmation_statement, today);
  // The annual return is shown only until the first confirmation statement (specification 2.1).
  if (annual_return && !confirmation_statement?.last_made_up_to) {
    body.annual_return = withOverdue(annual_return, today);
  }
  return body;
}

function presentForeign(details: NonNullable<CompanyProfile["foreign_company_details"]>) {
  const { company_type: legal_form, is_a_credit_finance_institution: isInstitution } = details;
  return {
    ...details,
    ...(legal_form && { legal_form }),
    ...(isInstitution !== undefined && { is_a_credit_financial_institution: isInstitution }),
  };
}

/**
 * Filing online is open to the common types of company while they exist (API reference 7.1). The original has a
 * deployment switch that opens it to overseas companies; here the switch counts as off.
 */
function canFile({ type, company_status, company_status_detail }: CompanyProfile): boolean {
  if (company_status === "dissolved" || company_status === "converted-closed") return false;
  if (company_status_detail === "petition-to-restore-dissolved") return false;
  return type === "ltd" || type === "llp" || type === "plc" || type.includes("private");
}

/**
 * The specification marks neither `overdue` nor `next_made_up_to` as optional. `overdue` is false where no due day is
 * known. `next_made_up_to` is derived where no source states it, and left out where it is not certain.
 */
function presentAccounts(
  company: CompanyProfile,
  accounts: NonNullable<CompanyProfile["accounts"]>,
  today: string,
) {
  const { last_accounts: last, next_accounts: stored, ...rest } = accounts;
  // What a source states of the period is kept. If it states the end, nothing is derived.
  const next = stored?.period_end_on ? stored : stored && { ...deriveNextPeriod(company), ...stored };
  const overdue = next?.due_on !== undefined && next.due_on < today;
  const body: Record<string, unknown> = { ...rest, overdue };
  if (last) body.last_accounts = presentLastAccounts(last);
  if (next) body.next_accounts = { ...next, overdue };
  if (next?.period_end_on) body.next_made_up_to = next.period_end_on;
  if (next?.due_on) body.next_due = next.due_on;
  return body;
}

/** The type is always present: the specification does not mark it as optional. */
function presentLastAccounts(last: NonNullable<NonNullable<CompanyProfile["accounts"]>["last_accounts"]>) {
  const typed = { ...last, type: last.type ?? NO_ACCOUNT_TYPE };
  return last.period_end_on ? { ...typed, made_up_to: last.period_end_on } : typed;
}

function withOverdue(filing: NonNullable<CompanyProfile["confirmation_statement"]>, today: string) {
  return filing.next_due ? { ...filing, overdue: filing.next_due < today } : filing;
}

function isShown(name: RecordLink): boolean {
  return name !== SUPER_SECURE;
}

function presentLinks(company: CompanyProfile, stored: readonly RecordLink[]): Record<string, string> {
  const self = `/company/${company.company_number}`;
  const parent = company.branch_company_details?.parent_company_number;
  const links: Record<string, string> = { self, filing_history: `${self}/filing-history` };
  if (company.has_charges) links.charges = `${self}/charges`;
  if (company.has_insolvency_history) links.insolvency = `${self}/insolvency`;
  if (parent) links.overseas = `/company/${parent}`;
  for (const name of stored.filter(isShown)) links[name] = `${self}/${name.replaceAll("_", "-")}`;
  return links;
}

/** Whether a complete edition of persons with significant control has been loaded. The list of loads is cached. */
export async function fetchHasAllPscs(records: RecordReader): Promise<boolean> {
  return isWhole(await records.fetchLoadedSources(), { kind: pscRecord.name });
}

export const companyProfile = defineResource({
  name: "company-profile",
  path: "/company/:company_number",
  scope: "company.read",
  summary: "Basic company information.",
  record: companyRecord,
  notFound: "company-profile-not-found",
  read: async (records, { company_number: number = "" }): Promise<CompanyRead | null> => {
    const [company, links, hasAllPscs] = await Promise.all([
      records.fetchOne(companyRecord, { _id: number }),
      records.fetchStoredLinks(number, recordLinks),
      fetchHasAllPscs(records),
    ]);
    return company && { company, links, hasAllPscs };
  },
  hasEtag: true,
  schema,
  present: presentCompany,
  example,
});
