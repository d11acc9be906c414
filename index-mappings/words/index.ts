/** Owns the index of words: every word of a name or a place in some document, and the forms that slips share with it. */
import type { IndexedWords, SearchDocument } from "../../api/shared/definitions/define-index.ts";
import { ASKED } from "../fields.ts";
import settings from "../settings.json" with { type: "json" };

/**
 * Stored beside the search indices, and only added to: a word that no name has any more finds nothing. It is never rebuilt:
 * other forms or fields need another name, under which `prepare` and `reindex` make and fill another index.
 */
export const wordsIndex: IndexedWords = {
  name: "words",
  version: 1,
  mappings: {
    dynamic: "strict",
    _source: { enabled: false },
    properties: { word: { type: "keyword", index: false }, forms: ASKED },
  },
  settings,
};

/** The texts of a document in whose words slips are forgiven; some perhaps twice. */
export function textsOf({ names, address }: SearchDocument): string[] {
  const texts: string[] = [];
  const add = (text: Texts) => {
    if (typeof text === "string") texts.push(text);
    else if (text) texts.push(...text);
  };
  // The casts: a document's own projection made these fields.
  for (const entry of (names ?? []) as Partial<Record<"text" | "person" | "surname", Texts>>[]) {
    add(entry.text);
    add(entry.person);
    add(entry.surname);
  }
  add(address as Texts);
  return texts;
}

type Texts = string | string[] | undefined;
