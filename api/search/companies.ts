/** Owns GET /search/companies: companies by current and previous name and by number, or by the same-as key. */
import { parseCompanyName } from "../../index-mappings/names/company-name.ts";
import { sameAsKey } from "../../index-mappings/names/same-as.ts";
import { filterCompanies, filterParameters } from "./reading/filters.ts";
import { companyItemSchema, presentCompany, readCompanyQuery } from "./answers/company.ts";
import { companyForms } from "./answers/matched.ts";
import {
  type PageValues,
  pageSchema,
  presentPage,
  primaryParameters,
  facetsSchema,
  RELEVANCE_FACETS,
} from "./answers/page.ts";
import { allOf, buildPage, type Clause, COMPANY_ORDER, term, within } from "./clauses.ts";
import { defineSearch } from "./define-search.ts";
import { inPhases } from "./phases.ts";
import type { SearchBody } from "../shared/definitions/search-result.ts";
import { companyQuery } from "./ranking/company.ts";
import { companyReadability } from "./ranking/readings.ts";
import example from "./examples/search-companies.json" with { type: "json" };

const KIND = "search#companies";
const { company_status, company_type, sic_codes, location } = filterParameters;

const ACTIVE_ONLY = "active-companies";
const SAME_AS = "legally-equivalent-company-name";

export const searchCompanies = defineSearch({
  name: "search-companies",
  aliases: ["company-search"],
  path: "/search/companies",
  summary: "Search companies by current or previous name, or by number.",
  parameters: {
    ...primaryParameters,
    restrictions: {
      kind: "words",
      description:
        "Space-separated: active-companies for active companies only, legally-equivalent-company-name for names " +
        "that are legally the same. Both together show whether a name is available.",
      values: [ACTIVE_ONLY, SAME_AS],
    },
    // Compat: the original ignores these parameters, and public scripts send it words of their own.
    company_status: { ...company_status, ignoresUnknown: true },
    company_type: { ...company_type, ignoresUnknown: true },
    ...{ sic_codes, location },
    facets: RELEVANCE_FACETS,
  },
  indices: ["companies"],
  buildQueries: (values) => {
    const active = values.restrictions.includes(ACTIVE_ONLY) ? [term("status", "active")] : [];
    const filters = [...active, ...filterCompanies(values)];
    if (values.restrictions.includes(SAME_AS)) return [buildSameAs(values, filters)];
    return inPhases(
      (phase) => buildPage(within(companyQuery(values.q, phase), filters), values),
      () => companyReadability(values.q),
    );
  },
  mapResponse: (result, values) => {
    const query = readCompanyQuery(values.q);
    return presentPage(KIND, result, values, {
      present: (hit) => presentCompany(hit, query),
      reading: () => ({ query: query.name, read: companyForms }),
    });
  },
  schema: pageSchema("company-search", KIND, companyItemSchema, { facets: facetsSchema }),
  example,
  statuses: [416],
});

function buildSameAs(values: PageValues & { facets: string[] }, filters: Clause[]): SearchBody {
  const key = sameAsKey(parseCompanyName(values.q));
  // Names with the same same-as key are equals: they are in the order of the register.
  return buildPage(allOf([term("same_as", key), ...filters]), values, COMPANY_ORDER);
}
