/** Compares names of people: how a text can be read as a name, and how similar each reading is to a name. Pure. */
import { editsIfNear, isInitial, isNear } from "../shared/values/nearness.ts";
import { withoutPlace, type PersonNameReading, readPersonText } from "../search/reading/person.ts";
import { otherFormsOf } from "../search/reading/short-forms.ts";
import { parsePersonQuery, type PersonReading } from "../../index-mappings/names/person-name.ts";
import { wordsOf } from "../../index-mappings/names/text.ts";
import { mostSimilar, NOT_SIMILAR } from "./decide.ts";
import type { Likeness } from "./define-match.ts";

/** A person's name in the form of the index. */
export interface IndexedPersonName {
  name: string;
  /** Without spaces and hyphens. */
  surname: string;
  /** Words of the forenames, one space between them. */
  given: string;
  current: boolean;
}

// A forename with another letter, or in a short form, may be that of a relative.
const NEAR = { strength: "near", isOfFamily: true } as const;

/** The likeness of people with the same surname, by their forenames. */
const BY_FORENAMES = {
  none: { strength: "near", score: 100, reason: "same name, without forenames" },
  same: { strength: "exact", score: 100, reason: "same name" },
  fewer: { strength: "same", score: 94, reason: "same surname and first forename" },
  slip: { ...NEAR, score: 80, reason: "same surname, forename nearly the same" },
  otherForm: { ...NEAR, score: 78, reason: "same surname, short form of the forename" },
  oneOf: { strength: "weak", score: 74, reason: "same surname, one forename the same" },
  initial: { strength: "near", score: 72, reason: "same surname and initial" },
  initials: { strength: "near", score: 72, reason: "same surname and initials" },
  others: { strength: "weak", score: 45, reason: "same surname, another forename" },
  surname: { strength: "weak", score: 40, reason: "same surname" },
} satisfies Record<string, Likeness>;
const NEAR_SURNAME_COSTS = 12;
// Tuned: ranks before unrelated names, and is never a match, because the half of a surname may be another person's
// surname.
const HALF_SURNAME_COSTS = 30;
// Tuned: for `Kofi Mensah Aka Boateng`, KOFI MENSAH ranks after that full name, and before KOFI BOATENG.
const DOUBT_COSTS = 4;
const MOST_INITIALS = 4;

/** A name, and the place after it, which the candidate must have. Weight below zero: another reading is likelier. */
interface PlacedReading extends PersonReading, Pick<PersonNameReading, "place" | "agreeing" | "weight"> {}

/**
 * The ways to read a text as a person's name: unchanged; without titles, honours and other facts; and without a place,
 * which the candidate's address must then have.
 */
export function personReadings(text: string): PlacedReading[] {
  const { name, names, withMonth } = readPersonText(text);
  const queries = [parsePersonQuery(text), name, ...(withMonth ? [withMonth] : [])];
  const readings = [...queries.map((query) => withoutPlace(query)), ...names].flatMap(
    ({ query, place, agreeing, weight }) =>
      query.readings.map((reading) => ({ ...reading, place, agreeing, weight })),
  );
  const seen = new Set<string>();
  return readings.filter(({ surname, given, place }) => {
    const key = [surname, given.join(" "), place.join(" ")].join("|");
    return surname !== "" && !seen.has(key) && seen.add(key);
  });
}

/** The likeness of a name in the register to the most similar reading of the question. */
export function comparePersonNames(readings: PlacedReading[], name: IndexedPersonName): Likeness {
  const given = name.given.split(" ").filter(Boolean);
  return mostSimilar(
    readings.map((reading) => {
      const found = compareReading(reading, name, given);
      return reading.weight < 0 ? weaken(found) : found;
    }),
  );
}

/** Weakens the likeness of a reading whose omitted words may belong to the name. */
function weaken(found: Likeness): Likeness {
  const strength = found.strength === "weak" ? "weak" : "near";
  return { ...found, strength, score: Math.max(0, found.score - DOUBT_COSTS), isReworded: true };
}

function compareReading(
  { surname, given }: PersonReading,
  name: IndexedPersonName,
  others: string[],
): Likeness {
  const edits = surname === name.surname ? 0 : editsIfNear(surname, name.surname);
  const isHalf = edits === Infinity && halvesOf(name).includes(surname);
  if (edits === Infinity && !isHalf) return NOT_SIMILAR;
  const found = compareForenames(given, others);
  if (isHalf) {
    const reason = `${found.reason}, half of a double surname`;
    return { strength: "weak", score: Math.max(0, found.score - HALF_SURNAME_COSTS), reason };
  }
  if (edits === 0) return found;
  const reason = `${found.reason}, surname nearly the same`;
  const strength = found.strength === "exact" ? "near" : "weak";
  return { strength, score: Math.max(0, found.score - NEAR_SURNAME_COSTS), reason };
}

/** The first and the last word of a surname: TARROW and VANE of TARROW-VANE. */
function halvesOf({ name, surname }: IndexedPersonName): (string | undefined)[] {
  const words = wordsOf(name);
  const parts = words.map((_word, start) => words.slice(start)).find((part) => part.join("") === surname);
  return [parts?.at(0), parts?.at(-1)];
}

function compareForenames(given: string[], others: string[]): Likeness {
  const [first] = given;
  const [otherFirst] = others;
  if (first === undefined || otherFirst === undefined)
    return first === otherFirst ? BY_FORENAMES.none : BY_FORENAMES.surname;
  if (given.join("") === others.join("") || isSameSet(given, others)) return BY_FORENAMES.same;
  const laterSlips = countLaterSlips(given.slice(1), others.slice(1));
  const laterAgree = laterSlips === 0;
  if (first === otherFirst && laterAgree) return BY_FORENAMES.fewer;
  const isShort = (one: string, two: string) => isInitial(one) && two.startsWith(one);
  if ((isShort(first, otherFirst) || isShort(otherFirst, first)) && laterAgree) return BY_FORENAMES.initial;
  if (isRunOfInitials(given, others)) return BY_FORENAMES.initials;
  if (otherFormsOf(first).includes(otherFirst) && laterAgree) return BY_FORENAMES.otherForm;
  if (first === otherFirst ? laterSlips === 1 : laterAgree && isSlip(first, otherFirst))
    return BY_FORENAMES.slip;
  return given.some((word) => others.includes(word)) ? BY_FORENAMES.oneOf : BY_FORENAMES.others;
}

/** True for `JM`, the initials of JANE MARY. A word of more than four letters is a name. */
function isRunOfInitials([run = "", ...further]: string[], others: string[]): boolean {
  const isRun = further.length === 0 && run.length <= MOST_INITIALS;
  return (
    isRun &&
    others
      .map((word) => word.charAt(0))
      .join("")
      .startsWith(run)
  );
}

/**
 * How many later forenames are misspelt; they may also be omitted or shortened. Infinity if two are not alike, because
 * then the names belong to two people.
 */
function countLaterSlips(given: string[], others: string[]): number {
  const [fewer, more] = given.length <= others.length ? [given, others] : [others, given];
  const unlike = fewer.filter((word) => !more.some((other) => isShortened(word, other)));
  return unlike.every((word) => more.some((other) => isSlip(word, other))) ? unlike.length : Infinity;
}

function isShortened(word: string, other: string): boolean {
  return other.startsWith(word) || word.startsWith(other);
}

/** True for near words; the shorter one decides how many letters may differ: MARTIN is not MARIA. */
function isSlip(word: string, other: string): boolean {
  return isNear(word, other) && isNear(other, word);
}

/** True if the words are the same in any order. The index has a hyphenated forename both whole and in parts. */
function isSameSet(given: string[], others: string[]): boolean {
  const [one, two] = [new Set(given), new Set(others)];
  const isIn = (words: Set<string>, all: Set<string>) =>
    [...words].every((word) => all.has(word) || isJoined(word, all));
  return isIn(one, two) && isIn(two, one);
}

function isJoined(word: string, parts: Set<string>): boolean {
  const others = [...parts].filter((part) => part !== word);
  return others.some((part) => word.startsWith(part) && others.includes(word.slice(part.length)));
}
