/**
 * The forms of a person's name: surname without breaks, forenames, both orders (8.4 of the search reference). Also
 * reads queries for people: drops honorifics and labels of a form, reverses `SURNAME, Forename`, finds surnames.
 */
import { readForm } from "./person-form.ts";
import { wordsOf } from "./text.ts";

/** A person's name in the register's form. */
export interface PersonNameParts {
  forename?: string | undefined;
  other_forenames?: string | undefined;
  surname?: string | undefined;
}

/** A person's name in the forms that are compared, as an entry of the index has them. */
export interface PersonForms {
  /** Surname without spaces and hyphens; empty when there is none. */
  surname: string;
  /** First forename; for a hyphened one its first part and the whole. */
  first: string[];
  /** Words of all forenames. */
  given: string;
  /** Later forenames and the parts of a double surname. */
  others: string[];
  /** The whole name without breaks, forenames first and surname first. */
  full: string[];
  /** Every word that may find the name. */
  person: string;
  /** Letters that several words begin with, each with its counts: M2, M3 for MATTHEW MICHAEL MOORE. */
  letters: string[];
  /** First letters of the forenames: HJ. */
  run: string;
}

interface PersonName {
  forms: PersonForms;
  /** Number of forenames; one with a hyphen counts as one. */
  forenames: number;
  /** `SURNAME FORENAMES`, the sort key of people. */
  orderKey: string;
}

const FIRST_CHUNK = /^\S+/;
const BETWEEN_FORENAMES = /[\s.,]+/;

/** Reads a person's name; null when it has no letter or digit. */
export function parsePersonName(parts: PersonNameParts): PersonName | null {
  const surnameWords = wordsOf(parts.surname);
  const forenames = [parts.forename, parts.other_forenames].filter(Boolean).join(" ");
  const given = wordsOf(forenames);
  if (surnameWords.length + given.length === 0) return null;

  const surname = surnameWords.join("");
  const firstJoined = wordsOf(FIRST_CHUNK.exec(forenames)?.[0]).join("");
  const halves = surnameWords.length > 1 ? surnameWords : [];
  return {
    // In the order of indexed documents: `verify` first compares documents as texts, which is ten times as fast.
    forms: {
      surname,
      first: distinct([given[0] ?? "", firstJoined]),
      others: distinct([...given.slice(1), ...halves]),
      full: distinct([given.join("") + surname, surname + given.join("")]),
      given: distinct([...given, firstJoined]).join(" "),
      person: distinct([...given, firstJoined, ...surnameWords, surname]).join(" "),
      letters: repeatedLetters([...given, ...surnameWords]).flatMap(countsUpTo),
      run: given.map(firstLetter).join(""),
    },
    forenames: forenames.split(BETWEEN_FORENAMES).filter((forename) => wordsOf(forename).length > 0).length,
    orderKey: [surname, ...given].filter(Boolean).join(" "),
  };
}

/** Letters that two or more words begin with, and how many words do. */
export function repeatedLetters(words: string[]): [letter: string, count: number][] {
  const counts = new Map<string, number>();
  for (const letter of words.map(firstLetter)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1);
}

/** `M2`, `M3` for three words with M: with every count up to the real one, a query asks only for the least it needs. */
function countsUpTo([letter, count]: [string, number]): string[] {
  return Array.from({ length: count - 1 }, (_, index) => `${letter}${index + 2}`);
}

function firstLetter(word: string): string {
  return [...word][0] ?? "";
}

function distinct(words: string[]): string[] {
  return [...new Set(words)].filter(Boolean);
}

/** One way to read the words of a query. */
export interface PersonReading {
  /** Surname without breaks. */
  surname: string;
  /** Words of the forenames in the order given. */
  given: string[];
}

/** A query for a person. */
export interface PersonQuery {
  /** All words, forenames first when the query distinguishes them. */
  words: string[];
  /** The words without breaks. */
  whole: string;
  readings: PersonReading[];
}

/**
 * Titles that are the forename or surname of few people. LORD may be a surname, but not before another word. MAJOR,
 * EARL, BISHOP and OBE are often names, so they are not listed.
 */
export const SURE_TITLES: readonly string[] = (
  "MR MRS MISS MS MX MASTER MISTER MADAM DR DOCTOR SIR LORD LADY DAME PROF PROFESSOR REV REVD REVEREND HONOURABLE " +
  "BARONESS VISCOUNT VISCOUNTESS COUNTESS MARCHIONESS DUCHESS CAPT CAPTAIN LT LIEUTENANT COLONEL BRIGADIER CLLR COUNCILLOR"
).split(" ");
const HONORIFICS = [...SURE_TITLES, "ESQ", "ESQUIRE"].join("|");
// HON is a forename too, unless one of these stands before it.
const DEGREES = "(?:THE|RT|RIGHT|MOST|VERY) ";
const LEADING_HONORIFICS = new RegExp(`^(?:(?:(?:${DEGREES})*(?:${HONORIFICS})|(?:${DEGREES})+HON)(?: |$))+`);
// The sign of a handle: `@janequornsby`.
const HANDLE_SIGN = /^\s*@(?=\p{L})/u;
// Only after two words or more: `Paul Miss` keeps its surname MISS.
const TRAILING_HONORIFICS =
  /(?<= \S+) (?:MR|MRS|MISS|MS|MX|DR|PROF|PROFESSOR|REV|REVD|REVEREND|ESQ|ESQUIRE)$/;
// Limit: a longer surname is found by its words, not as a surname.
const SURNAME_WORDS = 4;
/** Limit: the same within a text and for near spellings, where each length costs a clause for each word. */
export const MOST_SURNAME_WORDS = 3;

/** Reads a query for a person. */
export function parsePersonQuery(query: string): PersonQuery {
  return parsePersonParts(readForm(query).replace(HANDLE_SIGN, "").split(",").map(wordsOf));
}

/** Reads the words of a query for a person. Several parts are a surname, and what followed it after commas. */
export function parsePersonParts(given: string[][]): PersonQuery {
  const parts = given.filter(isNotEmpty);
  const [surnamePart, ...forenameParts] = parts.filter((part, index) => index === 0 || !isHonorific(part));
  const first = dropHonorifics(surnamePart ?? []);
  const forenames = forenameParts.flatMap(dropHonorifics);
  if (forenames.length > 0) {
    const reading = { surname: first.join(""), given: forenames };
    const words = [...forenames, ...first];
    return { words, whole: words.join(""), readings: [reading] };
  }
  return { words: first, whole: first.join(""), readings: readingsOf(first) };
}

function readingsOf(words: string[]): PersonReading[] {
  const readings: PersonReading[] = [{ surname: words.join(""), given: [] }];
  for (let length = 1; length <= Math.min(words.length - 1, SURNAME_WORDS); length += 1) {
    const last = words.length - length;
    readings.push({ surname: words.slice(last).join(""), given: words.slice(0, last) });
    readings.push({ surname: words.slice(0, length).join(""), given: words.slice(length) });
  }
  return readings;
}

/** Each run of `least` or more words as a surname, with the words before it: VAN DER BERG of `Jan van der Berg Ely`. */
export function surnamesAmong(words: string[], least: number): PersonReading[] {
  return Array.from({ length: MOST_SURNAME_WORDS + 1 - least }, (_, more) => least + more).flatMap((length) =>
    words.slice(length - 1).map((_word, start) => ({
      surname: words.slice(start, start + length).join(""),
      given: words.slice(0, start),
    })),
  );
}

function dropHonorifics(words: string[]): string[] {
  const name = words.join(" ").replace(TRAILING_HONORIFICS, "").replace(LEADING_HONORIFICS, "");
  // If all words are titles, the last one is the name: `Lord`.
  return name === "" ? words.slice(-1) : name.split(" ");
}

function isHonorific(words: string[]): boolean {
  return words.join(" ").replace(LEADING_HONORIFICS, "") === "";
}

function isNotEmpty(words: string[]): boolean {
  return words.length > 0;
}
