/** Owns GET /dissolved-search/companies: dissolved companies by name, by previous name or by place in the alphabet. */
import type { QueryValues } from "../shared/schemas/query-parameters.ts";
import { fetchAlphabetical } from "./alphabet.ts";
import { readCompanyQuery, type CompanyQuery } from "./answers/company.ts";
import {
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
import {
  dissolvedCompanySchema,
  presentDissolvedCompany,
  presentPreviousNames,
} from "./answers/dissolved-company.ts";
import type { Reading } from "./answers/forms.ts";
import { correctQuery, DID_YOU_MEAN, EXPLAIN, explainHit } from "./answers/explain.ts";
import { companyForms } from "./answers/matched.ts";
import { buildPage, term, within } from "./clauses.ts";
import { CURSOR } from "./cursor.ts";
import { defineSearch, inPhases } from "./define-search.ts";
import type { SearchBody, SearchHit, SearchResult } from "../shared/definitions/search-result.ts";
import { fetchInPhases } from "./fetch-result.ts";
import { companyQueryOver } from "./ranking/company.ts";
import { companyReadability } from "./ranking/readability.ts";
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

const IS_DISSOLVED = term("status", "dissolved");
// Compat: the original stops after 15 rounds, of which the first repeats the whole key.
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
      ? fetchAlphabetical(ask, values, { filters: [IS_DISSOLVED], lettersOff: LETTERS_OFF })
      : fetchInPhases(ask, buildByRelevance(values), { name: NAME, values }),
  notFound: NO_COMPANIES,
  mapResponse: (result, values, { today }) => {
    const query = readCompanyQuery(values.q);
    const items = presentItems(result, values, query, today);
    const did_you_mean = meant(result, items, values, query);
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

function buildByRelevance(values: Values): Iterable<SearchBody> {
  const names = values.search_type === PREVIOUS_NAME ? "previous" : "current";
  const page = readPage(values);
  return inPhases(
    (phase) => ({
      ...buildPage(within(companyQueryOver(names, values.q, phase), [IS_DISSOLVED]), page),
      _source: ["shown", "order_key_id"],
    }),
    () => companyReadability(values.q),
  );
}

/** A page is one of companies: with previous names it contains all the matching names of its companies. */
function presentItems({ hits }: SearchResult, values: Values, query: CompanyQuery, today: string): Item[] {
  const present = (hit: SearchHit): Item[] =>
    values.search_type === PREVIOUS_NAME
      ? presentPreviousNames(hit, query, today)
      : [presentDissolvedCompany(hit, today)];
  // A search by place in the alphabet has no reasons.
  if (!values.explain || values.search_type === ALPHABETICAL) return hits.flatMap(present);
  return hits.flatMap((hit) => {
    const items = present(hit);
    // The company's place is that of its best name, which comes first.
    const match = explainHit(hit, nameThatAnswered(items[0]), toReading(query));
    return items.map((item) => ({ ...item, match }));
  });
}

function toReading({ name }: CompanyQuery): Reading {
  return { query: name, read: companyForms };
}

function nameThatAnswered(item: Item | undefined): string {
  const previous = item?.matched_previous_company_name as { name: string } | undefined; // as it is presented
  return previous?.name ?? String(item?.company_name);
}

function meant(
  result: SearchResult,
  [item]: Item[],
  values: Values,
  query: CompanyQuery,
): string | undefined {
  const reading = toReading(query);
  return correctQuery(
    { offset: values.start_index, ...result },
    (hit) => explainHit(hit, nameThatAnswered(item), reading),
    () => reading,
  );
}
