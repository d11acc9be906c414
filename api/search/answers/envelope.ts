/** Owns the common parts of the four primary searches: parameters, page, schema, and what was read in a query on request. */
import { itemsPerPage, startIndex } from "../../shared/schemas/paging.ts";
import { objectOf } from "../../resources/schemas.ts";
import type { TextParameter } from "../../shared/schemas/query-parameters.ts";
import { settings } from "../../shared/settings/settings.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import { CURSOR } from "../cursor.ts";
import type { SearchHit, SearchResult } from "../../shared/definitions/search-result.ts";
import type { Reading } from "./matched.ts";
import { correctQuery, DID_YOU_MEAN, EXPLAIN, explainHit } from "./explain.ts";
import { parseCompanyName } from "../../../index-mappings/names/company-name.ts";
import { readCompanyText } from "../reading/company.ts";
import { readPersonText } from "../reading/person.ts";

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
  // Compat: the original refuses pages that start at 1000 or later with 416; a setting says where instead.
  start_index: { ...startIndex(), window: settings.SEARCH_WINDOW.default, windowLiftedBy: "cursor" },
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
  /** What the search finds; it decides how the query is read. */
  sought: Sought;
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
    ...(explain && { query: describeQuery(values.q, presenter.sought) }),
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
      query: queryReadingSchema,
      next_cursor: NEXT_CURSOR,
      ...more,
    }),
  };
}

/** What a search finds: its query is read as the name of one. */
type Sought = "companies" | "people" | "both";

/** The query as read: for a company, for a person, or for both. */
function describeQuery(q: string, sought: Sought): Record<string, unknown> {
  return {
    ...(sought !== "people" && { company: describeCompanyQuery(q) }),
    ...(sought !== "companies" && { person: describePersonQuery(q) }),
  };
}

function describeCompanyQuery(q: string): Record<string, unknown> {
  const { numbers, postcode, names } = readCompanyText(q);
  const closed = names.find(({ agreeing }) => agreeing === 0);
  const { words, end } = closed?.name ?? parseCompanyName(q);
  const place = closed?.rest ?? [];
  return {
    name: words.join(" "),
    ...(end !== "NONE" && { ending: end }),
    ...(numbers.length > 0 && { company_numbers: numbers }),
    ...(postcode && { postcode }),
    ...(place.length > 0 && { other_words: place.join(" ") }),
  };
}

function describePersonQuery(q: string): Record<string, unknown> {
  const { name, born, postcode, honours, numbers } = readPersonText(q);
  return {
    name: name.words.join(" "),
    ...(born && { born: [born.year, born.month].filter(Boolean).join("-") }),
    ...(numbers.length > 0 && { company_numbers: numbers }),
    ...(postcode && { postcode }),
    ...(honours.length > 0 && { titles_and_honours: honours.join(" ") }),
  };
}

const NUMBERS: JsonSchema = {
  type: "array",
  description: "Company numbers in the query, as the register writes them.",
  items: { type: "string", pattern: "^[A-Z0-9]{8}$" },
};
const POSTCODE: JsonSchema = { type: "string", description: "A postcode in the query, without its space." };
const NAME: JsonSchema = { type: "string", description: "The part that was read as the name, in capitals." };

/** JSON Schema of the query as it was read. */
const queryReadingSchema: JsonSchema = {
  title: "query-reading",
  description: "What was read in the query; with explain=true.",
  ...objectOf([], {
    company: {
      title: "company-query-reading",
      description: "The query as one for a company.",
      ...objectOf(["name"], {
        name: NAME,
        ending: { type: "string", description: "Class of the legal ending: LTD, PLC, LLP and so on." },
        company_numbers: NUMBERS,
        postcode: POSTCODE,
        other_words: {
          type: "string",
          description:
            "Words after the name, usually an address. Companies with these words in their address rank higher.",
        },
      }),
    },
    person: {
      title: "person-query-reading",
      description: "The query as one for a person.",
      ...objectOf(["name"], {
        name: NAME,
        born: { type: "string", description: "Year, or year and month, of birth." },
        company_numbers: NUMBERS,
        postcode: POSTCODE,
        titles_and_honours: {
          type: "string",
          description: "Titles, honours and roles that are no part of the name.",
        },
      }),
    },
  }),
};
