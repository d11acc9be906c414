/** Owns paging: how each list settles `items_per_page` and `start_index`, as the paging table of the API has it. */
import type { IntegerParameter } from "./query-parameters.ts";

/** The offset from which the searches by relevance refuse pages, unless the setting of this name says otherwise. */
export const SEARCH_WINDOW = 1_000;

/** What a list does with a page size that it cannot serve. */
interface PageSizeRule {
  default: number;
  maximum: number;
  /** 0 and negative numbers are answered with 400 instead of being settled; off by default. */
  refusesBelowOne?: boolean;
}

/**
 * `items_per_page`: 0 means the default, a negative number its absolute value, more than the maximum the
 * maximum. Compat: the original's services settle sizes so instead of refusing them, but not all of them.
 */
export function itemsPerPage(rule: PageSizeRule): IntegerParameter {
  return {
    kind: "integer",
    description: `Items per page; default ${rule.default}, at most ${rule.maximum}.`,
    default: rule.default,
    maximum: rule.maximum,
    settle: (value) =>
      rule.refusesBelowOne && value < 1 ? null : Math.min(Math.abs(value) || rule.default, rule.maximum),
  };
}

/** `start_index`: offset of the page's first item, from 0; a negative number means its absolute value. */
export function startIndex(): IntegerParameter {
  return {
    kind: "integer",
    description: "Offset of the first item of the page in the whole result set, from 0.",
    default: 0,
    settle: (value) => Math.abs(value),
  };
}
