/** Owns what goes to Elasticsearch and comes back, reduced to what the searches need. */
import type { IndexName } from "./define-index.ts";

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
  /** Number of the query body that found the hits, from 0; above it slips are tolerated. */
  phase?: number;
  /** Hits before the first of the page, when the request had a cursor. */
  offset?: number;
  /** Cursor of the next page, when the request had a cursor and there is a next page. */
  next_cursor?: string | undefined;
}
