/** The type of a form (one way in which people write a query), and what the tables of forms need. */
import type { Random } from "../random.ts";
import type { FoundItem } from "./found-item.ts";

/** The least shares that a form must reach; a form without them is reported, but not judged. */
export interface Least {
  /** Share of queries whose target is among the first 20. */
  found: number;
  /** Share of queries whose target is the first. */
  first?: number;
}

/** A fact that a query may state besides the name. A namesake that differs in it does not count as the target. */
export type Fact = "number" | "postcode" | "town" | "county" | "country" | "birth-year" | "birth-month";

/** One way to write a query for a target. */
export interface Form<Target> {
  /** Its name in the table and for --forms. */
  name: string;
  least?: Least;
  /** Writes the query; undefined if the target lacks what the form needs (then another target is drawn). */
  write: (target: Target, random: Random) => string | undefined;
  /** The facts that the query states. */
  facts?: readonly Fact[];
  /**
   * For a query that has only a part of the target's name: whether an item fits the query as well as the target does,
   * and so counts as the target. Absent: an item must have the target's name.
   */
  fits?: (item: FoundItem, target: Target, query: string) => boolean;
}

/** Makes forms that differ only in name and query, from a table of these. */
export function formsOf<Target>(
  common: Omit<Form<Target>, "name" | "write">,
  writes: Record<string, Form<Target>["write"]>,
): Form<Target>[] {
  return Object.entries(writes).map(([name, write]) => ({ name, ...common, write }));
}

/** Template tag for a query: the text, or undefined if a value is missing or empty. */
export function text(parts: TemplateStringsArray, ...values: (string | undefined)[]): string | undefined {
  if (values.some((value) => !value)) return undefined;
  return String.raw({ raw: parts }, ...values);
}

/** For queries with the whole name. */
export const FULL_NAME: Least = { found: 0.97, first: 0.9 };
/** For queries with a typing error. */
export const SLIP: Least = { found: 0.85 };
/** For people. */
export const PERSON: Least = { found: 0.95 };
