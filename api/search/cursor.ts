/** Owns cursors: how a reader goes on past the paging window, from where a page ended. */
import { contentHash } from "../core/identifiers.ts";
import { ApiError } from "../core/errors.ts";
import { parameterFault, type TextParameter } from "../core/query-parameters.ts";
import type { Clause } from "./clauses.ts";
import type { SearchBody, SearchHit, SearchResult } from "./define-search.ts";

/** Where a page begins: behind the hit that the page before ended with. */
export interface CursorPosition {
  /** Number of the query body that found something. */
  phase: number;
  /** Hits before this page. */
  offset: number;
  /** The values by which that hit was put in order. */
  after: unknown[];
}

/** What is asked: the search's name and the values of its parameters. */
export interface Question {
  name: string;
  values: Record<string, unknown>;
}

/** What begins a reading, as in other services that page so. */
export const START = "*";
// Limit: a longer text is no cursor of ours; the longest name key has 1,200 characters before it is encoded.
const CURSOR_CHARACTERS = 4096;
// Of the fields that results are put in order by, those that hold text; the others hold whole numbers.
const TEXT_FIELDS = new Set(["order_key", "id"]);
// As many characters of a hash as tell two questions apart.
const QUESTION_CHARACTERS = 8;

/**
 * `cursor`: reads all results page by page, however many there are. It needs nothing kept on the server: the order
 * of every search is total and its scores do not depend on other documents, so a page goes on exactly behind the
 * last hit of the one before, whatever has been written in between.
 */
export const CURSOR: TextParameter = {
  kind: "text",
  description:
    `\`${START}\` starts reading all results page by page, beyond any window; next_cursor of the answer is the cursor ` +
    "of the next page, absent on the last page. start_index is ignored then.",
  maxLength: CURSOR_CHARACTERS,
};

/** A hash of what was asked of which search, the page apart: a cursor goes on with its own question only. */
export function questionOf({ name, values }: Question): string {
  const asked = Object.entries(values).filter(([member]) => !PAGE_MEMBERS.has(member));
  return contentHash([name, ...asked]).slice(0, QUESTION_CHARACTERS);
}

// What may change from page to page: how much is answered, and how.
const PAGE_MEMBERS = new Set(["cursor", "items_per_page", "size", "start_index", "explain", "facets"]);

/**
 * Reads a cursor of a search with these query bodies; null for the one that begins. Throws ApiError 400 when it is
 * none, or of another question.
 */
export function readCursor(text: string, question: string, bodies: SearchBody[]): CursorPosition | null {
  if (text === START) return null;
  const position = decode(text, question);
  if (position && isInOrderOf(bodies[position.phase], position.after)) return position;
  throw new ApiError(400, [parameterFault("cursor", text, "invalid-parameter")]);
}

/** The cursor of the next page; undefined after the last one. */
export function nextCursor(
  result: SearchResult,
  { phase, offset }: Pick<CursorPosition, "phase" | "offset">,
  question: string,
): string | undefined {
  const end = offset + result.hits.length;
  const last: SearchHit | undefined = result.hits.at(-1);
  if (!last || end >= result.total) return undefined;
  return Buffer.from(JSON.stringify([question, phase, end, last.sort])).toString("base64url");
}

/** A body that goes on behind a position, or begins. */
export function goOn(body: SearchBody, position: CursorPosition | null): SearchBody {
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

/** The question's hash keeps other lists out; this keeps the engine from meeting what is no value of its order. */
function isInOrderOf(body: SearchBody | undefined, after: unknown[]): boolean {
  const fields = ((body?.sort ?? []) as Clause[]).flatMap(Object.keys);
  return fields.length === after.length && fields.every((field, place) => isValueOf(field, after[place]));
}

function isValueOf(field: string, value: unknown): boolean {
  if (field === "_score") return Number.isFinite(value);
  if (TEXT_FIELDS.has(field)) return typeof value === "string";
  return Number.isSafeInteger(value);
}
