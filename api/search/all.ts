/** Owns GET /search: companies, officers and disqualified officers in one order of relevance. */
import type { IndexName } from "../../index-mappings/define-index.ts";
import { parseCompanyName } from "../../index-mappings/names/company-name.ts";
import { parsePersonQuery } from "../../index-mappings/names/person-query.ts";
import { companyItemSchema, presentCompany } from "./answers/company.ts";
import { pageSchema, presentPage, primaryParameters } from "./answers/envelope.ts";
import {
  disqualifiedOfficerItemSchema,
  officerItemSchema,
  presentDisqualifiedOfficer,
  presentOfficer,
} from "./answers/officer.ts";
import { bestOf, buildPage, type Clause, IN_FORCE, KIND_ORDER, term } from "./clauses.ts";
import { defineSearch, type SearchHit } from "./define-search.ts";
import { companyQuery } from "./ranking/company.ts";
import { officerQuery } from "./ranking/person.ts";

const KIND = "search#all";

const presenters: Record<IndexName, (hit: SearchHit, queryWords: string[]) => Record<string, unknown>> = {
  companies: presentCompany,
  officers: presentOfficer,
  "disqualified-officers": presentDisqualifiedOfficer,
};

export const searchAll = defineSearch({
  name: "search-all",
  path: "/search",
  summary: "Search companies, officers and disqualified officers together.",
  parameters: primaryParameters,
  indices: ["companies", "officers", "disqualified-officers"],
  buildQueries: (values) =>
    [false, true].map((isTolerant) => buildPage(buildQuery(values.q, isTolerant), values)),
  mapResponse: (result, values) => {
    const companyWords = parseCompanyName(values.q).words;
    const personWords = parsePersonQuery(values.q).words;
    return presentPage(KIND, result, values, (hit) =>
      presenters[hit.index](hit, hit.index === "companies" ? companyWords : personWords),
    );
  },
  schema: pageSchema(KIND, {
    anyOf: [companyItemSchema, officerItemSchema, disqualifiedOfficerItemSchema],
  }),
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
