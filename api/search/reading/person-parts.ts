/** Splits a text about a person into parts: at commas, brackets, line breaks, and dashes with spaces. Pure. */
import { findEnding } from "../../../index-mappings/names/company-name.ts";
import { wordsOf } from "../../../index-mappings/names/text.ts";
import { isTitle } from "./honours.ts";

/** The signs that separate parts, as the inside of a character class. */
export const MARKS = ",;|\\n\\r\\t()";
export const BETWEEN_PARTS = new RegExp(`[${MARKS}]+`);
const SPACED_DASH = /\s[-/]+\s/;

/** The words of each part. */
export function partsOf(text: string): string[][] {
  const parts = text.split(BETWEEN_PARTS).flatMap(splitAtDash).map(wordsOf);
  return parts.filter(({ length }) => length > 0);
}

/** Splits at a dash or slash with spaces, but only after a name of two words: `Mr Jean - Paul Nomanby` stays whole. */
function splitAtDash(part: string, place = 0): string[] {
  const pieces = part.split(SPACED_DASH);
  if (place > 0) return pieces;
  const upTo = (last: number) => pieces.slice(0, last + 1).join(" ");
  const end = pieces.findIndex((_piece, last) => isName(wordsOf(upTo(last))));
  return end < 0 ? [part] : [upTo(end), ...pieces.slice(end + 1)];
}

/** True for at least two words besides titles. */
export function isName(words: string[]): boolean {
  return words.filter((word, position) => !isTitle(word, words[position - 1])).length > 1;
}

/** True if a dash, and not a comma, ends the first part. */
export function endsWithDash(named: string): boolean {
  const [first = ""] = named.split(BETWEEN_PARTS);
  return splitAtDash(first).length > 1;
}

/** True for a name with a legal ending, except SE, which also ends forenames: KIM, MIN SE. */
export function isCompany(words: string[]): boolean {
  const { end } = findEnding(words);
  return end !== "NONE" && end !== "SE";
}
