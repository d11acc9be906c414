/** The types of what searches send to Elasticsearch, and of the parts of its answers that they use. */
import type { IndexName } from "./define-index.ts";

/**
 * How widely a query searches. `strict`: names with all its words, spelt the same. `tolerant`, if `strict` finds none:
 * near spellings, and names with most of its words. `read`: both, and a reading of the query as more than a name.
 */
export type Phase = "strict" | "tolerant" | "read";

/** Body of an Elasticsearch `_search` request. */
export type SearchBody = Record<string, unknown>;

/** One hit of an Elasticsearch answer, with the parts that searches use. */
export interface SearchHit {
  /** Name of the index without its version: `companies`. */
  index: IndexName;
  id: string;
  score: number | null;
  source: Record<string, unknown>;
  sort: unknown[];
}

/** How many results have a value. */
export interface Facet {
  value: string;
  count: number;
}

export interface SearchResult {
  total: number;
  hits: SearchHit[];
  /** The best hit of all, if the request asked for it: the page need not contain it. */
  top?: SearchHit;
  /** Counts by name of the facet, if the body requested them. */
  facets?: Record<string, Facet[]>;
  /** The phase that found the hits. */
  phase?: Phase;
  /** Number of hits before the page, if the request had a cursor. */
  offset?: number;
  /** Cursor of the next page, if the request had a cursor and a next page exists. */
  next_cursor?: string | undefined;
}
