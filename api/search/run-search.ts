/**
 * Owns the run of a search: which query bodies are sent, what an empty result means, and cursors, by which a client reads past
 * the paging window, from the end of the last page.
 */
import { ApiError } from "../shared/runtime/errors.ts";
import {
  type QueryParameters,
  type QueryValues,
  parameterFault,
  type TextParameter,
} from "../shared/schemas/query-parameters.ts";
import { isAnswer } from "./ranking/tiers.ts";
import type { Ask, Progress, SearchDefinition } from "./define-search.ts";
import type { SearchBody, SearchHit, SearchResult } from "../shared/definitions/search-result.ts";
import { contentHash } from "../shared/values/identifiers.ts";
import type { Clause } from "./clauses.ts";

/** The value that starts a sequence of pages, as in similar services. */
const START = "*";
// Limit: a longer text is not a valid cursor; the longest name key has 1,200 characters before it is encoded.
const CURSOR_CHARACTERS = 4096;
// The text fields among those that results are sorted by; the others are whole numbers.
const TEXT_FIELDS = new Set(["order_key", "id"]);
// Enough characters of a hash to distinguish two requests.
const QUESTION_CHARACTERS = 8;
// Parameters that may change from page to page: page size and presentation.
const PAGE_MEMBERS = new Set(["cursor", "items_per_page", "size", "start_index", "explain", "facets"]);

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

/** The start of a page: after the last hit of the page before. */
interface CursorPosition {
  /** Number of the query body that found results. */
  phase: number;
  /** Hits before this page. */
  offset: number;
  /** The sort values of that hit. */
  after: unknown[];
}

/** The request: the search's name and the values of its parameters. */
interface Question {
  name: string;
  values: Record<string, unknown>;
}

/**
 * `cursor`: reads all results page by page, however many there are. The server stores nothing for it: the order
 * of every search is total and its scores do not depend on other documents, so a page continues exactly after the
 * last hit of the one before, whatever has been written meanwhile.
 */
export const CURSOR: TextParameter = {
  kind: "text",
  description:
    `\`${START}\` starts reading all results page by page, beyond any window; next_cursor of the answer is the cursor ` +
    "of the next page, absent on the last page. start_index is ignored then.",
  maxLength: CURSOR_CHARACTERS,
};

/** A hash of the request without its page: a cursor is valid only for its own request. */
function questionOf({ name, values }: Question): string {
  const asked = Object.entries(values).filter(([member]) => !PAGE_MEMBERS.has(member));
  return contentHash([name, ...asked]).slice(0, QUESTION_CHARACTERS);
}

/**
 * Parses a cursor of a search with these query bodies; null for the starting value. Throws ApiError 400 when it is
 * invalid, or of another request.
 */
function readCursor(text: string, question: string, bodies: SearchBody[]): CursorPosition | null {
  if (text === START) return null;
  const position = decode(text, question);
  if (position && isInOrderOf(bodies[position.phase], position.after)) return position;
  throw new ApiError(400, [parameterFault("cursor", text, "invalid-parameter")]);
}

/** The cursor of the next page; undefined after the last one. */
function nextCursor(
  result: SearchResult,
  { phase, offset }: Pick<CursorPosition, "phase" | "offset">,
  question: string,
): string | undefined {
  const end = offset + result.hits.length;
  const last: SearchHit | undefined = result.hits.at(-1);
  if (!last || end >= result.total) return undefined;
  return Buffer.from(JSON.stringify([question, phase, end, last.sort])).toString("base64url");
}

/** A body that starts after a position, or at the beginning. */
function goOn(body: SearchBody, position: CursorPosition | null): SearchBody {
  return { ...body, from: 0, ...(position && { search_after: position.after }) };
}

function decode(text: string, question: string): CursorPosition | null {
  const [asked, phase, offset, after] = parseList(Buffer.from(text, "base64url").toString("utf8"));
  const isFitting = asked === question && isCount(phase) && isCount(offset) && Array.isArray(after);
  return isFitting ? { phase, offset, after } : null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function parseList(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? (value as unknown[]) : [];
  } catch {
    return [];
  }
}

/** The request's hash refuses lists of other searches; this check keeps invalid sort values from the engine. */
function isInOrderOf(body: SearchBody | undefined, after: unknown[]): boolean {
  const fields = ((body?.sort ?? []) as Clause[]).flatMap(Object.keys);
  return fields.length === after.length && fields.every((field, place) => isValueOf(field, after[place]));
}

function isValueOf(field: string, value: unknown): boolean {
  if (field === "_score") return Number.isFinite(value);
  if (TEXT_FIELDS.has(field)) return typeof value === "string";
  return Number.isSafeInteger(value);
}
