/** Owns a company as an item of the advanced search. */
import type { Address } from "../../shared/values/address.ts";
import { enumerationSchema, ENDED_STATUSES } from "../../shared/values/enumerations.ts";
import { DATE, objectOf } from "../../shared/schemas/schemas.ts";
import { pickMembers } from "../../shared/values/members.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import type { ShownCompany } from "../../../index-mappings/companies/index.ts";
import type { SearchHit } from "../../shared/definitions/search-result.ts";
import { addressOf, companyMembers } from "./company-page.ts";

const KIND = "search-results#company";

/** Members of an address that are shown, in order. */
export const ADDRESS_MEMBERS = [
  "premises",
  "address_line_1",
  "address_line_2",
  "locality",
  "region",
  "country",
  "postal_code",
] as const satisfies (keyof Address)[];

/** A company as an item. */
export function presentAdvancedCompany(hit: SearchHit): Record<string, unknown> {
  const company = hit.source.shown as ShownCompany; // the document of the index that the hit is from
  const { type, subtype, registered_office_address: address, date_of_cessation } = company;
  // Compat: for other statuses the date of cessation is not shown, even when the register has one.
  const hasEnded = ENDED_STATUSES.has(company.company_status ?? "");
  return {
    kind: KIND,
    company_name: company.company_name,
    company_number: hit.id,
    ...pickMembers(company, ["company_status"]),
    company_type: type,
    ...(subtype ? { company_subtype: subtype } : {}),
    ...pickMembers(company, ["date_of_creation"]),
    ...(hasEnded && date_of_cessation ? { date_of_cessation } : {}),
    ...(address ? { registered_office_address: pickMembers(address, ADDRESS_MEMBERS) } : {}),
    ...pickMembers(company, ["sic_codes"]),
    links: { company_profile: `/company/${hit.id}` },
  };
}

/** JSON Schema of a company as an item. */
export const advancedCompanySchema: JsonSchema = {
  title: "advanced-company-search-item",
  description: "A company that the advanced search found.",
  ...objectOf(["kind", "company_name", "company_number", "company_type", "links"], {
    kind: { const: KIND },
    ...companyMembers,
    company_status: enumerationSchema("company_status"),
    company_type: enumerationSchema("company_type"),
    company_subtype: enumerationSchema("company_subtype"),
    date_of_creation: DATE,
    date_of_cessation: DATE,
    registered_office_address: addressOf(ADDRESS_MEMBERS),
    sic_codes: { type: "array", items: { type: "string" } },
  }),
};
