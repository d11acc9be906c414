/**
 * The page that a search by relevance answers with: its parameters, its members and their schema. Also facets (counts
 * over all results), which the advanced search shares.
 */
import { objectOf } from "../../shared/schemas/schemas.ts";
import {
  itemsPerPage,
  SEARCH_WINDOW,
  startIndex,
  type ListParameter,
} from "../../shared/schemas/query-parameters.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import { CURSOR } from "../cursor.ts";
import type { SearchHit, SearchResult, Facet } from "../../shared/definitions/search-result.ts";
import type { QueryForms } from "./name-forms.ts";
import { correctQuery, DID_YOU_MEAN, EXPLAIN, explainHit } from "./explain.ts";
import { wordsOf } from "../../../index-mappings/names/text.ts";
import { QUERY_CHARACTERS, requiredQuery } from "../reading/query-text.ts";
import { type Clause, FACET_NAMES, type FacetName, MOST_COUNTS } from "../clauses.ts";
import type { Ask } from "../define-search.ts";

/** The parameters that all primary searches have. */
export const primaryParameters = {
  q: requiredQuery("The term being searched for: a name, part of one, or a company number."),
  items_per_page: itemsPerPage({ default: 20, maximum: 100 }),
  // Compat: the original refuses pages that start at 1000 or later with 416. Here a setting can move that window.
  start_index: { ...startIndex(), window: SEARCH_WINDOW, windowLiftedBy: "cursor" },
  cursor: CURSOR,
  explain: EXPLAIN,
};

/** The checked values of these parameters that the page needs. */
export interface PageValues {
  q: string;
  items_per_page: number;
  start_index: number;
  explain: boolean;
}

/** How the hits of a search become items. */
interface ItemPresenter {
  present: (hit: SearchHit) => Record<string, unknown>;
  /** The query, read as a company's or a person's name, whichever the hit has. */
  queryOf: (hit: SearchHit) => QueryForms;
}

/** The answer of a primary search: a page of items, and its position among all results. */
export function presentPage(
  kind: string,
  result: SearchResult,
  values: PageValues,
  presenter: ItemPresenter,
): Record<string, unknown> {
  const { items_per_page, start_index, explain } = values;
  const { hits, total, offset = start_index, next_cursor, facets } = result;
  const items = hits.map(presenter.present);
  const explained = (hit: SearchHit, item: Record<string, unknown> = {}) =>
    explainHit(hit, String(item.snippet === "" ? item.title : item.snippet), presenter.queryOf(hit));
  const did_you_mean = correctQuery(
    { ...result, offset },
    (hit) => explained(hit, items[0]),
    presenter.queryOf,
  );
  return {
    kind,
    items: explain
      ? hits.map((hit, index) => ({ ...items[index], match: explained(hit, items[index]) }))
      : items,
    items_per_page,
    page_number: Math.floor(offset / items_per_page) + 1,
    start_index: offset,
    total_results: total,
    ...(facets && { facets }),
    ...(did_you_mean && { did_you_mean }),
    ...(next_cursor && { next_cursor }),
  };
}

/** The start of the next page; absent from the last one. */
export const NEXT_CURSOR: JsonSchema = {
  type: "string",
  description: "Cursor of the next page; absent on the last page, or without `cursor` in the request.",
};

/** JSON Schema of the answer of a primary search. `more`: members that only this search has. */
export function pageSchema(
  title: string,
  kind: string,
  items: JsonSchema,
  more: Record<string, JsonSchema> = {},
): JsonSchema {
  return {
    title,
    description: "A page of what a search found, the best first.",
    ...objectOf(["kind", "items", "items_per_page", "page_number", "start_index", "total_results"], {
      kind: { const: kind },
      items: { type: "array", items },
      items_per_page: { type: "integer", minimum: 1 },
      page_number: { type: "integer", minimum: 1 },
      start_index: { type: "integer", minimum: 0 },
      total_results: { type: "integer", minimum: 0 },
      did_you_mean: DID_YOU_MEAN,
      next_cursor: NEXT_CURSOR,
      ...more,
    }),
  };
}

const WORDS: Record<FacetName, string> = {
  status: "Companies found, by status.",
  type: "Companies found, by legal form.",
  sic_codes: "Companies found, by nature of business.",
  location: "Companies found, by the town of the registered office.",
};

const COUNTED =
  "Facets to count. Counts cover all results, not only this page: for each facet its most frequent values, " +
  `at most ${MOST_COUNTS}. Each value that is on its list can be sent as a filter: a status as company_status, a type as company_type, the others by their own name`;

/** The parameter `facets`: the facets to count. */
export const FACETS: ListParameter & { values: typeof FACET_NAMES } = {
  kind: "list",
  description:
    `${COUNTED}. With that filter the search has as many results, unless the request already has a filter of that name. ` +
    "The values of `location` are towns.",
  values: FACET_NAMES,
};

/** The parameter `facets` of a search by relevance. It has no towns, since counting each would need another search. */
export const RELEVANCE_FACETS: ListParameter & { values: string[] } = {
  kind: "list",
  description: `${COUNTED}.`,
  values: FACET_NAMES.filter((name) => name !== "location"),
};

/**
 * Replaces the counts of towns by the number of results that the filter `location` would have: a company in `TARNBY
 * ROAD, LLANDUDNO` counts for both places. Sends one more request, but only if towns were requested and found.
 */
export async function countLocations(
  ask: Ask,
  result: SearchResult,
  filterOf: (place: string) => Clause,
): Promise<SearchResult> {
  const places = result.facets?.location?.map(({ value }) => value).filter(isAskable) ?? [];
  if (places.length === 0) return result;
  const found = await ask(...places.map((place) => ({ query: filterOf(place), size: 0 })));
  const counts = places.map((value, index) => ({ value, count: found[index]?.total ?? 0 }));
  const location = counts.filter(({ count }) => count > 0);
  return { ...result, facets: { ...result.facets, location: location.toSorted(byCount) } };
}

/** True for a place that the filter accepts: with a word, and within its limit. */
function isAskable(place: string): boolean {
  return place.length <= QUERY_CHARACTERS && wordsOf(place).length > 0;
}

function byCount(a: Facet, b: Facet): number {
  return b.count - a.count || (a.value < b.value ? -1 : 1);
}

const COUNTS: JsonSchema = {
  type: "array",
  maxItems: MOST_COUNTS,
  items: {
    title: "facet-count",
    description: "Number of results that have one value.",
    ...objectOf(["value", "count"], {
      value: { type: "string", description: "The value that is counted." },
      count: { type: "integer", minimum: 1, description: "Companies that have the value." },
    }),
  },
};

/** JSON Schema of the counts. */
export const facetsSchema: JsonSchema = {
  title: "facets",
  description: "The counts that `facets` asked for.",
  ...objectOf(
    [],
    Object.fromEntries(FACET_NAMES.map((name) => [name, { ...COUNTS, description: WORDS[name] }])),
  ),
};
