/** The PageDefinition type: a page for people, made from answers of the API; and helpers that read a page's query. */
import type { Child } from "hono/jsx";
import { filterParameters } from "../search/company-filters.ts";
import { ApiError } from "../shared/runtime/errors.ts";
import type { QueryParameter, RawQuery } from "../shared/schemas/query-parameters.ts";
import type { Answers } from "./answers.ts";
import type { Kind } from "./kinds.ts";

/**
 * Gets an answer of the API by the name of its definition; null if it is not found. `values`: its path and query
 * parameters; an empty one counts as absent. Throws the API's errors.
 */
export type Ask = <Name extends keyof Answers>(name: Name, values: RawQuery) => Promise<Answers[Name] | null>;

export interface Visit {
  ask: Ask;
  /** The parameters of the page's own path. */
  params: Readonly<Record<string, string>>;
  query: RawQuery;
  /** The day of the request, `YYYY-MM-DD`. */
  today: string;
  /** How many rows of a search by relevance the pages of its list can reach. */
  reach: number;
}

export interface Shown {
  /** The title of the browser's tab, before the name of the register. */
  title: string;
  body: Child;
  /** The text in the search box at the top. */
  sought?: string;
  /** The kind of results that this box searches; default: all. */
  kind?: Kind;
  /** True if the page has a large search box of its own; then it has none at the top. */
  hasOwnSearch?: boolean;
  /** True if the browser keeps a key that the visitor has entered. */
  hasKey?: boolean;
}

export interface PageDefinition {
  /** Name for logs and metrics: `page-company`. */
  name: string;
  /** Path with `:parameters`. */
  path: string;
  /** Makes the content; null: the page is not found (404). */
  show: (visit: Visit) => Promise<Shown | null>;
}

/** The first value of a query parameter, trimmed; empty if it is absent. */
export function valueOf(query: RawQuery, name: string): string {
  const [first = ""] = [query[name] ?? ""].flat();
  return first.trim();
}

/** Name of a filter of companies. */
export type FilterName = keyof typeof filterParameters;

/**
 * The values of a filter. A list may repeat the parameter or separate values by commas; any other filter has at most
 * one value. Lower case if the filter ignores case.
 */
export function valuesOf(query: RawQuery, name: FilterName): string[] {
  const filter: QueryParameter = filterParameters[name];
  if (filter.kind !== "list") return [valueOf(query, name)].filter(Boolean);
  const text = [query[name] ?? []].flat().join(",");
  const values = (filter.ignoresCase ? text.toLowerCase() : text).split(",");
  return values.map((value) => value.trim()).filter(Boolean);
}

/** The answer, or null if the visitor's key has no permission for it (403). */
export function nullIfRefused<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  return asked.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 403) return null;
    throw error;
  });
}
