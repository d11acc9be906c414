/** Runs a search in phases (see `Phase`): a later phase is sent only when the earlier ones did not find enough. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { ApiError, serviceError } from "../shared/runtime/errors.ts";
import type { QueryParameters, QueryValues } from "../shared/schemas/query-parameters.ts";
import type { Phase, SearchBody, SearchHit, SearchResult } from "../shared/definitions/search-result.ts";
import { nextCursor, readCursor, type PhasedResult, type SearchRequest } from "./cursor.ts";
import type { Ask, Phases, SearchDefinition } from "./define-search.ts";
import { isAnswer } from "./ranking/tiers.ts";

/** The clauses of a phase. The tolerant phase omits the strict clauses, because these have found nothing by then. */
export function inPhase<T>(phase: Phase, strict: T[], near: () => T[]): T[] {
  if (phase === "strict") return strict;
  return phase === "tolerant" ? near() : [...strict, ...near()];
}

// Size of the default page. A query with this many strict results, the best of them exact, is never read, whichever
// page is requested.
const FULL_PAGE = 20;

/** Fetches the result of a search. Throws ApiError 404 when nothing is found and the search has a `notFound` key. */
export async function fetchResult<P extends QueryParameters>(
  search: SearchDefinition<P>,
  ask: Ask,
  values: QueryValues<P>,
): Promise<SearchResult> {
  const result = search.fetch
    ? await search.fetch(ask, values)
    : await fetchInPhases(ask, search.phases(values), { name: search.name, values });
  if (search.notFound && result.total === 0 && !result.top) {
    throw new ApiError(404, [serviceError(search.notFound)]);
  }
  return result;
}

/**
 * Whether the engine should cache the answer. One word, such as a surname or a first letter, is slow because it matches
 * much, and many clients ask for it. Later pages would take more cache than they are worth.
 */
export function isWorthCaching({ q, start_index, cursor }: Record<string, unknown>): boolean {
  return typeof q === "string" && /^\s*\p{L}+\s*$/u.test(q) && !start_index && !cursor;
}

/**
 * Fetches the result of the phases that are needed. With a cursor among the values it continues in the phase of the
 * cursor, whatever another phase would find now.
 */
export async function fetchInPhases(ask: Ask, phases: Phases, request: SearchRequest): Promise<SearchResult> {
  const { cursor, size, items_per_page = size } = request.values;
  if (typeof cursor !== "string") return fetchNeededPhase(ask, phases);
  const { phase, offset, after } = readCursor(cursor, request, phases);
  const wanted = Number(items_per_page);
  // One extra hit tells whether a page follows. The total does not: earlier results may be deleted by now.
  const place = { from: 0, size: wanted + 1, ...(after && { search_after: after }) };
  const adjust = (body: SearchBody) => ({ ...body, ...place });
  const found = phase
    ? (await fetchPhase(ask, phase, adjust(phases.build(phase)))).found
    : await fetchNeededPhase(ask, phases, adjust);
  const page = { ...found, hits: found.hits.slice(0, wanted) };
  const next_cursor = found.hits.length > wanted ? nextCursor(page, request, offset) : undefined;
  return { ...page, offset, next_cursor };
}

/**
 * The result of the last phase that is needed; `adjust` changes each body before it is sent. A query that clearly has
 * more than a name is read even if a few names have all of it; a query with nothing to read is never read. If no other
 * search runs, the next phases are prepared while the engine works on the strict body.
 */
export async function fetchNeededPhase(
  ask: Ask,
  { build, words, readability, last, isMixed }: Phases,
  adjust = (body: SearchBody) => body,
): Promise<PhasedResult> {
  const run = (phase: Phase) => fetchPhase(ask, phase, adjust(build(phase)));
  const prepare = async () => {
    // The strict body is sent at the end of this turn of the event loop; working now would delay it.
    await nextTurn();
    if (words) ask.expect?.(words());
    return readability?.();
  };
  const asking = run("strict");
  if (last === "strict") return (await asking).found;
  // Caught, since an unhandled rejection would end the process.
  const prepared = ask.expect && prepare().catch(() => undefined);
  const strict = await asking;
  const isAnswered = await hasAnswer(ask, strict);
  if (isAnswered && strict.found.total >= FULL_PAGE) return strict.found;
  const { isMore = false, isReadable = false } = (await prepared) ?? readability?.() ?? {};
  if (isMore) return (await run("read")).found;
  if (isAnswered) return strict.found;
  const near = await run("tolerant");
  const isEnough = !isReadable || (await hasAnswer(ask, near, isMixed));
  return isEnough ? near.found : (await run("read")).found;
}

/** A body that was sent, and what it found. */
interface Run {
  body: SearchBody;
  found: PhasedResult;
}

async function fetchPhase(ask: Ask, phase: Phase, body: SearchBody): Promise<Run> {
  const [result] = await ask(body);
  return { body, found: { total: 0, hits: [], ...result, phase } };
}

/** Whether the best result on any page is an answer: the choice of the phase must not depend on the page. */
async function hasAnswer(ask: Ask, { body, found }: Run, isMixed = false): Promise<boolean> {
  const { total, hits, phase } = found;
  const isOne = (hit: SearchHit) => isAnswer(hit, phase === "strict" ? "exact" : "near");
  // Among results of one kind, all that rank above an answer are answers as well.
  if (total === 0 || (!isMixed && hits.some(isOne))) return total > 0;
  const [best] = body.from ? await ask({ ...body, from: 0, size: 1 }) : [found];
  return best?.hits.slice(0, 1).some(isOne) ?? false;
}
