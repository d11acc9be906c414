/** Owns GET /search: companies, officers and disqualified officers in one order of relevance. */
import { companyItemSchema, presentCompany, readCompanyQuery } from "./answers/company.ts";
import { companyForms } from "./answers/matched.ts";
import { pageSchema, presentPage, primaryParameters } from "./answers/envelope.ts";
import {
  disqualifiedOfficerItemSchema,
  officerItemSchema,
  presentDisqualifiedOfficer,
  presentOfficer,
  readingOf,
  readOfficerQuery,
} from "./answers/officer.ts";
import { bestOf, buildPage, type Clause, IN_FORCE, KIND_ORDER, term } from "./clauses.ts";
import { defineSearch, inPhases } from "./define-search.ts";
import { companyQuery } from "./ranking/company.ts";
import { officerQuery } from "./ranking/person.ts";
import example from "./examples/search-all.json" with { type: "json" };

const KIND = "search#all";

export const searchAll = defineSearch({
  name: "search-all",
  path: "/search",
  summary: "Search companies, officers and disqualified officers together.",
  parameters: primaryParameters,
  indices: ["companies", "officers", "disqualified-officers"],
  buildQueries: (values) => inPhases((isTolerant) => buildPage(buildQuery(values.q, isTolerant), values)),
  mapResponse: (result, values) => {
    const company = readCompanyQuery(values.q);
    const officer = readOfficerQuery(values.q, company.name);
    return presentPage(KIND, result, values, {
      present: (hit) => {
        if (hit.index === "companies") return presentCompany(hit, company);
        return hit.index === "officers"
          ? presentOfficer(hit, officer)
          : presentDisqualifiedOfficer(hit, officer);
      },
      reading: (hit) =>
        hit.index === "companies" ? { query: company.name, read: companyForms } : readingOf(hit, officer),
    });
  },
  schema: pageSchema("search", KIND, {
    anyOf: [companyItemSchema, officerItemSchema, disqualifiedOfficerItemSchema],
  }),
  example,
  statuses: [416],
});

/** Each kind gets its tier; equal tiers follow the order of the kinds. */
function buildQuery(q: string, isTolerant: boolean): Clause {
  const companies = { filter: [term("kind", "company")], must: [companyQuery(q, isTolerant)] };
  const officers = {
    filter: [{ terms: { kind: ["officer", "disqualified-officer"] } }],
    must: [officerQuery(q, isTolerant)],
  };
  return {
    bool: { must: [bestOf([{ bool: companies }, { bool: officers }])], should: [...KIND_ORDER, IN_FORCE] },
  };
}
