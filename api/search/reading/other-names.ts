/** Owns the other names that a text gives a person beside the first: née, formerly, also known as; a nickname. Pure. */
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

// Limit: more words are no other name.
const MOST_WORDS = 4;

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
