/** Owns the name at the end of a sentence, behind words that lead to one: `Your payment to Quillory Press Ltd`. Pure. */
import {
  type CompanyName,
  findEnding,
  parseCompanyName,
} from "../../../index-mappings/names/company-name.ts";
import { distinctiveWords, isAroundNames } from "./common-words.ts";
import { MOST_LEADING_WORDS } from "./name-reading.ts";

// Limits: words of such a name; one word alone ends too many names.
const MOST_NAME_WORDS = 8;
const FEWEST_NAME_WORDS = 2;
// Words of many names, which show no sentence.
const IN_NAMES = new Set("THE OF AT ON".split(" "));

/**
 * The names that may end a text with a legal ending behind more words than are split off a name: more than three, or more
 * than it has itself. Nothing shows where such a name begins, so one of those words must be one that leads to a name.
 */
export function lastNames(words: string[]): CompanyName[] {
  const { length } = findEnding(words);
  const core = words.slice(0, words.length - length);
  const led = length > 0 ? core.findIndex((word) => isAroundNames(word) && !IN_NAMES.has(word)) : -1;
  if (led < 0) return [];
  return core
    .map((_word, start) => core.slice(start))
    .filter((name, start) => start > led && mayBeName(name, start))
    .map((name) => parseCompanyName([...name, ...words.slice(-length)].join(" ")));
}

function mayBeName(name: string[], before: number): boolean {
  const isShort = name.length >= FEWEST_NAME_WORDS && name.length <= MOST_NAME_WORDS;
  const isSplit = before <= MOST_LEADING_WORDS && before <= name.length;
  return isShort && !isSplit && !isAroundNames(name[0] ?? "") && distinctiveWords(name).length > 0;
}
