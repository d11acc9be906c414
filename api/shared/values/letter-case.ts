/** Owns letter case: upper-case register text to the mixed case that the API shows. */
import { remember } from "./remember.ts";

// Words that stay small between two others: Stoke-on-Trent, Isle of Man, Val de Marne.
const SMALL_WORDS = new Set(
  "of and the upon on in under by for to at with le de la les des du del da di sur".split(" "),
);

// Short forms that stay large in addresses and occupations.
const LARGE_WORDS = new Set(
  "UK USA UAE PO BFPO II III IV VI VII VIII LLP PLC NHS RAF HM IT HR PR TV HGV CEO CFO COO CTO".split(" "),
);

// An apostrophe in front is the quote of a house name.
const WORD = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’]*/gu;

/**
 * `165 IMAGINARY LANE` to `165 Imaginary Lane`, `KING'S LYNN` to `King's Lynn`, `O'BRIEN` to `O'Brien`.
 * A text that already holds lower-case letters is returned as it is.
 */
export const toTitleCase = rememberNames((text) => mapWords(text, titleWord));

/** As `toTitleCase`, for forenames and titles: every word is a name, and none stays small or large. */
export const toNameCase = rememberNames((text) => mapWords(text, capitalise));

/** Forenames, towns, countries and occupations repeat; lines with a house number hardly ever come again. */
function rememberNames(mapText: (text: string) => string): (text: string) => string {
  const remembered = remember(mapText);
  return (text) => (/\d/.test(text) ? mapText(text) : remembered(text));
}

function mapWords(text: string, mapWord: (word: string, before: string) => string): string {
  // Capitals have a small ß, too.
  if (/(?!ß)\p{Ll}/u.test(text)) return text;
  return text.replace(WORD, (word, offset: number) => mapWord(word, text.slice(0, offset)));
}

function titleWord(word: string, before: string): string {
  // 1ST and 22ND are ordinals; 12B and W1A are numbers of a house or a district.
  if (/\p{N}/u.test(word)) return /^\d+(ST|ND|RD|TH)$/.test(word) ? word.toLowerCase() : word;
  if (LARGE_WORDS.has(word)) return word;
  const lower = word.toLowerCase();
  // After a number or a comma a name begins: 17 The Street, Unit 4, The Old Bakery.
  if (SMALL_WORDS.has(lower) && /\p{L}[\s-]+$/u.test(before)) return lower;
  return capitalise(word);
}

function capitalise(word: string): string {
  // A small İ would be an i with a second dot.
  const capital = word.charAt(0) + word.slice(1).toLowerCase().replaceAll("i\u0307", "i");
  // O'BRIEN and D'ARCY: a single letter before the apostrophe makes the next one a capital; KING'S does not.
  return capital.replace(
    /^(\p{L}['’])(\p{L})/u,
    (_all, start: string, next: string) => start + next.toUpperCase(),
  );
}
