/** Owns the run of a search: which query bodies are sent, and what finding nothing means. */
import { ApiError } from "../core/errors.ts";
import type { QueryParameters, QueryValues } from "../core/query-parameters.ts";
import type { Ask, SearchBody, SearchDefinition, SearchResult } from "./define-search.ts";

/** Fetches what a search finds. Throws ApiError 404 where the search has a key for finding nothing. */
export async function fetchResult<P extends QueryParameters>(
  search: SearchDefinition<P>,
  ask: Ask,
  values: QueryValues<P>,
): Promise<SearchResult> {
  const result = search.fetch
    ? await search.fetch(ask, values)
    : await fetchInPhases(ask, search.buildQueries(values));
  if (search.notFound && result.total === 0 && !result.top) {
    throw new ApiError(404, [{ type: "ch:service", error: search.notFound }]);
  }
  return result;
}

/** Fetches what the first body finds that finds anything. */
export async function fetchInPhases(ask: Ask, bodies: SearchBody[]): Promise<SearchResult> {
  let result: SearchResult = { total: 0, hits: [] };
  for (const body of bodies) {
    [result = result] = await ask(body);
    if (result.total > 0) break;
  }
  return result;
}
