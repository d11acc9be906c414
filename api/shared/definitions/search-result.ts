/** Owns what goes to Elasticsearch and comes back, reduced to what the searches need. */
import type { IndexName } from "./define-index.ts";

/**
 * How far a query reaches. `strict`: names that have all of it as spelt. `tolerant`, when there is none: near
 * spellings, and names that have most of it. `read`: all of these, and the results of reading the query as more than a name.
 */
export type Phase = "strict" | "tolerant" | "read";

/** Body of an Elasticsearch `_search` request. */
export type SearchBody = Record<string, unknown>;

/** One hit of an Elasticsearch answer, reduced to what the searches read. */
export interface SearchHit {
  /** Name of the index without its version: `companies`. */
  index: IndexName;
  id: string;
  score: number | null;
  source: Record<string, unknown>;
  sort: unknown[];
}

/** How many results have one value. */
export interface Facet {
  value: string;
  count: number;
}

export interface SearchResult {
  total: number;
  hits: SearchHit[];
  /** The top hit, when it need not be among the hits of the page. */
  top?: SearchHit;
  /** Counts by name of the facet, when the body requested them. */
  facets?: Record<string, Facet[]>;
  /** The phase that found the hits. */
  phase?: Phase;
  /** Hits before the first of the page, when the request had a cursor. */
  offset?: number;
  /** Cursor of the next page, when the request had a cursor and there is a next page. */
  next_cursor?: string | undefined;
}
