/** Owns the way from an API-shaped company profile (`company-profile`) to the stored one. */
import { RecordError } from "../../core/errors.ts";
import { companyNumberOf, refuseUnknownMembers, type IncomingResource } from "../incoming-resource.ts";
import { normaliseCompany, type RawCompany } from "./normalise.ts";
import type { CompanyProfile } from "./record.ts";

const STORED_MEMBERS = [
  "accounts",
  "annual_return",
  "branch_company_details",
  "company_name",
  "company_number",
  "company_status",
  "company_status_detail",
  "confirmation_statement",
  "corporate_annotation",
  "date_of_cessation",
  "date_of_creation",
  "external_registration_number",
  "foreign_company_details",
  "has_been_liquidated",
  "has_charges",
  "has_insolvency_history",
  "has_super_secure_pscs",
  "is_community_interest_company",
  "is_on_register_in_country_formed_in",
  "jurisdiction",
  "last_full_members_list_date",
  "links",
  "partial_data_available",
  "previous_company_names",
  "registered_office_address",
  "registered_office_is_in_dispute",
  "service_address",
  "sic_codes",
  "subtype",
  "term",
  "type",
  "undeliverable_registered_office_address",
] as const satisfies (keyof RawCompany)[];

// Computed at read, or withdrawn by the original; they are let in and not kept.
const IGNORED_MEMBERS = ["can_file", "etag", "kind", "super_secure_managing_officer_count"];

const KNOWN_MEMBERS: ReadonlySet<string> = new Set([...STORED_MEMBERS, ...IGNORED_MEMBERS]);

/** The stored profile, with the ETag that the source gave it. Throws RecordError. */
export function normaliseIncomingCompany(
  resource: IncomingResource,
  warn: (warning: string) => void,
): CompanyProfile {
  refuseUnknownMembers(resource, KNOWN_MEMBERS);
  const { data, warnings } = normaliseCompany(resource.data);
  // Held under another number than its address names, no later event of the address would find it.
  if (data.company_number !== companyNumberOf(resource))
    throw new RecordError(`is of another company than ${resource.uri}`, "company_number");
  warnings.forEach(warn);
  return typeof resource.data.etag === "string" ? { ...data, etag: resource.data.etag } : data;
}
