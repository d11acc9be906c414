/** Owns a dissolved company as an item of the dissolved search: by its name, or by one of its previous names. */
import type { Address } from "../../shared/values/address.ts";
import { DATE } from "../../shared/schemas/schemas.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import type { ShownCompany } from "../../../index-mappings/companies/index.ts";
import type { SearchHit } from "../../shared/definitions/search-result.ts";
import type { CompanyQuery } from "./company.ts";
import { addressOf, companyMembers, pick } from "./company-page.ts";
import { explanationSchema } from "./explain.ts";
import { answeringNames, companyForms } from "./matched.ts";

const KIND = "searchresults#dissolved-company";
const ADDRESS_MEMBERS = [
  "address_line_1",
  "address_line_2",
  "locality",
  "postal_code",
] as const satisfies (keyof Address)[];

// Compat: addresses of companies that ceased longer ago are not shown.
const YEARS_WITH_ADDRESS = 20;

/** A company as an item; `today` is the day of the request. */
export function presentDissolvedCompany(hit: SearchHit, today: string): Record<string, unknown> {
  return { ...presentFacts(hit, today), ordered_alpha_key_with_id: hit.source.order_key_id };
}

/** A company as one item for each previous name that matches the query, the best first. */
export function presentPreviousNames(
  hit: SearchHit,
  query: CompanyQuery,
  today: string,
): Record<string, unknown>[] {
  const facts = presentFacts(hit, today);
  const names = previousNamesOf(hit);
  // A query for a number matches all names filed under it.
  const answering = hit.id === query.number ? names : answeringNames(query.name, names, companyForms);
  return answering.map((name) => ({ ...facts, matched_previous_company_name: name }));
}

function presentFacts(hit: SearchHit, today: string): Record<string, unknown> {
  const company = hit.source.shown as ShownCompany; // the document of the index that the hit is from
  const { registered_office_address: address, date_of_cessation = "" } = company;
  const names = previousNamesOf(hit);
  const hasAddress = address && date_of_cessation >= yearsBefore(today, YEARS_WITH_ADDRESS);
  return {
    kind: KIND,
    company_name: company.company_name,
    company_number: hit.id,
    ...pick(company, ["company_status", "date_of_creation", "date_of_cessation"]),
    ...(hasAddress ? { registered_office_address: pick(address, ADDRESS_MEMBERS) } : {}),
    ...(names.length > 0 ? { previous_company_names: names } : {}),
  };
}

/** Latest first, each with the number under which it is filed. */
function previousNamesOf(hit: SearchHit) {
  const { previous_company_names: names = [] } = hit.source.shown as ShownCompany; // as above
  return names
    .map((name) => ({
      ...pick(name, ["effective_from", "ceased_on"]),
      name: name.name,
      company_number: hit.id,
    }))
    .toSorted((a, b) => ((a.ceased_on ?? "") < (b.ceased_on ?? "") ? 1 : -1));
}

/** As text: the 29th of February sorts after the 28th in any year. */
function yearsBefore(day: string, years: number): string {
  return `${Number(day.slice(0, 4)) - years}${day.slice(4)}`;
}

const previousNameSchema: JsonSchema = {
  title: "dissolved-previous-company-name",
  description: "A previous name of a dissolved company.",
  type: "object",
  additionalProperties: false,
  required: ["name", "company_number"],
  properties: {
    name: { type: "string", description: "The previous name." },
    effective_from: DATE,
    ceased_on: DATE,
    company_number: companyMembers.company_number,
  },
};

/** JSON Schema of a company as an item. */
export const dissolvedCompanySchema: JsonSchema = {
  title: "dissolved-company-search-item",
  description: "A dissolved company that the search found by its current or a previous name.",
  type: "object",
  additionalProperties: false,
  required: ["kind", "company_name", "company_number", "company_status"],
  properties: {
    kind: { const: KIND },
    company_name: companyMembers.company_name,
    company_number: companyMembers.company_number,
    company_status: { const: "dissolved" },
    date_of_creation: DATE,
    date_of_cessation: DATE,
    ordered_alpha_key_with_id: companyMembers.ordered_alpha_key_with_id,
    registered_office_address: addressOf(ADDRESS_MEMBERS),
    previous_company_names: { type: "array", minItems: 1, items: previousNameSchema },
    matched_previous_company_name: previousNameSchema,
    match: explanationSchema,
  },
};
