/** Owns a company as an item of the alphabetical search. */
import { enumerationSchema } from "../../shared/values/enumerations.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import type { ShownCompany } from "../../../index-mappings/companies/index.ts";
import type { SearchHit } from "../../shared/definitions/search-result.ts";
import { companyMembers, pick } from "./company-page.ts";

const KIND = "searchresults#alphabetical-search";

/** A company as an item. */
export function presentAlphabeticalCompany(hit: SearchHit): Record<string, unknown> {
  const company = hit.source.shown as ShownCompany; // the document of the index that the hit is from
  return {
    kind: KIND,
    company_name: company.company_name,
    company_number: hit.id,
    ...pick(company, ["company_status"]),
    company_type: company.type,
    ordered_alpha_key_with_id: hit.source.order_key_id,
    links: { company_profile: `/company/${hit.id}` },
  };
}

/** JSON Schema of a company as an item. */
export const alphabeticalCompanySchema: JsonSchema = {
  title: "alphabetical-company-search-item",
  description: "A company at its place in the alphabet.",
  type: "object",
  additionalProperties: false,
  required: ["kind", "company_name", "company_number", "company_type", "ordered_alpha_key_with_id", "links"],
  properties: {
    kind: { const: KIND },
    ...companyMembers,
    company_status: enumerationSchema("company_status"),
    company_type: enumerationSchema("company_type"),
  },
};
