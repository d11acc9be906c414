/** Cursors for reading beyond the paging window: each continues after the last hit of the page before. */
import { ApiError } from "../shared/runtime/errors.ts";
import { parameterFault, type TextParameter } from "../shared/schemas/query-parameters.ts";
import type { Phase, SearchBody, SearchResult } from "../shared/definitions/search-result.ts";
import { contentHash } from "../shared/values/identifiers.ts";
import type { Clause } from "./clauses.ts";
import type { Phases } from "./define-search.ts";

/** The value that starts a sequence of pages, as in similar services. */
const START = "*";
// Limit: a longer text is refused. The longest name key has 1,200 characters before encoding, so no cursor is as long.
const CURSOR_CHARACTERS = 4096;
// The sort fields that are texts; the others, except the score, are whole numbers.
const TEXT_FIELDS = new Set(["order_key", "id"]);
// How many characters of the hash a cursor has: enough to distinguish two requests.
const HASH_CHARACTERS = 8;
// Parameters that may change from page to page, because they do not change the results.
const PAGE_MEMBERS = new Set(["cursor", "items_per_page", "size", "start_index", "explain", "facets"]);

/** The result of a phase. */
export type PhasedResult = SearchResult & { phase: Phase };

/** Where a page starts: after the last hit of the page before, or at the beginning. */
interface CursorPosition {
  /** The phase that found the hits. Absent for the first page. */
  phase?: Phase;
  /** How many hits come before this page. */
  offset: number;
  /** The sort values of the last hit before this page. */
  after?: unknown[];
}

/** The request: the search's name and the values of its parameters. */
export interface SearchRequest {
  name: string;
  values: Record<string, unknown>;
}

/**
 * The parameter `cursor`: reads all results page by page, however many there are. The server stores nothing for it. The
 * order of every search is total, and scores do not depend on other documents, so a page continues exactly after the
 * last hit of the one before, even if documents were written in between.
 */
export const CURSOR: TextParameter = {
  kind: "text",
  description:
    `\`${START}\` starts reading all results page by page, beyond any window; next_cursor of the answer is the cursor ` +
    "of the next page, absent on the last page. With a cursor, start_index is ignored.",
  maxLength: CURSOR_CHARACTERS,
};

/** A hash of the request without its paging parameters. A cursor is valid only for a request with the same hash. */
function requestHash({ name, values }: SearchRequest): string {
  const own = Object.entries(values).filter(([member]) => !PAGE_MEMBERS.has(member));
  return contentHash([name, ...own]).slice(0, HASH_CHARACTERS);
}

/** Parses a cursor. Throws ApiError 400 when it is invalid or belongs to another request. */
export function readCursor(text: string, request: SearchRequest, phases: Phases): CursorPosition {
  if (text === START) return { offset: 0 };
  const [hash, phase, offset, after] = parseList(Buffer.from(text, "base64url").toString("utf8"));
  const isOwn = hash === requestHash(request) && isPhaseOf(phases, phase) && isCount(offset);
  if (isOwn && isInOrderOf(phases.build(phase), after)) return { phase, offset, after };
  throw new ApiError(400, [parameterFault("cursor", text, "invalid-parameter")]);
}

/** The cursor of the page after this one. */
export function nextCursor({ phase, hits }: PhasedResult, request: SearchRequest, offset: number): string {
  const next = [requestHash(request), phase, offset + hits.length, hits.at(-1)?.sort];
  return Buffer.from(JSON.stringify(next)).toString("base64url");
}

function isPhaseOf({ readability, last }: Phases, value: unknown): value is Phase {
  return (
    value === "strict" || (!last && value === "tolerant") || (readability !== undefined && value === "read")
  );
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

/** Keeps invalid sort values from the engine, which would fail. The hash already refuses cursors of other searches. */
function isInOrderOf({ sort = [] }: SearchBody, after: unknown): after is unknown[] {
  const fields = (sort as Clause[]).flatMap(Object.keys);
  if (!Array.isArray(after) || after.length !== fields.length) return false;
  return fields.every((field, place) => isValueOf(field, after[place]));
}

function isValueOf(field: string, value: unknown): boolean {
  if (field === "_score") return Number.isFinite(value);
  if (TEXT_FIELDS.has(field)) return typeof value === "string";
  return Number.isSafeInteger(value);
}
