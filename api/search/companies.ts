/**
 * Owns GET /search/companies: companies by current and previous name and by number, or by the same-as key; the filters
 * of companies, which the advanced search has, too; and GET /name-availability/companies, which asks by the same-as key alone.
 */
import { parseCompanyName } from "../../index-mappings/names/company-name.ts";
import { sameAsKey } from "../../index-mappings/names/same-as.ts";
import { wordsOf } from "../../index-mappings/names/text.ts";
import { objectWithOptional } from "../shared/schemas/schemas.ts";
import { enumerationKeys } from "../shared/values/enumerations.ts";
import type { QueryValues } from "../shared/schemas/query-parameters.ts";
import { companyItemSchema, presentCompany } from "./answers/company.ts";
import { companyQueryForms } from "./answers/name-forms.ts";
import {
  type PageValues,
  pageSchema,
  presentPage,
  primaryParameters,
  queryText,
  facetsSchema,
  RELEVANCE_FACETS,
  withoutEscapes,
} from "./answers/page.ts";
import {
  allOf,
  anyOf,
  buildPage,
  type Clause,
  COMPANY_ORDER,
  inAddress,
  type Page,
  term,
  within,
} from "./clauses.ts";
import { defineSearch } from "./define-search.ts";
import type { SearchBody } from "../shared/definitions/search-result.ts";
import { companyQuery } from "./ranking/company.ts";
import { companyWords } from "./ranking/company-matches.ts";
import { companyReadability } from "./phases.ts";
import availabilityExample from "./examples/check-name-availability.json" with { type: "json" };
import example from "./examples/search-companies.json" with { type: "json" };

const KIND = "search#companies";
const AVAILABILITY_KIND = "name-availability#companies";
const ACTIVE_ONLY = "active-companies";
const SAME_AS = "legally-equivalent-company-name";

// Compat: the original accepts only the two documented subtypes.
const SUBTYPES = ["community-interest-company", "private-fund-limited-partnership"];

/** The filters of companies; the search by name has some of them. */
export const filterParameters = {
  company_name_includes: queryText(
    "Words that must all be in the company's name, which includes the legal ending.",
  ),
  company_name_excludes: queryText("Words that must not be in the company's name."),
  company_status: {
    kind: "list",
    description: "Statuses of companies to find, in upper or lower case.",
    values: enumerationKeys("company_status"),
    ignoresCase: true,
  },
  company_type: {
    kind: "list",
    description: "Types of companies to find.",
    values: enumerationKeys("company_type"),
  },
  company_subtype: {
    kind: "list",
    description: "Subtypes of companies to find.",
    values: SUBTYPES,
  },
  sic_codes: { kind: "list", description: "SIC codes of companies to find." },
  incorporated_from: { kind: "date", description: "Only companies created on or after this day." },
  incorporated_to: { kind: "date", description: "Only companies created on or before this day." },
  dissolved_from: { kind: "date", description: "Only companies that ended on or after this day." },
  dissolved_to: { kind: "date", description: "Only companies that ended on or before this day." },
  location: queryText("Words that must all be in the registered office address."),
} as const;

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
    // Compat: the original ignores these parameters, and public scripts send it words of their own.
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
      look: () => companyReadability(values.q),
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

// Limit: companies named as reasons; usually one company has the name, and any one is enough.
const MOST_ITEMS = 20;

/** Punctuation does not count: of a text without words nothing is left to compare. A blank one is absent. */
function settleName(given: string): string | null {
  const name = withoutEscapes(given);
  return name.trim() === "" || wordsOf(name).length > 0 ? name : null;
}

// A name is free again after its company was dissolved, closed, converted or removed: the last status group.
const IS_ON_THE_INDEX: Clause = { range: { status_rank: { lt: 2 } } };

/**
 * Whether a name can still be registered, by the same-as rules of the Company, Limited Liability Partnership and Business
 * (Names and Trading Disclosures) Regulations 2015. Not in the original.
 */
export const checkNameAvailability = defineSearch({
  name: "check-name-availability",
  path: "/name-availability/companies",
  summary: "Check whether a company name is available: no company on the register has the same name.",
  parameters: {
    q: {
      ...queryText(
        "The name to check, which has a letter, a digit or a sign that is a word, such as &. Names are the same if they " +
          "differ only in legal ending, punctuation, equivalent words and signs (AND and &, 4 and FOUR), a final S, and " +
          "endings such as UK or COMPANY.",
      ),
      settle: settleName,
      required: true,
    },
  },
  indices: ["companies"],
  phases: ({ q }) => ({
    build: () => buildSameAs({ q, start_index: 0, items_per_page: MOST_ITEMS }, [IS_ON_THE_INDEX]),
    last: "strict",
  }),
  mapResponse: ({ total, hits }, { q }) => {
    const query = companyQueryForms(q);
    return {
      kind: AVAILABILITY_KIND,
      company_name: q,
      same_as_key: keyOf(q),
      is_available: total === 0,
      total_results: total,
      items: hits.map((hit) => presentCompany(hit, query)),
    };
  },
  schema: {
    title: "name-availability",
    description: "Whether a company name is available, and the companies with the same name.",
    ...objectWithOptional([], {
      kind: { const: AVAILABILITY_KIND },
      company_name: { type: "string", description: "The name that was checked." },
      same_as_key: { type: "string", description: "The part of the name that is compared." },
      is_available: {
        type: "boolean",
        description: "True if no company has the same name, dissolved ones excepted.",
      },
      total_results: { type: "integer", minimum: 0, description: "Companies that have the same name." },
      items: { type: "array", maxItems: MOST_ITEMS, items: companyItemSchema },
    }),
  },
  example: availabilityExample,
});

/**
 * Compat: the register's own page asks whether a name is free with start_index 1, for the page that begins at 0, because the
 * original counts in whole pages. An exact start leaves out the only name that is the same: the case restrictions-one-same.
 */
function inWholePages<V extends PageValues & { restrictions: string[] }>(values: V): V {
  if (!values.restrictions.includes(SAME_AS)) return values;
  const { start_index, items_per_page } = values;
  return { ...values, start_index: start_index - (start_index % items_per_page) };
}

function buildSameAs(values: Page & { q: string }, filters: Clause[]): SearchBody {
  // Names with the same same-as key are equals: they are in the order of the register.
  return buildPage(allOf([term("same_as", keyOf(values.q)), ...filters]), values, COMPANY_ORDER);
}

function keyOf(q: string): string {
  return sameAsKey(parseCompanyName(q));
}

/** The conditions that both searches have. */
export function filterCompanies(
  values: Pick<
    QueryValues<typeof filterParameters>,
    "company_status" | "company_type" | "sic_codes" | "location"
  >,
): Clause[] {
  return [
    ...anyOf("status", values.company_status),
    ...anyOf("type", values.company_type),
    ...anyOf("sic", values.sic_codes),
    ...inAddress(values.location),
  ];
}
