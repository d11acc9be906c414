/**
 * Owns a search in phases: which clauses a phase has, and the run of a search, which sends a query body only when those before it
 * are not enough.
 */
import { setImmediate as turn } from "node:timers/promises";
import { ApiError, serviceError } from "../shared/runtime/errors.ts";
import type { QueryParameters, QueryValues } from "../shared/schemas/query-parameters.ts";
import type { Phase, SearchBody, SearchHit, SearchResult } from "../shared/definitions/search-result.ts";
import { nextCursor, readCursor, type PhasedResult, type Question } from "./cursor.ts";
import type { Ask, Phases, SearchDefinition } from "./define-search.ts";
import { isAnswer } from "./ranking/tiers.ts";

/** The clauses of a phase: the tolerant one omits the strict clauses, which found nothing. */
export function inPhase<T>(phase: Phase, strict: T[], near: () => T[]): T[] {
  if (phase === "strict") return strict;
  return phase === "tolerant" ? near() : [...strict, ...near()];
}

// The default page: a query that fills it is not read, whatever page is requested.
const FULL_PAGE = 20;

/** Fetches the result of a search. Throws ApiError 404 when nothing is found and the search has a key for that. */
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
 * Whether the engine is to keep the answer: one word, such as a surname or a first letter, matches much, which takes time, and
 * is asked by many. Later pages take more room than they are worth.
 */
export function isAskedOften({ q, start_index, cursor }: Record<string, unknown>): boolean {
  return typeof q === "string" && /^\s*\p{L}+\s*$/u.test(q) && !start_index && !cursor;
}

/**
 * Fetches the results of the needed phases, or continues with a cursor among the values, in the phase it began with, whatever
 * another one would find now.
 */
export async function fetchInPhases(ask: Ask, phases: Phases, asked: Question): Promise<SearchResult> {
  const { cursor, size, items_per_page = size } = asked.values;
  if (typeof cursor !== "string") return fetchLast(ask, phases);
  const { phase, offset, after } = readCursor(cursor, asked, phases);
  const wanted = Number(items_per_page);
  // One hit more says whether a page follows: the total does not, since results that were read may be gone.
  const place = { from: 0, size: wanted + 1, ...(after && { search_after: after }) };
  const toAsked = (body: SearchBody) => ({ ...body, ...place });
  const found = phase
    ? (await fetchPhase(ask, phase, toAsked(phases.build(phase)))).found
    : await fetchLast(ask, phases, toAsked);
  const page = { ...found, hits: found.hits.slice(0, wanted) };
  const next_cursor = found.hits.length > wanted ? nextCursor(page, asked, offset) : undefined;
  return { ...page, offset, next_cursor };
}

/**
 * The result of the last phase that is needed, its body sent as `toAsked` makes it. A query that is clearly more than a name
 * is read at once, even beside a few names that have all of it; one with nothing to read is never read. While the engine works
 * on the strict body, a process with no other search under way prepares what the next ones need.
 */
export async function fetchLast(
  ask: Ask,
  { build, words, look, last, isMixed }: Phases,
  toAsked = (body: SearchBody) => body,
): Promise<PhasedResult> {
  const run = (phase: Phase) => fetchPhase(ask, phase, toAsked(build(phase)));
  const prepare = async () => {
    // Before the turn ends the strict body is not yet on its way, and would wait for this.
    await turn();
    if (words) ask.expect?.(words());
    return look?.();
  };
  const asking = run("strict");
  if (last === "strict") return (await asking).found;
  // Its failure must not end the process.
  const early = ask.expect && prepare().catch(() => undefined);
  const strict = await asking;
  const isAnswered = await hasAnswer(ask, strict);
  if (isAnswered && strict.found.total >= FULL_PAGE) return strict.found;
  const { isMore = false, isReadable = false } = (await early) ?? look?.() ?? {};
  if (isMore) return (await run("read")).found;
  if (isAnswered) return strict.found;
  const near = await run("tolerant");
  const isEnough = !isReadable || (await hasAnswer(ask, near, isMixed));
  return isEnough ? near.found : (await run("read")).found;
}

/** A body that was sent, and what it has found. */
interface Run {
  body: SearchBody;
  found: PhasedResult;
}

async function fetchPhase(ask: Ask, phase: Phase, body: SearchBody): Promise<Run> {
  const [result] = await ask(body);
  return { body, found: { total: 0, hits: [], ...result, phase } };
}

/** Whether the best result of all is an answer: the choice of the phase must not depend on the page. */
async function hasAnswer(ask: Ask, { body, found }: Run, isMixed = false): Promise<boolean> {
  const { total, hits, phase } = found;
  const isOne = (hit: SearchHit) => isAnswer(hit, phase === "strict" ? "exact" : "near");
  // Of one kind, all that is above an answer is one, too.
  if (total === 0 || (!isMixed && hits.some(isOne))) return total > 0;
  const [best] = body.from ? await ask({ ...body, from: 0, size: 1 }) : [found];
  return best?.hits.slice(0, 1).some(isOne) ?? false;
}
