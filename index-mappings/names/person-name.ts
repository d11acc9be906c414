/** Owns the forms of a person's name: surname without breaks, forenames, both orders (8.4 of the search reference). */
import { foldText } from "./fold.ts";
import { splitWords } from "./tokens.ts";

/** A person's name in the register's form. */
export interface PersonNameParts {
  forename?: string | undefined;
  other_forenames?: string | undefined;
  surname?: string | undefined;
}

/** A person's name in the forms that are compared. */
export interface PersonName {
  /** Surname without spaces and hyphens; empty when there is none. */
  surname: string;
  /** First forename; for a hyphened one its first part and the whole. */
  first: string[];
  /** Words of all forenames. */
  given: string[];
  /** Later forenames and the parts of a double surname. */
  others: string[];
  /** The whole name without breaks, forenames first and surname first. */
  full: string[];
  /** Every word that may find the name. */
  words: string[];
  /** Letters that several words begin with, each with its counts: M2, M3 for MATTHEW MICHAEL MOORE. */
  letters: string[];
  /** First letters of the forenames: HJ. */
  run: string;
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
    surname,
    first: distinct([given[0] ?? "", firstJoined]),
    given: distinct([...given, firstJoined]),
    others: distinct([...given.slice(1), ...halves]),
    full: distinct([given.join("") + surname, surname + given.join("")]),
    words: distinct([...given, firstJoined, ...surnameWords, surname]),
    letters: repeatedLetters([...given, ...surnameWords]).flatMap(countsUpTo),
    run: given.map(firstLetter).join(""),
    forenames: forenames.split(BETWEEN_FORENAMES).filter((forename) => wordsOf(forename).length > 0).length,
    orderKey: [surname, ...given].filter(Boolean).join(" "),
  };
}

/** Words of a person's name: hyphens separate, apostrophes vanish, initials stay apart. */
export function wordsOf(text: string | undefined): string[] {
  return text ? splitWords(foldText(text)) : [];
}

/** Letters that two words or more begin with, and how many do. */
export function repeatedLetters(words: string[]): [letter: string, count: number][] {
  const counts = new Map<string, number>();
  for (const letter of words.map(firstLetter)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1);
}

/** The index has each count up to the real one, so a query needs only the least count that it requires. */
function countsUpTo([letter, count]: [string, number]): string[] {
  return Array.from({ length: count - 1 }, (_, index) => `${letter}${index + 2}`);
}

function firstLetter(word: string): string {
  return [...word][0] ?? "";
}

function distinct(words: string[]): string[] {
  return [...new Set(words)].filter(Boolean);
}
