/** Owns the PageDefinition type: a page of the register for people, made from answers of the API. */
import type { Child } from "hono/jsx";
import { filterParameters } from "../search/company-filters.ts";
import { ApiError } from "../shared/runtime/errors.ts";
import type { QueryParameter, RawQuery } from "../shared/schemas/query-parameters.ts";
import type { Answers } from "./answers.ts";
import type { Kind } from "./kinds.ts";

/**
 * Gets an answer of the API by the name of its definition. `values` are its path and query parameters; an empty one counts as
 * absent. Null: not found. Throws the errors of the API.
 */
export type Ask = <Name extends keyof Answers>(name: Name, values: RawQuery) => Promise<Answers[Name] | null>;

export interface Visit {
  ask: Ask;
  /** The parameters of the page's own path. */
  params: Readonly<Record<string, string>>;
  query: RawQuery;
  /** The day of the request, `YYYY-MM-DD`. */
  today: string;
  /** How many rows of a search by relevance can be paged. */
  reach: number;
}

export interface Shown {
  /** The title of the window, before the name of the register. */
  title: string;
  body: Child;
  /** The text in the search box at the top. */
  sought?: string;
  /** The kind of results that this box searches; default: all. */
  kind?: Kind;
  /** True when the page has a large search box of its own, and so none at the top. */
  hasOwnSearch?: boolean;
  /** True when the visitor has entered a key, which the browser keeps. */
  hasKey?: boolean;
}

export interface PageDefinition {
  /** Name for logs and metrics: `page-company`. */
  name: string;
  /** Path with `:parameters`. */
  path: string;
  /** Makes the content; null: not found, a 404. */
  show: (visit: Visit) => Promise<Shown | null>;
}

/** One value of a parameter of the query; empty when it is absent. */
export function valueOf(query: RawQuery, name: string): string {
  const [first = ""] = [query[name] ?? ""].flat();
  return first.trim();
}

/** A filter of companies. */
export type FilterName = keyof typeof filterParameters;

/**
 * The values of a filter: those of a list, which may be repeated or between commas, or else its one text; in lower case where
 * case does not count.
 */
export function valuesOf(query: RawQuery, name: FilterName): string[] {
  const filter: QueryParameter = filterParameters[name];
  if (filter.kind !== "list") return [valueOf(query, name)].filter(Boolean);
  const text = [query[name] ?? []].flat().join(",");
  const values = (filter.ignoresCase ? text.toLowerCase() : text).split(",");
  return values.map((value) => value.trim()).filter(Boolean);
}

/** An answer, or null where the visitor's key does not open it. */
export function nullIfRefused<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  return asked.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 403) return null;
    throw error;
  });
}
