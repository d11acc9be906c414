/** Owns GET /suggest/companies: names as they are being typed. Not in the original; the name key decides what is alike. */
import type { ShownCompany } from "../../index-mappings/companies/index.ts";
import { itemsPerPage } from "../shared/schemas/paging.ts";
import { enumerationSchema } from "../shared/values/enumerations.ts";
import { linkSchema, orNull } from "../shared/schemas/schemas.ts";
import type { JsonSchema } from "../shared/schemas/validate.ts";
import { matchOf, readCompanyQuery, type CompanyQuery } from "./answers/company.ts";
import { companyMembers, NAME_QUERY } from "./answers/company-page.ts";
import { marksSchemas } from "./answers/matched.ts";
import { buildPage } from "./clauses.ts";
import { defineSearch, inPhases } from "./define-search.ts";
import type { SearchHit } from "../shared/definitions/search-result.ts";
import { typedNameQuery } from "./ranking/typed-name.ts";
import example from "./examples/suggest-companies.json" with { type: "json" };

const KIND = "suggest#companies";

// Tuned: hits fetched for each suggestion, since of equal names only the first is shown; a name that more than two
// companies of the register share is rare.
const HITS_PER_ITEM = 3;

export const suggestCompanies = defineSearch({
  name: "suggest-companies",
  path: "/suggest/companies",
  summary: "Suggest companies while a name or number is being typed.",
  parameters: {
    q: {
      ...NAME_QUERY,
      description: "Beginning of a current or previous name, or a whole company number.",
    },
    items_per_page: itemsPerPage({ default: 10, maximum: 20 }),
  },
  indices: ["companies"],
  buildQueries: ({ q, items_per_page }) =>
    inPhases((phase) => ({
      ...buildPage(typedNameQuery(q, phase), {
        start_index: 0,
        items_per_page: items_per_page * HITS_PER_ITEM,
      }),
      // Nothing is counted, which saves the engine work.
      track_total_hits: 1,
      _source: ["shown", "order_key"],
    })),
  mapResponse: ({ hits }, { q, items_per_page }) => {
    const query = readCompanyQuery(q);
    const items = distinctNames(hits).slice(0, items_per_page);
    return { kind: KIND, items: items.map((hit) => presentSuggestion(hit, query)) };
  },
  schema: {
    title: "company-suggestions",
    description: "Companies whose names begin with the text, the best first.",
    type: "object",
    additionalProperties: false,
    required: ["kind", "items"],
    properties: { kind: { const: KIND }, items: { type: "array", maxItems: 20, items: suggestionSchema() } },
  },
  example,
});

/** The first of names that differ only in ending, spaces or signs. */
function distinctNames(hits: SearchHit[]): SearchHit[] {
  const keys = new Set<unknown>();
  return hits.filter(({ source }) => !keys.has(source.order_key) && keys.add(source.order_key));
}

function presentSuggestion(hit: SearchHit, query: CompanyQuery): Record<string, unknown> {
  const company = hit.source.shown as ShownCompany; // the document of the index that the hit is from
  return {
    title: company.company_name,
    company_number: hit.id,
    company_status: company.company_status ?? null,
    ...matchOf(hit, company, query),
    links: { self: `/company/${hit.id}` },
  };
}

function suggestionSchema(): JsonSchema {
  return {
    title: "company-suggestion",
    description: "A company whose name begins with the text.",
    type: "object",
    additionalProperties: false,
    required: ["title", "company_number", "company_status", "snippet", "matches", "links"],
    properties: {
      title: { type: "string", description: "Present name of the company." },
      company_number: companyMembers.company_number,
      company_status: orNull(enumerationSchema("company_status")),
      ...marksSchemas,
      links: linkSchema("self"),
    },
  };
}
