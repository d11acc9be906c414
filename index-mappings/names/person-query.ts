/** Owns the reading of a query for a person: honorifics removed, `SURNAME, Forename` reversed, possible surnames. */
import { wordsOf } from "./person-name.ts";

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

// Titles that are no forename or surname of many people: LORD may be a surname, but not before another word. MAJOR,
// EARL, BISHOP and OBE are names as well and stay.
const HONORIFICS =
  "MR|MRS|MISS|MS|MX|MASTER|MISTER|MADAM|DR|DOCTOR|SIR|LORD|LADY|DAME|PROF|PROFESSOR|REV|REVD|REVEREND|HONOURABLE|" +
  "BARONESS|VISCOUNT|VISCOUNTESS|COUNTESS|MARCHIONESS|DUCHESS|CAPT|CAPTAIN|LT|LIEUTENANT|COLONEL|BRIGADIER|CLLR|" +
  "COUNCILLOR|ESQ|ESQUIRE";
// HON is a forename too, unless one of these stands before it.
const DEGREES = "(?:THE|RT|RIGHT|MOST|VERY) ";
const LEADING_HONORIFICS = new RegExp(`^(?:(?:(?:${DEGREES})*(?:${HONORIFICS})|(?:${DEGREES})+HON)(?: |$))+`);
// After two words at least: `Paul Miss` keeps its surname MISS.
const TRAILING_HONORIFICS =
  /(?<= \S+) (?:MR|MRS|MISS|MS|MX|DR|PROF|PROFESSOR|REV|REVD|REVEREND|ESQ|ESQUIRE)$/;
// Limit: a surname of more words is found by its words, not as a surname.
const SURNAME_WORDS = 4;

/** Reads a query for a person. */
export function parsePersonQuery(query: string): PersonQuery {
  return parsePersonParts(query.split(",").map(wordsOf));
}

/** Reads the words of a query for a person; several parts are a surname and the text after a comma. */
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

function dropHonorifics(words: string[]): string[] {
  const name = words.join(" ").replace(TRAILING_HONORIFICS, "").replace(LEADING_HONORIFICS, "");
  // Only titles: the last one is the name, as for `Lord`.
  return name === "" ? words.slice(-1) : name.split(" ");
}

function isHonorific(words: string[]): boolean {
  return words.join(" ").replace(LEADING_HONORIFICS, "") === "";
}

function isNotEmpty(words: string[]): boolean {
  return words.length > 0;
}
