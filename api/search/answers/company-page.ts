/** What the alphabetical, the dissolved and the advanced search share: size, offset, the page and its schema. */
import { ETAG, linkSchema, objectOf } from "../../shared/schemas/schemas.ts";
import { ApiError } from "../../shared/runtime/errors.ts";
import { contentHash } from "../../shared/values/identifiers.ts";
import {
  type IntegerParameter,
  parameterFault,
  type TextParameter,
} from "../../shared/schemas/query-parameters.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import { NEXT_CURSOR } from "./page.ts";
import { queryText } from "../reading/query-text.ts";

// Limit: the highest sum of start_index and size. The engine serves no page that ends later.
export const RESULT_WINDOW = 10_000;
// Limit: a longer cursor is refused with 400. No name key is as long, even with signs written as words.
const KEY_CHARACTERS = 1200;
const DEFAULT_SIZE = 20;

/** Error key of the 404 of these searches when they find nothing. */
export const NO_COMPANIES = "companies-not-found";

/** The name to search for. */
export const NAME_QUERY: TextParameter & { required: true } = {
  ...queryText("The company name being searched for, or the beginning of one."),
  required: true,
};

/** The parameter `size`: items per page. A value out of range is refused with 422. */
export function pageSize(maximum: number): IntegerParameter {
  return {
    kind: "integer",
    description: `Items per page; default ${DEFAULT_SIZE}, at most ${maximum}.`,
    default: DEFAULT_SIZE,
    maximum,
    settle: (value) => {
      if (value >= 1 && value <= maximum) return value;
      throw new ApiError(422, [parameterFault("size", String(value), "invalid-parameter")]);
    },
  };
}

/** The parameter `start_index`: offset of the first item. A negative number means 0. */
export const PAGE_START: IntegerParameter = {
  kind: "integer",
  description: `Offset of the first item of the page, from 0. With size added it is at most ${RESULT_WINDOW}.`,
  default: 0,
  maximum: RESULT_WINDOW - 1,
  settle: (value) => Math.max(value, 0),
};

/**
 * The requested page. Throws ApiError 416 beyond the result window, unless a cursor replaces the offset. (Beyond it the
 * original's engine fails with a 500, and its primary searches answer 416.)
 */
export function readPage(values: { size: number; start_index: number; cursor?: string | undefined }): {
  items_per_page: number;
  start_index: number;
} {
  const { size, start_index, cursor } = values;
  if (cursor === undefined && start_index + size > RESULT_WINDOW) {
    throw new ApiError(416, [parameterFault("start_index", String(start_index), "invalid-parameter")]);
  }
  return { items_per_page: size, start_index };
}

/** The answer with its etag, a hash of its content. */
export function withEtag(answer: Record<string, unknown>): Record<string, unknown> {
  return { etag: contentHash(answer), ...answer };
}

/** The cursors of an alphabetical page. Compat: the original's source reads the second two, not the published names. */
export const cursorParameters = {
  search_above: cursor(
    "Answers with the companies just before this key, ordered_alpha_key_with_id of an item.",
  ),
  search_below: cursor(
    "Answers with the companies just after this key, ordered_alpha_key_with_id of an item.",
  ),
  search_before: cursor("Another name of search_above."),
  search_after: cursor("Another name of search_below."),
};

function cursor(description: string): TextParameter {
  return { kind: "text", description, maxLength: KEY_CHARACTERS };
}

/** JSON Schemas of members that not all of these answers have. */
export const pageMembers = {
  etag: ETAG,
  hits: { type: "integer", minimum: 0, description: "Companies found, on all pages together." },
  next_cursor: NEXT_CURSOR,
} satisfies Record<string, JsonSchema>;

/**
 * JSON Schema of an answer: `kind`, `items`, `top_hit` (absent from a page beyond the last item) and the members of
 * `more`. `required` names those of `more` that every answer has; default: all.
 */
export function companyPageSchema(
  words: { title: string; description: string },
  kind: JsonSchema,
  item: JsonSchema,
  more: Record<string, JsonSchema> = {},
  required: string[] = Object.keys(more),
): JsonSchema {
  return {
    ...words,
    ...objectOf(["kind", "items", ...required], {
      kind,
      top_hit: item,
      items: { type: "array", items: item },
      ...more,
    }),
  };
}

/** JSON Schemas of the members of an item that these searches share. */
export const companyMembers = {
  company_name: { type: "string" },
  company_number: { type: "string", pattern: "^[A-Z0-9]{8}$" },
  ordered_alpha_key_with_id: { type: "string" },
  links: linkSchema("company_profile"),
} satisfies Record<string, JsonSchema>;

/** JSON Schema of an address with only some members. */
export function addressOf(title: string, members: readonly string[]): JsonSchema {
  const properties = Object.fromEntries(members.map((member) => [member, { type: "string" }]));
  const description = "A registered office address, in the members that this search shows.";
  return { title, description, type: "object", additionalProperties: false, properties };
}
