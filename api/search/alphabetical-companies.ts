/** Owns GET /alphabetical-search/companies: the place of a name in the alphabet, and its neighbours. */
import { fetchAlphabetical } from "./alphabet.ts";
import { alphabeticalCompanySchema, presentAlphabeticalCompany } from "./answers/alphabetical-company.ts";
import {
  companyPageSchema,
  cursorParameters,
  NAME_QUERY,
  NO_COMPANIES,
  pageSize,
} from "./answers/company-page.ts";
import { defineSearch } from "./define-search.ts";
import example from "./examples/search-alphabetical-companies.json" with { type: "json" };

const KIND = "search#alphabetical-search";

// Compat: the original stops after 25 rounds, of which the first repeats the whole key.
const LETTERS_OFF = 24;

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
