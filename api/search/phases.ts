/**
 * Owns a search in phases: which clauses a phase has, and the run of a search, which sends a query body only when those before
 * it are not enough.
 */
import { ApiError, serviceError } from "../shared/runtime/errors.ts";
import type { QueryParameters, QueryValues } from "../shared/schemas/query-parameters.ts";
import type { SearchBody, SearchHit, SearchResult } from "../shared/definitions/search-result.ts";
import { fetchByCursor, type PhasedResult, type Question } from "./cursor.ts";
import type { Ask, SearchDefinition } from "./define-search.ts";
import { isAnswer } from "./ranking/tiers.ts";

/**
 * How far a query reaches. `strict`: names that have all of it as spelt. `tolerant`, when there is none: near
 * spellings, and names that have most of it. `read`: all of these, and the results of reading the query as more than a name.
 */
export type Phase = "strict" | "tolerant" | "read";

/** The clauses of a phase: the tolerant one omits the strict clauses, which found nothing. */
export function inPhase<T>(phase: Phase, strict: T[], near: () => T[]): T[] {
  if (phase === "strict") return strict;
  return phase === "tolerant" ? near() : [...strict, ...near()];
}

/** Whether a query can be read as more than a name. */
export interface Readability {
  /** It clearly can: it has a number, a postcode, an ending in the middle, a date of birth. */
  isMore: boolean;
  /** It may. */
  isReadable: boolean;
}

/** What a body of a search has found. */
interface Progress {
  /** Some name matches all of the query, as the phase compares it. */
  isAnswered: boolean;
  total: number;
}

// The default page: a query that fills it is not read, whatever page is requested.
const FULL_PAGE = 20;

/**
 * The bodies of a search by relevance, each built only when those before are not enough; the caller reports what each one
 * found. A query that is clearly more than a name is read at once, even beside a few names that have all of it;
 * one with nothing to read is never read. Without `look`, none is read.
 */
export function* inPhases(
  build: (phase: Phase) => SearchBody,
  look?: () => Readability,
): Generator<SearchBody, void, Progress | undefined> {
  const strict = yield build("strict");
  if (strict?.isAnswered && strict.total >= FULL_PAGE) return;
  const { isMore = false, isReadable = false } = look?.() ?? {};
  if (strict?.isAnswered && !isMore) return;
  const tolerant = isMore ? undefined : yield build("tolerant");
  if (isReadable && !tolerant?.isAnswered) yield build("read");
}

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

/** Fetches the results of the needed bodies, or continues with a cursor among the values. */
export async function fetchInPhases(
  ask: Ask,
  bodies: Iterable<SearchBody>,
  asked: Question,
): Promise<SearchResult> {
  const { cursor } = asked.values;
  if (typeof cursor !== "string") return fetchLast(ask, bodies);
  return fetchByCursor(cursor, { asked, bodies, fetch: (open, toAsked) => fetchLast(ask, open, toAsked) });
}

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
