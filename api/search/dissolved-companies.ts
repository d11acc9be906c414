/**
 * GET /dissolved-search/companies: dissolved companies by current name, by previous name or by place in the alphabet.
 * By previous name, a company has one item for each of its names that match.
 */
import type { ShownCompany } from "../../index-mappings/companies/index.ts";
import { addressWords } from "../../index-mappings/places.ts";
import type { SearchHit, SearchResult } from "../shared/definitions/search-result.ts";
import { ApiError } from "../shared/runtime/errors.ts";
import { parameterFault, type QueryValues } from "../shared/schemas/query-parameters.ts";
import { byNewestEnd } from "../shared/values/dates.ts";
import { DATE, objectOf } from "../shared/schemas/schemas.ts";
import { pickMembers } from "../shared/values/members.ts";
import type { JsonSchema } from "../shared/schemas/validate.ts";
import type { Address } from "../shared/values/address.ts";
import { fetchAlphabetical } from "./alphabet.ts";
import {
  addressOf,
  companyMembers,
  companyPageSchema,
  cursorParameters,
  NAME_QUERY,
  NO_COMPANIES,
  PAGE_START,
  pageMembers,
  pageSize,
  readPage,
  withEtag,
} from "./answers/company-page.ts";
import { answeringNames } from "./answers/matched.ts";
import { companyQueryForms, type QueryForms } from "./answers/name-forms.ts";
import { correctQuery, DID_YOU_MEAN, EXPLAIN, explainHit, explanationSchema } from "./answers/explain.ts";
import { buildPage, term, within } from "./clauses.ts";
import { CURSOR } from "./cursor.ts";
import { type Ask, defineSearch, type Phases } from "./define-search.ts";
import { fetchInPhases } from "./phases.ts";
import { companyReadability } from "./reading/readability.ts";
import { companyQueryOver } from "./ranking/company.ts";
import { companyWords } from "./ranking/company-matches.ts";
import example from "./examples/search-dissolved-companies.json" with { type: "json" };

const NAME = "search-dissolved-companies";

const BEST_MATCH = "best-match";
const ALPHABETICAL = "alphabetical";
const PREVIOUS_NAME = "previous-name-dissolved";

const KINDS: Record<string, string> = {
  [BEST_MATCH]: "search#dissolved",
  [ALPHABETICAL]: "search#alphabetical-dissolved",
  [PREVIOUS_NAME]: "search#previous-name-dissolved",
};

const ITEM_KIND = "searchresults#dissolved-company";
const ADDRESS_MEMBERS = [
  "address_line_1",
  "address_line_2",
  "locality",
  "postal_code",
] as const satisfies (keyof Address)[];

// Compat: companies that ceased longer ago are shown without their address.
const YEARS_WITH_ADDRESS = 20;

const IS_DISSOLVED = term("status", "dissolved");
// Compat: the original tries 15 times, first with the whole key, then with one letter less each time.
const LETTERS_OFF = 14;

const parameters = {
  q: NAME_QUERY,
  search_type: {
    kind: "choice",
    required: true,
    values: [BEST_MATCH, ALPHABETICAL, PREVIOUS_NAME],
    description:
      "best-match: by current name or number. alphabetical: by place in the alphabet. previous-name-dissolved: " +
      "by previous name or number, with an item for each matching name; size, start_index and hits count companies.",
  },
  ...cursorParameters,
  size: pageSize(100),
  start_index: PAGE_START,
  cursor: CURSOR,
  explain: EXPLAIN,
} as const;

const previousNameSchema: JsonSchema = {
  title: "dissolved-previous-company-name",
  description: "A previous name of a dissolved company.",
  ...objectOf(["name", "company_number"], {
    name: { type: "string", description: "The previous name." },
    effective_from: DATE,
    ceased_on: DATE,
    company_number: companyMembers.company_number,
  }),
};

/** JSON Schema of a company as an item. */
const dissolvedCompanySchema: JsonSchema = {
  title: "dissolved-company-search-item",
  description: "A dissolved company that the search found by its current or a previous name.",
  ...objectOf(["kind", "company_name", "company_number", "company_status"], {
    kind: { const: ITEM_KIND },
    company_name: companyMembers.company_name,
    company_number: companyMembers.company_number,
    company_status: { const: "dissolved" },
    date_of_creation: DATE,
    date_of_cessation: DATE,
    ordered_alpha_key_with_id: companyMembers.ordered_alpha_key_with_id,
    registered_office_address: addressOf("dissolved-company-address", ADDRESS_MEMBERS),
    previous_company_names: { type: "array", minItems: 1, items: previousNameSchema },
    matched_previous_company_name: previousNameSchema,
    match: explanationSchema,
  }),
};

type Values = QueryValues<typeof parameters>;
type Item = Record<string, unknown>;

export const searchDissolvedCompanies = defineSearch({
  name: NAME,
  aliases: ["search-result"],
  path: "/dissolved-search/companies",
  summary: "Search dissolved companies by name, by previous name or by place in the alphabet.",
  parameters,
  indices: ["companies"],
  fetch: (ask, values) =>
    values.search_type === ALPHABETICAL
      ? fetchInAlphabet(ask, values)
      : fetchInPhases(ask, byRelevance(values), { name: NAME, values }),
  notFound: NO_COMPANIES,
  mapResponse: (result, values, { today }) => {
    const query = companyQueryForms(values.q);
    const items = presentItems(result, values, query, today);
    const did_you_mean = suggest(result, items, values, query);
    const top_hit = result.top ? presentDissolvedCompany(result.top, today) : items[0];
    return withEtag({
      kind: KINDS[values.search_type],
      ...(top_hit && { top_hit }),
      items,
      ...(values.search_type === ALPHABETICAL ? {} : { hits: result.total }),
      ...(did_you_mean && { did_you_mean }),
      ...(result.next_cursor && { next_cursor: result.next_cursor }),
    });
  },
  schema: companyPageSchema(
    { title: "dissolved-company-search", description: "A page of dissolved companies." },
    { enum: Object.values(KINDS), description: "Kind of the answer, by `search_type`." },
    dissolvedCompanySchema,
    { ...pageMembers, did_you_mean: DID_YOU_MEAN },
    ["etag"],
  ),
  example,
  statuses: [404, 416, 422],
});

/**
 * Throws ApiError 400 for a cursor, since a search by place in the alphabet has none. If it were ignored, the client
 * would take the page without a next cursor for the last one.
 */
function fetchInAlphabet(ask: Ask, values: Values): Promise<SearchResult> {
  if (values.cursor === undefined)
    return fetchAlphabetical(ask, values, { filters: [IS_DISSOLVED], lettersOff: LETTERS_OFF });
  throw new ApiError(400, [parameterFault("cursor", values.cursor, "invalid-parameter")]);
}

function byRelevance(values: Values): Phases {
  const names = values.search_type === PREVIOUS_NAME ? "previous" : "current";
  const page = readPage(values);
  return {
    build: (phase) => ({
      ...buildPage(within(companyQueryOver(names, values.q, phase), [IS_DISSOLVED]), page),
      _source: ["shown", "order_key_id"],
    }),
    words: () => companyWords(values.q),
    readability: () => companyReadability(values.q),
  };
}

/** The items of a page. It counts companies: by previous name, it has all matching names of its companies. */
function presentItems({ hits }: SearchResult, values: Values, query: QueryForms, today: string): Item[] {
  const present = (hit: SearchHit): Item[] =>
    values.search_type === PREVIOUS_NAME
      ? presentPreviousNames(hit, query, today)
      : [presentDissolvedCompany(hit, today)];
  // A search by place in the alphabet has no reason to explain.
  if (!values.explain || values.search_type === ALPHABETICAL) return hits.flatMap(present);
  return hits.flatMap((hit) => {
    const items = present(hit);
    // The best name comes first; it alone decided the company's rank.
    const match = explainHit(hit, matchedName(items[0]), query);
    return items.map((item) => ({ ...item, match }));
  });
}

function matchedName(item: Item | undefined): string {
  const previous = item?.matched_previous_company_name as { name: string } | undefined; // see presentPreviousNames
  return previous?.name ?? String(item?.company_name);
}

function suggest(
  result: SearchResult,
  [item]: Item[],
  values: Values,
  query: QueryForms,
): string | undefined {
  return correctQuery(
    { offset: values.start_index, ...result },
    (hit) => explainHit(hit, matchedName(item), query),
    () => query,
  );
}

/** A company as an item; `today` is the day of the request. */
function presentDissolvedCompany(hit: SearchHit, today: string): Record<string, unknown> {
  return { ...presentFacts(hit, today), ordered_alpha_key_with_id: hit.source.order_key_id };
}

/** A company as one item for each previous name that matches the query, the best first. */
function presentPreviousNames(hit: SearchHit, query: QueryForms, today: string): Record<string, unknown>[] {
  const facts = presentFacts(hit, today);
  const names = previousNamesOf(hit);
  const { registered_office_address: address } = hit.source.shown as ShownCompany; // the document of the index that the hit is from
  const placed = address ? addressWords(address).split(" ") : [];
  // A query for a company number matches all names of that company.
  const answering = hit.id === query.number ? names : answeringNames(query, names, placed);
  return answering.map((name) => ({ ...facts, matched_previous_company_name: name }));
}

function presentFacts(hit: SearchHit, today: string): Record<string, unknown> {
  const company = hit.source.shown as ShownCompany; // the document of the index that the hit is from
  const { registered_office_address: address, date_of_cessation = "" } = company;
  const names = previousNamesOf(hit);
  const hasAddress = address && date_of_cessation >= yearsBefore(today, YEARS_WITH_ADDRESS);
  return {
    kind: ITEM_KIND,
    company_name: company.company_name,
    company_number: hit.id,
    ...pickMembers(company, ["company_status", "date_of_creation", "date_of_cessation"]),
    ...(hasAddress ? { registered_office_address: pickMembers(address, ADDRESS_MEMBERS) } : {}),
    ...(names.length > 0 ? { previous_company_names: names } : {}),
  };
}

/** The previous names, latest first, each with the company's number. */
function previousNamesOf(hit: SearchHit) {
  const { previous_company_names: names = [] } = hit.source.shown as ShownCompany; // as above
  return names.toSorted(byNewestEnd).map((name) => ({
    ...pickMembers(name, ["effective_from", "ceased_on"]),
    name: name.name,
    company_number: hit.id,
  }));
}

/** That day many years before. A 29 February may not exist in that year; only the order of the texts matters. */
function yearsBefore(day: string, years: number): string {
  return `${Number(day.slice(0, 4)) - years}${day.slice(4)}`;
}
