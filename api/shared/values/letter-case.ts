/** Owns letter case: upper-case register text to the mixed case that the API shows. */
import { remember } from "./remember.ts";

// Words that stay small between two others: Stoke-on-Trent, Isle of Man, Val de Marne.
const SMALL_WORDS = new Set(
  "OF AND THE UPON ON IN UNDER BY FOR TO AT WITH LE DE LA LES DES DU DEL DA DI SUR".split(" "),
);

// These stay small after a number, too: Floor 2 of the Shard.
const JOINING_WORDS = new Set(["OF", "AND", "IN"]);

// Short forms in addresses and occupations, as they are written; by their capitals.
const SHORT_FORMS = new Map(
  (
    "UK USA UAE PO BFPO II III IV VI VII VIII LLP PLC NHS RAF HM " +
    "IT HR PR TV HGV CEO CFO COO CTO VP BBC PA DJ QC KC PhD"
  )
    .split(" ")
    .map((word) => [word.toUpperCase(), word]),
);

// Ends of what stands before a word.
const AFTER_WORD = /[\p{L}\p{N}][\s-]+$/u;
const AFTER_LETTER = /\p{L}[\s-]+$/u;
// Not 19A, nor the letter of a flat or of C/O. What is before is looked at last, where the rest fits.
const AFTER_NAME = /\p{L}(?=[\s-]+$)(?<=[\p{L}\p{M}'’]\p{L})(?<!\p{N}\p{L}+)/u;

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

/** `mapWord` is given the whole text, too, and where in it the word begins. */
function mapWords(text: string, mapWord: (word: string, text: string, at: number) => string): string {
  // Capitals have a small ß, too.
  if (/(?!ß)\p{Ll}/u.test(text)) return text;
  return text.replace(WORD, (word, offset: number) => mapWord(word, text, offset));
}

function titleWord(word: string, text: string, at: number): string {
  // 1ST and 22ND are ordinals; 12B and W1A are numbers of a house or a district.
  if (/\p{N}/u.test(word)) return /^\d+(ST|ND|RD|TH)$/.test(word) ? word.toLowerCase() : word;
  const short = SHORT_FORMS.get(word);
  if (short !== undefined) return short;
  if (SMALL_WORDS.has(word) && isBetween(word, text.slice(0, at))) return word.toLowerCase();
  return capitalise(word);
}

/** False where a name begins: after a comma, a number, for `the` also after a unit with a letter (19A The Crescent). */
function isBetween(word: string, before: string): boolean {
  if (word === "THE") return AFTER_NAME.test(before);
  return (JOINING_WORDS.has(word) ? AFTER_WORD : AFTER_LETTER).test(before);
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
