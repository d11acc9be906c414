/**
 * Owns the forms of a company's name: name key, ending class, words (rules O1 to O9 and 8.1 of the search reference); and the
 * company number that a query may be instead of a name.
 */
import { type EndingClass, findEnding } from "./endings.ts";
import { foldText, joinInitials, splitWords } from "./text.ts";
import { parseCompanyNumber } from "../../api/shared/values/company-number.ts";

/** A company's name, or a query for one, in the forms that are compared. */
export interface CompanyName {
  /** The name key: equal for names that differ in ending, spaces, signs or accents only. */
  key: string;
  end: EndingClass;
  /** Words without the ending and without a leading THE; initials joined. */
  words: string[];
  /** Words of the legal ending as written. */
  endingWords: string[];
  /** The folded text from which all forms are made. */
  folded: string;
  /** Every word of it, as written. */
  allWords: string[];
}

// `CLUB (THE)`, `CLUB, THE`. After a legal ending any separator is accepted: `LTD.THE`, `LIMITED - THE`.
const INVERTED_THE = /[([,]\s*THE[^\p{L}\p{N}]*$/u;
const SPACES = /\s+/g;

/** Reads a company's name once; all its forms are derived from this. */
export function parseCompanyName(name: string): CompanyName {
  const folded = foldText(name);
  const allWords = splitWords(folded);
  const all = dropInvertedThe(allWords, folded);
  const { end, length } = findEnding(all);
  const core = dropLeadingThe(all.slice(0, all.length - length));
  const key = core.join("") || folded.replace(SPACES, "");
  const endingWords = all.slice(all.length - length);
  const words = joinInitials(core, folded, all.length - length - core.length);
  return { key, end, words, endingWords, folded, allWords };
}

/** The name key alone: `ordered_alpha_key` of the API. */
export function nameKey(name: string): string {
  return parseCompanyName(name).key;
}

// Limit: most words of a query that are compared.
const WORDS_OF_STARTS = 16;

/**
 * The first word of a name, its first two, and so on: a name begins with the words of a query when they equal one of
 * these. A term query costs the engine less than a prefix query.
 */
export function nameStarts(words: string[]): string[] {
  let start = "";
  return words.slice(0, WORDS_OF_STARTS).map((word) => (start += start === "" ? word : ` ${word}`));
}

/**
 * Every word that may find a name together with its ending: initials joined and split, and both usual
 * spellings of LIMITED, which are one ending.
 */
export function allNameWords(name: CompanyName): string[] {
  const ending = name.end === "LTD" ? ["LIMITED", "LTD"] : name.end === "NONE" ? [] : [name.end];
  return [...new Set([...name.allWords, ...name.words, ...ending])];
}

/** The words of a folded name without a THE that is inverted: `CLUB, THE`, `LIMITED (THE)`. */
export function dropInvertedThe(words: string[], folded: string): string[] {
  if (words.length < 2 || words.at(-1) !== "THE") return words;
  const before = words.slice(0, -1);
  return INVERTED_THE.test(folded) || findEnding(before).length > 0 ? before : words;
}

function dropLeadingThe(words: string[]): string[] {
  return words.length > 1 && words[0] === "THE" ? words.slice(1) : words;
}

// Limit: nine or more characters are no number and never an error; the text is searched as a name.
const NUMBER_CHARACTERS = 8;
// Spaces, hyphens, the commas of thousands, and what may stand behind a prefix: `SC.123456`, `SC No. 123456`.
const SEPARATORS =
  /[\s-]|(?<=\d),(?=\d{3}(?!\d))|(?<=^[^\p{L}\p{N}]*(?:SC|NI|OC|SO|NC)\s*)(?:NO\.?|\.)(?=\s*\d)/gu;
// Characters around a number that was copied from a text: `(00912345)`, `"SC090123".`, `#00912345`
const WRAPPING = /^["'“„«([{#]+|["'”»)\]}.,;:]+$/g;

/** `912345`, `912,345`, `sc 90123`, `00-934-567` to the eight characters of the register; null when the text is no number. */
export function parseQueryNumber(query: string): string | null {
  const compact = foldText(query).replace(SEPARATORS, "").replace(WRAPPING, "");
  return compact.length > NUMBER_CHARACTERS ? null : parseCompanyNumber(compact);
}
