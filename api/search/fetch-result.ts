/** Owns the run of a search: which query bodies are sent, and what finding nothing means. */
import { ApiError } from "../core/errors.ts";
import type { QueryParameters, QueryValues } from "../core/query-parameters.ts";
import { isAnswer } from "./clauses.ts";
import { goOn, nextCursor, questionOf, readCursor, type Question } from "./cursor.ts";
import type { Ask, SearchBody, SearchDefinition, SearchHit, SearchResult } from "./define-search.ts";

/** Fetches what a search finds. Throws ApiError 404 where the search has a key for finding nothing. */
export async function fetchResult<P extends QueryParameters>(
  search: SearchDefinition<P>,
  ask: Ask,
  values: QueryValues<P>,
): Promise<SearchResult> {
  const result = search.fetch
    ? await search.fetch(ask, values)
    : await fetchInPhases(ask, search.buildQueries(values), { name: search.name, values });
  if (search.notFound && result.total === 0 && !result.top) {
    throw new ApiError(404, [{ type: "ch:service", error: search.notFound }]);
  }
  return result;
}

/** Fetches what the first body finds that answers the query, or what a cursor among the values goes on with. */
export async function fetchInPhases(
  ask: Ask,
  bodies: Iterable<SearchBody>,
  asked: Question,
): Promise<SearchResult> {
  const { cursor } = asked.values;
  return typeof cursor === "string"
    ? fetchByCursor(ask, [...bodies], asked, cursor)
    : fetchFirst(ask, bodies);
}

type PhasedResult = SearchResult & { phase: number };

/** The result of the first body that finds an answer; where none does, that of the last one. */
async function fetchFirst(ask: Ask, bodies: Iterable<SearchBody>): Promise<PhasedResult> {
  let found: PhasedResult = { total: 0, hits: [], phase: -1 };
  for (const body of bodies) {
    const [result] = await ask(body);
    found = { ...found, ...result, phase: found.phase + 1 };
    if (await hasAnswer(ask, body, found)) break;
  }
  return found;
}

/** Whether a body finds an answer, on this page or before it: which body is used must not depend on the page. */
async function hasAnswer(ask: Ask, body: SearchBody, { total, hits, phase }: PhasedResult): Promise<boolean> {
  const isOne = (hit: SearchHit) => isAnswer(hit, phase === 0 ? "exact" : "near");
  if (total === 0 || hits.some(isOne)) return total > 0;
  if (!body.from) return false;
  const [first] = await ask({ ...body, from: 0, size: 1 });
  return first?.hits.some(isOne) ?? false;
}

/** What a cursor began with one body it goes on with, whatever another one would find by now. */
async function fetchByCursor(
  ask: Ask,
  bodies: SearchBody[],
  asked: Question,
  cursor: string,
): Promise<SearchResult> {
  const question = questionOf(asked);
  const position = readCursor(cursor, question, bodies);
  const { phase: began = 0, offset = 0 } = position ?? {};
  const open = position ? bodies.slice(began, began + 1) : bodies;
  const result = await fetchFirst(
    ask,
    open.map((body) => goOn(body, position)),
  );
  const phase = began + result.phase;
  return { ...result, phase, offset, next_cursor: nextCursor(result, { phase, offset }, question) };
}
