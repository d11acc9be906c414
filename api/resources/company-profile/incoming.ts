/** Owns the mapping of an API-shaped company profile (`company-profile`) to the stored one. */
import { RecordError } from "../../core/errors.ts";
import { companyNumberOf, type IncomingResource } from "../incoming-resource.ts";
import { normaliseCompany } from "./normalise.ts";
import type { CompanyProfile } from "./members.ts";

const LINKS = [
  "self",
  "charges",
  "exemptions",
  "filing_history",
  "insolvency",
  "officers",
  "overseas",
  "persons_with_significant_control",
  "persons_with_significant_control_statements",
  "registers",
  "uk_establishments",
  "uk-establishments",
];

const overdueSchema = { properties: { overdue: {} } };

/** Members of answers that are not stored: computed at read, deprecated, spelt differently, or withdrawn by the original. */
export const answerMembersSchema = {
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

/** The stored profile, with the ETag that the source gave it. Throws RecordError. */
export function normaliseIncomingCompany(
  resource: IncomingResource,
  warn: (warning: string) => void,
): CompanyProfile {
  const { data, warnings } = normaliseCompany(resource.data);
  // Stored under another number than its address names, later events of that address would not find it.
  if (data.company_number !== companyNumberOf(resource))
    throw new RecordError(`differs from the company in ${resource.uri}`, "company_number");
  warnings.forEach(warn);
  return typeof resource.data.etag === "string" ? { ...data, etag: resource.data.etag } : data;
}
