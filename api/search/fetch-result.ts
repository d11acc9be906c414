/** Owns the run of a search: which query bodies are sent, and what an empty result means. */
import { ApiError } from "../shared/runtime/errors.ts";
import type { QueryParameters, QueryValues } from "../shared/schemas/query-parameters.ts";
import { isAnswer } from "./ranking/tiers.ts";
import { goOn, nextCursor, questionOf, readCursor, START, type Question } from "./cursor.ts";
import type { Ask, Progress, SearchDefinition } from "./define-search.ts";
import type { SearchBody, SearchHit, SearchResult } from "../shared/definitions/search-result.ts";

/** Fetches the result of a search. Throws ApiError 404 when nothing is found and the search has a key for that. */
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

/**
 * Whether the engine is to keep the answer: one word, such as a surname or a first letter, matches much, which takes time, and
 * is asked by many. Later pages take more room than they are worth.
 */
export function isAskedOften({ q, start_index, cursor }: Record<string, unknown>): boolean {
  return typeof q === "string" && /^\s*\p{L}+\s*$/u.test(q) && !start_index && !cursor;
}

/** Fetches the results of the needed bodies, or continues with a cursor among the values. */
export async function fetchInPhases(
  ask: Ask,
  bodies: Iterable<SearchBody>,
  asked: Question,
): Promise<SearchResult> {
  const { cursor } = asked.values;
  return typeof cursor === "string" ? fetchByCursor(ask, bodies, asked, cursor) : fetchLast(ask, bodies);
}

type PhasedResult = SearchResult & { phase: number };

/** The result of the last body that is needed, sent as `toAsked` makes it; each one gets what the one before found. */
export async function fetchLast(
  ask: Ask,
  bodies: Iterable<SearchBody>,
  toAsked = (body: SearchBody) => body,
): Promise<PhasedResult> {
  let found: PhasedResult = { total: 0, hits: [], phase: -1 };
  // A list of bodies ignores what was found.
  const iterator = bodies[Symbol.iterator]() as Iterator<SearchBody, unknown, Progress | undefined>;
  for (let step = iterator.next(); !step.done;) {
    const body = toAsked(step.value);
    const [result] = await ask(body);
    found = { ...found, ...result, phase: found.phase + 1 };
    step = iterator.next({ isAnswered: await hasAnswer(ask, body, found), total: found.total });
  }
  return found;
}

/** Whether a body has results, on this page or before it: the choice of the body must not depend on the page. */
async function hasAnswer(ask: Ask, body: SearchBody, { total, hits, phase }: PhasedResult): Promise<boolean> {
  const isOne = (hit: SearchHit) => isAnswer(hit, phase === 0 ? "exact" : "near");
  if (total === 0 || hits.some(isOne)) return total > 0;
  if (!body.from) return false;
  const [first] = await ask({ ...body, from: 0, size: 1 });
  return first?.hits.some(isOne) ?? false;
}

/** A cursor continues with the body it began with, whatever another one would find now. */
async function fetchByCursor(
  ask: Ask,
  bodies: Iterable<SearchBody>,
  asked: Question,
  cursor: string,
): Promise<SearchResult> {
  const question = questionOf(asked);
  const all = cursor === START ? [] : [...bodies];
  const position = readCursor(cursor, question, all);
  const { phase: began = 0, offset = 0 } = position ?? {};
  const open = position ? all.slice(began, began + 1) : bodies;
  const result = await fetchLast(ask, open, (body) => goOn(body, position));
  const phase = began + result.phase;
  return { ...result, phase, offset, next_cursor: nextCursor(result, { phase, offset }, question) };
}
