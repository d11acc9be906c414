/** Owns the common parts of the four primary searches: parameters, page and schema. */
import { objectOf } from "../../shared/schemas/schemas.ts";
import {
  type TextParameter,
  itemsPerPage,
  SEARCH_WINDOW,
  startIndex,
} from "../../shared/schemas/query-parameters.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import { CURSOR } from "../cursor.ts";
import type { SearchHit, SearchResult } from "../../shared/definitions/search-result.ts";
import type { Reading } from "./matched.ts";
import { correctQuery, DID_YOU_MEAN, EXPLAIN, explainHit } from "./explain.ts";
import { QUERY_CHARACTERS } from "../reading/filters.ts";

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
  // Compat: the original refuses pages that start at 1000 or later with 416; a setting says where instead.
  start_index: { ...startIndex(), window: SEARCH_WINDOW, windowLiftedBy: "cursor" },
  cursor: CURSOR,
  explain: EXPLAIN,
};

/** The request, checked. */
export interface PageValues {
  q: string;
  items_per_page: number;
  start_index: number;
  explain: boolean;
}

/** How the hits of a search become items. */
export interface ItemPresenter {
  present: (hit: SearchHit) => Record<string, unknown>;
  reading: (hit: SearchHit) => Reading;
}

/** The answer of a primary search: a page of items and its position. */
export function presentPage(
  kind: string,
  result: SearchResult,
  values: PageValues,
  presenter: ItemPresenter,
): Record<string, unknown> {
  const { items_per_page, start_index, explain } = values;
  const { hits, total, offset = start_index, next_cursor, facets } = result;
  const items = hits.map(presenter.present);
  const explained = (hit: SearchHit, item: Record<string, unknown> = {}) =>
    explainHit(hit, String(item.snippet === "" ? item.title : item.snippet), presenter.reading(hit));
  const did_you_mean = correctQuery(
    { ...result, offset },
    (hit) => explained(hit, items[0]),
    presenter.reading,
  );
  return {
    kind,
    items: explain
      ? hits.map((hit, index) => ({ ...items[index], match: explained(hit, items[index]) }))
      : items,
    items_per_page,
    page_number: Math.floor(offset / items_per_page) + 1,
    start_index: offset,
    total_results: total,
    ...(facets && { facets }),
    ...(did_you_mean && { did_you_mean }),
    ...(next_cursor && { next_cursor }),
  };
}

/** The start of the next page; absent from the last one. */
export const NEXT_CURSOR: JsonSchema = {
  type: "string",
  description: "Cursor of the next page, where `cursor` was given and there is one.",
};

/** JSON Schema of the answer of a primary search with this title; `more`: members that only it has. */
export function pageSchema(
  title: string,
  kind: string,
  items: JsonSchema,
  more: Record<string, JsonSchema> = {},
): JsonSchema {
  return {
    title,
    description: "A page of what a search found, the best first.",
    ...objectOf(["kind", "items", "items_per_page", "page_number", "start_index", "total_results"], {
      kind: { const: kind },
      items: { type: "array", items },
      items_per_page: { type: "integer", minimum: 1 },
      page_number: { type: "integer", minimum: 1 },
      start_index: { type: "integer", minimum: 0 },
      total_results: { type: "integer", minimum: 0 },
      did_you_mean: DID_YOU_MEAN,
      next_cursor: NEXT_CURSOR,
      ...more,
    }),
  };
}
