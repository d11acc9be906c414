/** Owns what the four primary searches share: their parameters, the page they answer with, its schema. */
import { ApiError } from "../../core/errors.ts";
import { itemsPerPage, startIndex } from "../../core/paging.ts";
import type { TextParameter } from "../../core/query-parameters.ts";
import type { JsonSchema } from "../../core/validate.ts";
import type { SearchHit, SearchResult } from "../define-search.ts";

// Limit: a page that starts here or later is refused with 416, as the original does.
export const SEARCH_WINDOW = 1000;
// Limit: a longer query is refused with 400; the longest name of the register has 160 characters.
export const QUERY_CHARACTERS = 160;

const QUERY: TextParameter & { required: true } = {
  kind: "text",
  description: "The term being searched for: a name, part of one, or a company number.",
  required: true,
  maxLength: QUERY_CHARACTERS,
};

/** Parameters of the primary searches. */
export const primaryParameters = {
  q: QUERY,
  items_per_page: itemsPerPage({ default: 20, maximum: 100 }),
  start_index: withinWindow(startIndex()),
};

/** What was asked, once checked. */
export interface PageValues {
  q: string;
  items_per_page: number;
  start_index: number;
}

/** The answer of a primary search: a page of items and its place. */
export function presentPage(
  kind: string,
  result: SearchResult,
  values: PageValues,
  presentItem: (hit: SearchHit) => Record<string, unknown>,
): Record<string, unknown> {
  return {
    kind,
    items: result.hits.map(presentItem),
    items_per_page: values.items_per_page,
    page_number: Math.floor(values.start_index / values.items_per_page) + 1,
    start_index: values.start_index,
    total_results: result.total,
  };
}

/** JSON Schema of the answer of a primary search. */
export function pageSchema(kind: string, items: JsonSchema): JsonSchema {
  return {
    type: "object",
    additionalProperties: false,
    required: ["kind", "items", "items_per_page", "page_number", "start_index", "total_results"],
    properties: {
      kind: { const: kind },
      items: { type: "array", items },
      items_per_page: { type: "integer", minimum: 1 },
      page_number: { type: "integer", minimum: 1 },
      start_index: { type: "integer", minimum: 0 },
      total_results: { type: "integer", minimum: 0 },
    },
  };
}

function withinWindow(parameter: ReturnType<typeof startIndex>): ReturnType<typeof startIndex> {
  const { settle = (value: number) => value } = parameter;
  return {
    ...parameter,
    maximum: SEARCH_WINDOW - 1,
    settle: (value) => {
      const settled = settle(value);
      if (settled >= SEARCH_WINDOW) throw new ApiError(416, []);
      return settled;
    },
  };
}
