/** Names of people without spaces: `kirstyreynolds`, also before the @ of a mail address. Pure. */
import { wordsOf } from "../../../index-mappings/names/text.ts";
import { hasDigit, isAroundNames } from "./common-words.ts";

// Limits: fewer letters are hardly two names (`sales`, `info`). More are no name, and each letter costs two clauses.
const FEWEST_LETTERS = 8;
const MOST_LETTERS = 30;
const FEWEST_OF_A_NAME = 2;

/** The words before the @ of a mail address, without the digits that make it unique. */
export function wordsOfMailbox(mailbox: string): string[] {
  return wordsOf(mailbox.replace(/\d+/g, " "));
}

/** True for a single word that may be a forename and a surname without a space. */
export function mayBeGlued([word = "", ...others]: string[]): boolean {
  const isLong = word.length >= FEWEST_LETTERS && word.length <= MOST_LETTERS;
  return others.length === 0 && isLong && !hasDigit(word) && !isAroundNames(word);
}

/** All ways to split a word in two, each part with at least two letters. */
export function partings(word: string): [before: string, after: string][] {
  const count = word.length + 1 - 2 * FEWEST_OF_A_NAME;
  return Array.from({ length: count }, (_, more) => {
    const at = FEWEST_OF_A_NAME + more;
    return [word.slice(0, at), word.slice(at)];
  });
}
