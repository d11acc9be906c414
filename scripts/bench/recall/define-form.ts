/** Owns the Form type: one way in which people write a name they look for. */
import type { Random } from "../random.ts";
import type { FoundItem } from "./found-item.ts";

/** Least shares of a form's queries; a form without is told and not judged. */
export interface Least {
  /** Of queries whose target is among the first 20. */
  found: number;
  /** Of queries whose target is the first. */
  first?: number;
}

/** What a query may say of its target beside the name: namesakes that differ in it are not the target. */
export type Fact = "number" | "postcode" | "town" | "county" | "country" | "birth-year" | "birth-month";

/** One way to ask for a target. */
export interface Form<Target> {
  /** What stands in the table, and what --forms chooses by. */
  name: string;
  least?: Least;
  /** The query; undefined where the target lacks what the form needs: another one is drawn. */
  write: (target: Target, random: Random) => string | undefined;
  tells?: readonly Fact[];
  /**
   * For a query that says less than the target's name, whether an item is all that it says: nothing tells such an item and the
   * target apart. Absent: the name must be the target's.
   */
  fits?: (item: FoundItem, target: Target, query: string) => boolean;
}

/** Forms that have all but name and query in common, as a table. */
export function formsOf<Target>(
  common: Omit<Form<Target>, "name" | "write">,
  writes: Record<string, Form<Target>["write"]>,
): Form<Target>[] {
  return Object.entries(writes).map(([name, write]) => ({ name, ...common, write }));
}

/** The whole name is in the query. */
export const FULL_NAME: Least = { found: 0.97, first: 0.9 };
/** A slip, and more than the name. */
export const SLIP: Least = { found: 0.85 };
/** People. */
export const PERSON: Least = { found: 0.95 };
