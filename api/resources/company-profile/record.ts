/** Owns the stored company profile: its keys, and the mapping of an API-shaped one (`company-profile`). */
import { RecordError } from "../../shared/runtime/errors.ts";
import { defineRecord } from "../../shared/definitions/define-record.ts";
import {
  companyNumberOf,
  locateByCompany,
  type IncomingResource,
} from "../../shared/definitions/incoming-resource.ts";
import { enumerationKeys } from "../../shared/values/enumerations.ts";
import { isMembers } from "../../shared/values/members.ts";
import { companySchema, type CompanyProfile } from "./members.ts";
import { normaliseCompany } from "./normalise.ts";

const LINKS = (
  "self charges exemptions filing_history insolvency officers overseas persons_with_significant_control " +
  "persons_with_significant_control_statements registers uk_establishments uk-establishments"
).split(" ");

const overdueSchema = { properties: { overdue: {} } };

/** Members of answers that are not stored: computed at read, deprecated, spelt differently, or withdrawn by the original. */
const answerMembersSchema = {
  properties: {
    accounts: {
      properties: {
        last_accounts: { properties: { made_up_to: {} } },
        next_accounts: overdueSchema,
        next_due: {},
        next_made_up_to: {},
        overdue: {},
      },
    },
    annual_return: overdueSchema,
    can_file: {},
    confirmation_statement: overdueSchema,
    foreign_company_details: { properties: { is_a_credit_financial_institution: {}, legal_form: {} } },
    is_community_interest_company: {},
    kind: {},
    links: { properties: Object.fromEntries(LINKS.map((link) => [link, {}])) },
    super_secure_managing_officer_count: {},
  },
};

type AnnualReturn = NonNullable<CompanyProfile["annual_return"]>;

/** The stored profile, with the ETag that the source gave it. Throws RecordError. */
function normaliseIncomingCompany(resource: IncomingResource, warnings: string[]): CompanyProfile {
  const { data, warnings: own } = normaliseCompany(resource.data);
  // Stored under another number than its address names, later events of that address would not find it.
  if (data.company_number !== companyNumberOf(resource))
    throw new RecordError(`differs from the company in ${resource.uri}`, "company_number");
  warnings.push(...own, ...describeLateDays(resource.data.annual_return, data.annual_return));
  return typeof resource.data.etag === "string" ? { ...data, etag: resource.data.etag } : data;
}

/** A warning for each day of the annual return that is of a later time (specification 2.1). A CSV, full of them, has none. */
function describeLateDays(given: unknown, { next_due, next_made_up_to }: AnnualReturn = {}): string[] {
  if (!isMembers(given)) return [];
  const late = Object.entries({ next_due, next_made_up_to }).filter(([day, kept]) => given[day] && !kept);
  return late.map(([day]) => `annual_return.${day} left out: the confirmation statement has taken its place`);
}

const STATUSES: ReadonlySet<string> = new Set(enumerationKeys("company_status"));

/** True for the profile of a UK establishment, of those that name a parent: it is open or closed, or its status is a new one. */
export function isEstablishment(
  company: CompanyProfile,
): company is CompanyProfile & { company_status: string } {
  const { company_status: status } = company;
  return status !== undefined && (status === "open" || status === "closed" || !STATUSES.has(status));
}

/** Companies, by their number. */
export const companyRecord = defineRecord({
  name: "company-profile",
  collection: "companies",
  schema: companySchema,
  identify: (company: CompanyProfile) => company.company_number,
  // A profile is read by its number, which is `_id`; UK establishments also by their parent.
  keysOf: ({ branch_company_details: branch }: CompanyProfile): { parent_company_number?: string } =>
    branch?.parent_company_number ? { parent_company_number: branch.parent_company_number } : {},
  indexes: [{ fields: ["parent_company_number"] }],
  incoming: {
    kinds: ["company-profile"],
    known: [companySchema, answerMembersSchema],
    normalise: normaliseIncomingCompany,
    locate: locateByCompany,
    addressOf: ({ company_number: id }) => ({ kind: "company-profile", uri: `/company/${id}`, id }),
  },
});
