/** Owns the parts of a text about a person, between commas, brackets, lines, and dashes with spaces. Pure. */
import { findEnding } from "../../../index-mappings/names/company-name.ts";
import { wordsOf } from "../../../index-mappings/names/text.ts";
import { isTitle } from "./honours.ts";

/** What parts a text, in a class of a pattern. */
export const MARKS = ",;|\\n\\r\\t()";
export const BETWEEN_PARTS = new RegExp(`[${MARKS}]+`);
const SPACED_DASH = /\s[-/]+\s/;

/** The words of each part. */
export function partsOf(text: string): string[][] {
  const parts = text.split(BETWEEN_PARTS).flatMap(splitAtDash).map(wordsOf);
  return parts.filter(({ length }) => length > 0);
}

/** A dash or a stroke between spaces ends a name of two words without its title: `Mr Jean - Paul Nomanby` goes on. */
function splitAtDash(part: string, place = 0): string[] {
  const pieces = part.split(SPACED_DASH);
  if (place > 0) return pieces;
  const upTo = (last: number) => pieces.slice(0, last + 1).join(" ");
  const end = pieces.findIndex((_piece, last) => isName(wordsOf(upTo(last))));
  return end < 0 ? [part] : [upTo(end), ...pieces.slice(end + 1)];
}

/** True for two words or more without titles. */
export function isName(words: string[]): boolean {
  return words.filter((word, position) => !isTitle(word, words[position - 1])).length > 1;
}

/** True where a dash, not a comma, ends the first part. */
export function endsWithDash(named: string): boolean {
  const [first = ""] = named.split(BETWEEN_PARTS);
  return splitAtDash(first).length > 1;
}

/** SE ends a forename as well: KIM, MIN SE. */
export function isCompany(words: string[]): boolean {
  const { end } = findEnding(words);
  return end !== "NONE" && end !== "SE";
}
