/** GET /alphabetical-search/companies: the place of a name in the alphabet, and its neighbours. */
import { fetchAlphabetical } from "./alphabet.ts";
import { objectWithOptional } from "../shared/schemas/schemas.ts";
import {
  companyPageSchema,
  cursorParameters,
  NAME_QUERY,
  NO_COMPANIES,
  pageSize,
  companyMembers,
} from "./answers/company-page.ts";
import { defineSearch } from "./define-search.ts";
import example from "./examples/search-alphabetical-companies.json" with { type: "json" };
import { enumerationSchema } from "../shared/values/enumerations.ts";
import { pickMembers } from "../shared/values/members.ts";
import type { JsonSchema } from "../shared/schemas/validate.ts";
import type { ShownCompany } from "../../index-mappings/companies/index.ts";
import type { SearchHit } from "../shared/definitions/search-result.ts";

const KIND = "search#alphabetical-search";
const ITEM_KIND = "searchresults#alphabetical-search";

// Compat: the original tries 25 times, first with the whole key, then with one letter less each time.
const LETTERS_OFF = 24;

/** JSON Schema of a company as an item. */
const alphabeticalCompanySchema: JsonSchema = {
  title: "alphabetical-company-search-item",
  description: "A company at its place in the alphabet.",
  ...objectWithOptional(["company_status"], {
    kind: { const: ITEM_KIND },
    ...companyMembers,
    company_status: enumerationSchema("company_status"),
    company_type: enumerationSchema("company_type"),
  }),
};

export const searchAlphabeticalCompanies = defineSearch({
  name: "search-alphabetical-companies",
  aliases: ["search-result"],
  path: "/alphabetical-search/companies",
  summary: "Find a company's place in the alphabet, and its neighbours.",
  parameters: { q: NAME_QUERY, ...cursorParameters, size: pageSize(100) },
  indices: ["companies"],
  fetch: (ask, values) => fetchAlphabetical(ask, values, { filters: [], lettersOff: LETTERS_OFF }),
  notFound: NO_COMPANIES,
  mapResponse: ({ hits, top }) => ({
    kind: KIND,
    ...(top && { top_hit: presentAlphabeticalCompany(top) }),
    items: hits.map(presentAlphabeticalCompany),
  }),
  schema: companyPageSchema(
    {
      title: "alphabetical-company-search",
      description: "A company's place in the alphabet: the nearest one, and its neighbours in order.",
    },
    { const: KIND },
    alphabeticalCompanySchema,
  ),
  example,
  statuses: [404, 422],
});

/** A company as an item. */
function presentAlphabeticalCompany(hit: SearchHit): Record<string, unknown> {
  const company = hit.source.shown as ShownCompany; // the document of the index that the hit is from
  return {
    kind: ITEM_KIND,
    company_name: company.company_name,
    company_number: hit.id,
    ...pickMembers(company, ["company_status"]),
    company_type: company.type,
    ordered_alpha_key_with_id: hit.source.order_key_id,
    links: { company_profile: `/company/${hit.id}` },
  };
}
