/** Owns the SearchDefinition type: what can be asked, as plain data and pure functions. */
import type { ScopeName } from "../core/access/scopes.ts";
import type { QueryParameters, QueryValues } from "../core/query-parameters.ts";
import type { JsonSchema } from "../core/validate.ts";
import type { Deprecation, PresentContext } from "../resources/define-resource.ts";
import type { IndexName } from "../../index-mappings/define-index.ts";

/** Body of an Elasticsearch `_search` request. */
export type SearchBody = Record<string, unknown>;

/** One hit of an Elasticsearch answer, reduced to what the searches read. */
export interface SearchHit {
  /** Name of the index without its version: `companies`. */
  index: IndexName;
  id: string;
  score: number | null;
  source: Record<string, unknown>;
  /** The values by which it was put in order. */
  sort: unknown[];
}

/** How many of what was found have one value. */
export interface Facet {
  value: string;
  count: number;
}

/** What an Elasticsearch search found. */
export interface SearchResult {
  total: number;
  hits: SearchHit[];
  /** Where a search leads to, when that need not be among the hits of the page. */
  top?: SearchHit;
  /** Counts by name of the facet, where the body asked for them. */
  facets?: Record<string, Facet[]>;
  /** Number of the query body that found the hits, from 0; above it slips are tolerated. */
  phase?: number;
  /** Hits before the first of the page, where a cursor was given. */
  offset?: number;
  /** Cursor of the next page, where a cursor was given and a next page is there. */
  next_cursor?: string | undefined;
}

/** Sends query bodies, in one request, for their results in order: how a search meets the engine without knowing it. */
export type Ask = (...bodies: SearchBody[]) => Promise<SearchResult[]>;

/** How a search comes to its result: by bodies that are known beforehand, or by asking step by step. */
type Way<P extends QueryParameters> =
  | {
      /**
       * The query bodies, in order: the next is built and sent only when the one before found no name that answers all
       * of the query, whatever the page. One body is the rule; `inPhases` makes several.
       */
      buildQueries: (values: QueryValues<P>) => Iterable<SearchBody>;
      fetch?: never;
    }
  | {
      /** Asks for what depends on earlier answers, and for nothing else: no store, no clock. */
      fetch: (ask: Ask, values: QueryValues<P>) => Promise<SearchResult>;
      buildQueries?: never;
    };

/** One search: parameters in, query bodies out; hits in, answer out. */
export type SearchDefinition<P extends QueryParameters = QueryParameters> = SearchFacts<P> & Way<P>;

interface SearchFacts<P extends QueryParameters> {
  /** Also the metrics label and the media type's resource name: `search-companies`. */
  name: string;
  /** Names that the specification and the original's documents have for it: media types may use them, too. */
  aliases?: readonly string[];
  path: string;
  /** The scope that a caller needs; `search.read` unless told. */
  scope?: ScopeName;
  /** One sentence for the documentation. */
  summary: string;
  parameters: P;
  /** The indices searched together. */
  indices: readonly IndexName[];
  /** Those that these values ask for, where that depends on them; absent: `indices`. */
  indicesOf?: (values: QueryValues<P>) => readonly IndexName[];
  /** Error key of the 404 when nothing is found. Absent: that is an answer without items. */
  notFound?: string;
  /** The answer's body. */
  mapResponse: (
    result: SearchResult,
    values: QueryValues<P>,
    context: PresentContext,
  ) => Record<string, unknown>;
  /** JSON Schema of the answer. */
  schema: JsonSchema;
  /** Number of the media-type version that `mapResponse` and `schema` make; 1 unless told. */
  version?: number;
  /** Versions that are still answered beside it, newest first. */
  olderVersions?: readonly SearchVersion<P>[];
  /** Numbers of versions that were and are no more, answered with 410; 0 unless told. */
  expired?: readonly number[];
  /** Error statuses of its own, for the documentation; 400 and those of every operation stand without. */
  statuses?: readonly number[];
  /** An answer, for the documentation. */
  example?: Record<string, unknown>;
}

/** One media-type version of a search: another shape of the same result. */
export interface SearchVersion<P extends QueryParameters = QueryParameters> extends Pick<
  SearchFacts<P>,
  "mapResponse" | "schema"
> {
  version: number;
  /** Absent: the version has no announced end. */
  deprecation?: Deprecation;
}

/** The indices that are asked where these are the values. */
export function indicesAsked<P extends QueryParameters>(
  { indices, indicesOf }: Pick<SearchDefinition<P>, "indices" | "indicesOf">,
  values: QueryValues<P>,
): readonly IndexName[] {
  return indicesOf?.(values) ?? indices;
}

/** All versions of a search, newest first. */
export function versionsOf<P extends QueryParameters>(
  search: SearchDefinition<P>,
): [SearchVersion<P>, ...SearchVersion<P>[]] {
  const { version = 1, mapResponse, schema, olderVersions = [] } = search;
  return [{ version, mapResponse, schema }, ...olderVersions];
}

/** The search with this paging window in place of its own; one that has none is left as it is. */
export function withWindow(search: SearchDefinition, window: number): SearchDefinition {
  const parameters = Object.entries(search.parameters).map(([name, parameter]) => {
    const hasWindow = parameter.kind === "integer" && parameter.window !== undefined;
    return [name, hasWindow ? { ...parameter, window } : parameter] as const;
  });
  return { ...search, parameters: Object.fromEntries(parameters) };
}

/**
 * How far a query is taken. `strict`: names that have all of it as it is spelt. `tolerant`, where there is none: near
 * spellings, and names that have most of it. `read`: all of these, and what is found when the query is read as more than a name.
 */
export type Phase = "strict" | "tolerant" | "read";

/** What a phase looks for: the tolerant one leaves out what the strict one has not found. */
export function inPhase<T>(phase: Phase, strict: T[], near: () => T[]): T[] {
  if (phase === "strict") return strict;
  return phase === "tolerant" ? near() : [...strict, ...near()];
}

/** How a query can be read. */
export interface Readability {
  /** It has something beside a name, clearly: a number, a postcode, an ending in the middle, a date of birth. */
  isMore: boolean;
  /** It may have. */
  isReadable: boolean;
}

/** What a body of a search has found. */
export interface Progress {
  /** Some name has all that was asked for, as the phase compares it. */
  isAnswered: boolean;
  total: number;
}

/** What a search or download that names no scope asks for. */
export const SEARCH_SCOPE: ScopeName = "search.read";

// The default page: a query that fills it is not read, whatever page is asked for.
const FULL_PAGE = 20;

/**
 * The bodies of a search by relevance, each built only when those before leave something open; who takes one says what
 * it has found. A query that is clearly more than a name is read at once, beside a few names that have all of it, too;
 * one in which there is nothing to read is never. Without `look`, none is read.
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

/** Defines a search; its place in the table of contents makes the route. */
export function defineSearch<const P extends QueryParameters>(
  definition: SearchDefinition<P>,
): SearchDefinition<P> {
  return definition;
}
