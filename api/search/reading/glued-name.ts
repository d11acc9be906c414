/** Owns names without spaces: `kirstyreynolds`, also before the @ of a mail address. Pure. */
import { wordsOf } from "../../../index-mappings/names/text.ts";
import { hasDigit, isAroundNames } from "./common-words.ts";

// Limits: fewer letters are hardly two names, `sales`, `info`; more are a text of another kind, and each costs two clauses.
const FEWEST_LETTERS = 8;
const MOST_LETTERS = 30;
const FEWEST_OF_A_NAME = 2;

/** The words before the @ of a mail address, without the digits that keep it apart from others. */
export function wordsOfMailbox(mailbox: string): string[] {
  return wordsOf(mailbox.replace(/\d+/g, " "));
}

/** True for one word that may be a whole name. */
export function mayBeGlued([word = "", ...others]: string[]): boolean {
  const isLong = word.length >= FEWEST_LETTERS && word.length <= MOST_LETTERS;
  return others.length === 0 && isLong && !hasDigit(word) && !isAroundNames(word);
}

/** The ways to part a word into what it begins and what it ends with. */
export function partings(word: string): [before: string, after: string][] {
  const count = word.length + 1 - 2 * FEWEST_OF_A_NAME;
  return Array.from({ length: count }, (_, more) => {
    const at = FEWEST_OF_A_NAME + more;
    return [word.slice(0, at), word.slice(at)];
  });
}
