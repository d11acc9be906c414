/** GET /search/companies: finds companies by current or previous name and by number, or by the same-as key. */
import { companyItemSchema, presentCompany } from "./answers/company.ts";
import { companyQueryForms } from "./answers/name-forms.ts";
import {
  type PageValues,
  pageSchema,
  presentPage,
  primaryParameters,
  facetsSchema,
  RELEVANCE_FACETS,
} from "./answers/page.ts";
import { buildPage, term, within } from "./clauses.ts";
import { filterCompanies, filterParameters } from "./company-filters.ts";
import { defineSearch } from "./define-search.ts";
import { buildSameAs } from "./name-availability.ts";
import { companyQuery } from "./ranking/company.ts";
import { companyWords } from "./ranking/company-matches.ts";
import { companyReadability } from "./reading/readability.ts";
import example from "./examples/search-companies.json" with { type: "json" };

const KIND = "search#companies";
const ACTIVE_ONLY = "active-companies";
const SAME_AS = "legally-equivalent-company-name";

const { company_status, company_type, sic_codes, location } = filterParameters;

export const searchCompanies = defineSearch({
  name: "search-companies",
  aliases: ["company-search"],
  path: "/search/companies",
  summary: "Search companies by current or previous name, or by number.",
  parameters: {
    ...primaryParameters,
    restrictions: {
      kind: "list",
      ...{ isSpaced: true, ignoresUnknown: true },
      description:
        "Space-separated: active-companies for active companies only, legally-equivalent-company-name for names " +
        "that are legally the same. Both together show whether a name is available.",
      values: [ACTIVE_ONLY, SAME_AS],
    },
    // Compat: the original ignores these two parameters, and public scripts send it values that no list has.
    company_status: { ...company_status, ignoresUnknown: true },
    company_type: { ...company_type, ignoresUnknown: true },
    ...{ sic_codes, location },
    facets: RELEVANCE_FACETS,
  },
  indices: ["companies"],
  phases: (values) => {
    const active = values.restrictions.includes(ACTIVE_ONLY) ? [term("status", "active")] : [];
    const filters = [...active, ...filterCompanies(values)];
    if (values.restrictions.includes(SAME_AS))
      return { build: () => buildSameAs(inWholePages(values), filters), last: "strict" };
    return {
      build: (phase) => buildPage(within(companyQuery(values.q, phase), filters), values),
      words: () => companyWords(values.q),
      readability: () => companyReadability(values.q),
    };
  },
  mapResponse: (result, values) => {
    const query = companyQueryForms(values.q);
    return presentPage(KIND, result, inWholePages(values), {
      present: (hit) => presentCompany(hit, query),
      queryOf: () => query,
    });
  },
  schema: pageSchema("company-search", KIND, companyItemSchema, { facets: facetsSchema }),
  example,
  statuses: [416],
});

/**
 * Compat: the original rounds start_index down to whole pages, and the register's own page asks with start_index 1
 * whether a name is free. An exact start would skip the only company of that name: contract case restrictions-one-same.
 */
function inWholePages<V extends PageValues & { restrictions: string[] }>(values: V): V {
  if (!values.restrictions.includes(SAME_AS)) return values;
  const { start_index, items_per_page } = values;
  return { ...values, start_index: start_index - (start_index % items_per_page) };
}
