/** The index of words: every word of a name or place in any document, with forms that its misspellings share. */
import type { IndexedWords, SearchDocument } from "../../api/shared/definitions/define-index.ts";
import { SEARCHED_KEYWORD } from "../fields.ts";
import settings from "../settings.json" with { type: "json" };

/**
 * Words are only added: one that no name has any longer is harmless, because it finds nothing. The index is never
 * rebuilt. Other forms or fields need a new index name, under which `prepare` and `reindex` create and fill another.
 */
export const wordsIndex: IndexedWords = {
  name: "words",
  version: 1,
  mappings: {
    dynamic: "strict",
    _source: { enabled: false },
    properties: { word: { type: "keyword", index: false }, forms: SEARCHED_KEYWORD },
  },
  settings,
};

/** The texts of a document whose words are also found when a query misspells them. Some texts may be repeated. */
export function textsOf({ names, address }: SearchDocument): string[] {
  const texts: string[] = [];
  const add = (text: Texts) => {
    if (typeof text === "string") texts.push(text);
    else if (text) texts.push(...text);
  };
  // The casts: a document's own projection made these fields.
  for (const entry of (names ?? []) as Partial<Record<"text" | "person", Texts>>[]) {
    add(entry.text);
    add(entry.person);
  }
  add(address as Texts);
  return texts;
}

type Texts = string | string[] | undefined;
