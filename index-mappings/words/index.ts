/** Owns the index of words: every word of a name or a place that some document has, and the forms that slips share with it. */
import type { IndexedWords, SearchDocument } from "../define-index.ts";
import settings from "../settings.json" with { type: "json" };
import { WORD_LETTERS } from "../../api/core/words/forms.ts";
import mapping from "./mapping.json" with { type: "json" };

/**
 * Kept beside the search indices, and only added to: a word that no name has any more finds nothing. It is never built anew:
 * other forms or fields need another name, under which `prepare` and `reindex` make and fill another index.
 */
export const wordsIndex: IndexedWords = { name: "words", version: 1, mappings: mapping, settings };

const DIGIT = /\d/;

/** The words of a document that slips are forgiven in; some perhaps twice. */
export function wordsOf({ names, address }: SearchDocument): string[] {
  // The casts: a document's own projection made these fields.
  const entries = (names ?? []) as Partial<Record<"text" | "person" | "surname", Texts>>[];
  const named = entries.flatMap(({ text, person, surname }) => [text, person, surname].flatMap(split));
  // House numbers and postcodes are read as they are.
  const places = split(address as Texts).filter((word) => !DIGIT.test(word));
  return [...named, ...places].filter(({ length }) => length >= 2 && length <= WORD_LETTERS);
}

type Texts = string | string[] | undefined;

function split(texts: Texts): string[] {
  return [texts ?? []].flat().flatMap((text) => text.split(" "));
}
