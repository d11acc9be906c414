/** Letter case: turns the upper-case text of the register into the mixed case that the API shows. */
import { remember } from "./remember.ts";

// Words that are in lower case between two others: Stoke-on-Trent, Isle of Man, Val de Marne.
const SMALL_WORDS = new Set(
  "OF AND THE UPON ON IN UNDER BY FOR TO AT WITH LE DE LA LES DES DU DEL DA DI SUR".split(" "),
);

// These are in lower case after a number, too: Floor 2 of the Shard.
const JOINING_WORDS = new Set(["OF", "AND", "IN"]);

// The spelling of short forms in addresses and occupations, by their upper-case form.
const SHORT_FORMS = new Map(
  (
    "UK USA UAE PO BFPO II III IV VI VII VIII LLP PLC NHS RAF HM " +
    "IT HR PR TV HGV CEO CFO COO CTO VP BBC PA DJ QC KC PhD"
  )
    .split(" ")
    .map((word) => [word.toUpperCase(), word]),
);

// How the text before a word must end for it to be in lower case.
const AFTER_WORD = /[\p{L}\p{N}][\s-]+$/u;
const AFTER_LETTER = /\p{L}[\s-]+$/u;
// The word before must be a name: not 19A, nor the single letter of a flat or of C/O. The lookbehinds come last because
// they are slow, and most texts fail earlier.
const AFTER_NAME = /\p{L}(?=[\s-]+$)(?<=[\p{L}\p{M}'’]\p{L})(?<!\p{N}\p{L}+)/u;

// A word does not begin with an apostrophe: in front of a word it is the quote of a house name.
const WORD = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’]*/gu;

/**
 * Writes `165 IMAGINARY LANE` as `165 Imaginary Lane`, `KING'S LYNN` as `King's Lynn`, `O'BRIEN` as `O'Brien`.
 * A text that contains a lower-case letter is returned unchanged.
 */
export const toTitleCase = rememberNames((text) => mapWords(text, titleWord));

/** As `toTitleCase`, for forenames and titles: every word is capitalised as a name, also OF, AND or PA. */
export const toNameCase = rememberNames((text) => mapWords(text, capitalise));

/** Caches results, because names, towns and occupations repeat. Texts with a house number hardly do, so not these. */
function rememberNames(mapText: (text: string) => string): (text: string) => string {
  const remembered = remember(mapText);
  return (text) => (/\d/.test(text) ? mapText(text) : remembered(text));
}

/** `mapWord` gets the word, the whole text and the offset of the word in it. */
function mapWords(text: string, mapWord: (word: string, text: string, at: number) => string): string {
  // Except ß, which occurs in upper-case text, too.
  if (/(?!ß)\p{Ll}/u.test(text)) return text;
  return text.replace(WORD, (word, offset: number) => mapWord(word, text, offset));
}

function titleWord(word: string, text: string, at: number): string {
  // 1ST and 22ND are ordinals; 12B is a house number and W1A a postal district.
  if (/\p{N}/u.test(word)) return /^\d+(ST|ND|RD|TH)$/.test(word) ? word.toLowerCase() : word;
  const short = SHORT_FORMS.get(word);
  if (short !== undefined) return short;
  if (SMALL_WORDS.has(word) && isBetween(word, text.slice(0, at))) return word.toLowerCase();
  return capitalise(word);
}

/**
 * True when `word` stands between others. False where a name begins: after a comma or a number (OF, AND and IN may
 * follow a number), and for THE also after a number with a letter (19A The Crescent).
 */
function isBetween(word: string, before: string): boolean {
  if (word === "THE") return AFTER_NAME.test(before);
  return (JOINING_WORDS.has(word) ? AFTER_WORD : AFTER_LETTER).test(before);
}

function capitalise(word: string): string {
  // The lower case of İ is an i with a second dot.
  const capital = word.charAt(0) + word.slice(1).toLowerCase().replaceAll("i\u0307", "i");
  // O'BRIEN and D'ARCY: a single letter before the apostrophe makes the next one a capital; KING'S does not.
  return capital.replace(
    /^(\p{L}['’])(\p{L})/u,
    (_all, start: string, next: string) => start + next.toUpperCase(),
  );
}
