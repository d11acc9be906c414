/** Owns `snippet` and `matches` of an item: the name that answered the query, and where. */
import type { JsonSchema } from "../../core/validate.ts";
import type { SearchHit } from "../define-search.ts";
import { markWords } from "./spans.ts";

/** The name that answered, and the marks in it and in the title. */
export interface Matched {
  /** The previous or former name that answered better than the title; else empty. */
  snippet: string;
  matches: { title?: number[]; snippet?: number[] };
}

/**
 * What answered the query. `matchedName` is the name its inner hits stand under. A hit by its number alone
 * has no matched name and marks nothing.
 */
export function describeMatch(
  hit: SearchHit,
  matchedName: string,
  title: string,
  queryWords: string[],
): Matched {
  const name = hit.innerHits[matchedName]?.[0]?.source.name;
  if (typeof name !== "string") return { snippet: "", matches: {} };
  const snippet = name === title ? "" : name;
  return {
    snippet,
    matches: { ...marksOf("title", title, queryWords), ...marksOf("snippet", snippet, queryWords) },
  };
}

function marksOf(member: "title" | "snippet", text: string, queryWords: string[]): Matched["matches"] {
  const marks = markWords(text, queryWords);
  return marks.length > 0 ? { [member]: marks } : {};
}

const PLACES = {
  type: "array",
  description: "Pairs of start and end, counted from 1, both ends included.",
  items: { type: "integer", minimum: 1 },
};

/** JSON Schemas of the members that say what matched. */
export const matchedSchemas: Record<string, JsonSchema> = {
  snippet: { type: "string" },
  matches: {
    type: "object",
    additionalProperties: false,
    properties: { title: PLACES, snippet: PLACES, address_snippet: PLACES },
  },
};
