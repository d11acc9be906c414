/** Owns facets: how many of all results have each status, type, code or place. */
import type { ListParameter } from "../../shared/schemas/query-parameters.ts";
import { objectOf } from "../../shared/schemas/schemas.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import { wordsOf } from "../../../index-mappings/names/text.ts";
import type { Clause } from "../clauses.ts";
import type { Ask } from "../define-search.ts";
import type { Facet, SearchResult } from "../../shared/definitions/search-result.ts";
import { QUERY_CHARACTERS } from "../reading/filters.ts";

// Limit: values shown of each facet, the most frequent first; there are fewer statuses, and more types than matter.
const MOST_VALUES = 20;

// The fields of the index by the words of the API. A location is the town, as addresses name it.
const FIELDS = { status: "status", type: "type", sic_codes: "sic", location: "locality" } as const;
const WORDS: Record<keyof typeof FIELDS, string> = {
  status: "Companies found, by status.",
  type: "Companies found, by legal form.",
  sic_codes: "Companies found, by nature of business.",
  location: "Companies found, by the town of the registered office.",
};
const NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

const COUNTED =
  "What to count over all that is found, the pages not shown included: for each facet the most frequent values, " +
  `at most ${MOST_VALUES}. Each value can be sent as a filter: a status as company_status, a type as company_type, the others by their own name`;

/** `facets`: the facets to count. */
export const FACETS: ListParameter & { values: typeof NAMES } = {
  kind: "list",
  description: `${COUNTED}, which then finds as many; the values of \`location\` are towns.`,
  values: NAMES,
};

/** The same for a search by relevance, which does not count towns: each would need a search of its own. */
export const RELEVANCE_FACETS: ListParameter & { values: string[] } = {
  kind: "list",
  description: `${COUNTED}.`,
  values: NAMES.filter((name) => name !== "location"),
};

/** The counting part of a query body; empty when nothing is to be counted. */
export function countFacets(names: string[]): { aggs?: Record<string, Clause> } {
  const asked = NAMES.filter((name) => names.includes(name));
  if (asked.length === 0) return {};
  const order = [{ _count: "desc" }, { _key: "asc" }];
  const counts = asked.map((name) => [name, { terms: { field: FIELDS[name], size: MOST_VALUES, order } }]);
  return { aggs: Object.fromEntries(counts) as Record<string, Clause> };
}

/**
 * The result with its towns counted like the filter `location`: anywhere in the address, so that a company in
 * `TARNBY ROAD, LLANDUDNO` counts for both. One more request, only when towns were requested and found.
 */
export async function countLocations(
  ask: Ask,
  result: SearchResult,
  filterOf: (place: string) => Clause,
): Promise<SearchResult> {
  const places = result.facets?.location?.map(({ value }) => value).filter(isAskable) ?? [];
  if (places.length === 0) return result;
  const found = await ask(...places.map((place) => ({ query: filterOf(place), size: 0 })));
  const location = places.map((value, index) => ({ value, count: found[index]?.total ?? 0 }));
  return { ...result, facets: { ...result.facets, location: location.toSorted(byCount) } };
}

/** The filter does not accept a place without a word or longer than its limit. */
function isAskable(place: string): boolean {
  return place.length <= QUERY_CHARACTERS && wordsOf(place).length > 0;
}

function byCount(a: Facet, b: Facet): number {
  return b.count - a.count || (a.value < b.value ? -1 : 1);
}

const COUNTS: JsonSchema = {
  type: "array",
  maxItems: MOST_VALUES,
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
  ...objectOf([], Object.fromEntries(NAMES.map((name) => [name, { ...COUNTS, description: WORDS[name] }]))),
};
