/** Owns cursors, by which a client reads past the paging window, from the end of the last page. */
import { ApiError } from "../shared/runtime/errors.ts";
import { parameterFault, type TextParameter } from "../shared/schemas/query-parameters.ts";
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

/** A page by cursor: of which request, from which of its query bodies, and how these are sent. */
interface CursorPage {
  asked: Question;
  bodies: Iterable<SearchBody>;
  /** Fetches the result of the last body that is needed, each sent as `toAsked` makes it. */
  fetch: (bodies: Iterable<SearchBody>, toAsked: (body: SearchBody) => SearchBody) => Promise<PhasedResult>;
}

/** The result of a body, with the number of that body. */
export type PhasedResult = SearchResult & { phase: number };

/** Fetches a page. A cursor continues with the body it began with, whatever another one would find now. */
export async function fetchByCursor(
  cursor: string,
  { asked, bodies, fetch }: CursorPage,
): Promise<SearchResult> {
  const question = questionOf(asked);
  const all = cursor === START ? [] : [...bodies];
  const position = readCursor(cursor, question, all);
  const { phase: began = 0, offset = 0 } = position ?? {};
  const open = position ? all.slice(began, began + 1) : bodies;
  const result = await fetch(open, (body) => goOn(body, position));
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
export interface Question {
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
