/** Owns the other names that a text gives a person beside the first: née, formerly, also known as; a nickname; ST for SAINT. Pure. */
import { MOST_SURNAME_WORDS } from "../../../index-mappings/names/person-name.ts";
import { wordsOf } from "../../../index-mappings/names/text.ts";
import { hasDigit } from "./common-words.ts";
import { hasPlace, isPlace } from "./places.ts";
import { withoutHonours } from "./honours.ts";

// `Jane Quornsby née Smithers`, `Jane Quornsby (formerly van der Smith)`, `Jane Quornsby aka Janet Smithers`. AKA is a surname.
const OTHER_NAME =
  /(?<=\S\s+\S+)[\s,(]+(?:NEE|(?:FORMERLY|PREVIOUSLY)(?:\s+KNOWN\s+AS)?|ALSO\s+KNOWN\s+AS|A\s?\/\s?K\s?\/\s?A|(?<=[(,]\s*)AKA|AKA(?=\s+[^\s,;|()]+\s+\p{L}))\s+([^,;|()\n\r\t]+)/u;
// `Siu-Fong (Alice) Fung`
const NICKNAME = /^([^,;|()\n\r\t]+)\(\s*(\p{L}+)\s*\)\s*(\p{L}[^,;|()\n\r\t]*)/u;
const SAINT = /(?<![\p{L}\p{N}])(SAINT|ST\.?)(?=(?<=\.)\p{L}|[\s-]+\p{L})/giu;

// Limit: more words are no other name.
const MOST_WORDS = 4;
// Limit: longer queries are searched as they are written, since the other way doubles what they ask.
const MOST_WORDS_OF_SAINTS = 12;

/** The words of another name in a folded text, and the text before it; null without one. */
export function otherNameIn(text: string): { before: string; words: string[] } | null {
  const found = OTHER_NAME.exec(text);
  const words = withoutHonours(wordsOf(found?.[1]), 0, []);
  const isName = words.length > 0 && words.length <= MOST_WORDS && !hasPlace(words) && !isNoName(words);
  return found && isName ? { before: text.slice(0, found.index), words } : null;
}

/** The words of a folded text around a nickname in brackets; null without one, and for a post: `Jane Quornsby (Director) Leeds`. */
export function aroundNickname(text: string): string[] | null {
  const [, before, nickname, behind] = NICKNAME.exec(text) ?? [];
  const surname = wordsOf(behind);
  const isPost = withoutHonours(wordsOf(nickname), 1, []).length === 0;
  if (isPost || surname.length > MOST_SURNAME_WORDS || isNoName(surname)) return null;
  return withoutHonours([...wordsOf(before), ...surname], 0, []);
}

function isNoName(words: string[]): boolean {
  return words.length === 0 || isPlace(words) || words.some(hasDigit);
}

/** A query with each ST as SAINT, and the other way round; none without one, and of a long one. */
export function withOtherSaint(q: string): string[] {
  const other = q.replace(SAINT, (saint) => (saint.length > "ST.".length ? "ST" : "SAINT "));
  return other === q || wordsOf(q).length > MOST_WORDS_OF_SAINTS ? [] : [other];
}

/** True where a name has such a word. */
export function hasSaint(words: string[]): boolean {
  return words.includes("SAINT") || words.includes("ST");
}
