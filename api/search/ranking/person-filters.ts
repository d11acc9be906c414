/** Filters over names of people, by the parts of a query: surname, forenames and initials. */
import { type PersonReading, repeatedLetters } from "../../../index-mappings/names/person-name.ts";
import { allBeginnings, allOf, allWords, anyOf, type Clause, prefix, QUERY_WORDS, term } from "../clauses.ts";
import { otherFormsOf } from "../reading/short-forms.ts";
import { isInitial } from "../../shared/values/nearness.ts";

const MOST_INITIALS = 4;

/** Surname, first forename, and further words among the forenames; without forenames the surname alone. */
export function surnameAndFirst({ surname, given }: PersonReading): Clause {
  const [first, ...further] = given.slice(0, QUERY_WORDS);
  return allOf([
    term("names.surname", surname),
    ...(first === undefined ? [] : [term("names.first", first)]),
    ...(further.length > 0 ? [allWords("names.given", further)] : []),
  ]);
}

/** The whole name in either order, unless a comma in the query marks the surname: then there is one reading. */
export function wholeName(whole: string, [reading, ...others]: PersonReading[]): Clause {
  const full = term("names.full", whole);
  return reading && others.length === 0 ? allOf([full, term("names.surname", reading.surname)]) : full;
}

/** Surname, and all given words anywhere among the forenames. */
export function anyForename({ surname, given }: PersonReading): Clause {
  return allOf([term("names.surname", surname), allWords("names.given", given.slice(0, QUERY_WORDS))]);
}

/** Surname, and forenames that begin with the given words. */
export function forenameBeginnings({ surname, given }: PersonReading): Clause {
  const forenames = given.slice(0, QUERY_WORDS);
  const beginnings = allBeginnings("names.given", forenames);
  return allOf([term("names.surname", surname), beginnings, ...enoughWords([surname, ...forenames])]);
}

/**
 * ANTHONY BLAIR for `Tony Blair`: the surname, another form of the first forename, and forenames that begin with the
 * further words. With the field `names.others`, half of a double surname or a later forename may stand in place of the
 * surname: PHILIPPA TARROW-VANE for `Pippa Vane`.
 */
export function otherForms(
  { surname, given: [first = "", ...further] }: PersonReading,
  field: "names.surname" | "names.others" = "names.surname",
): Clause[] {
  const forms = anyOf("names.first", [...otherFormsOf(first)]);
  const beginnings = further.slice(0, QUERY_WORDS).map((word) => prefix("names.given", word));
  return forms.length > 0 ? [allOf([term(field, surname), ...forms, ...beginnings])] : [];
}

/** Surname, and the initials of the first forenames in their order: `HJ Nomanby`, `H. J. Nomanby`, `H Nomanby`. */
export function initialsInOrder({ surname, given }: PersonReading): Clause[] {
  const run = given.join("");
  const isRun = given.length === 1 || given.every(isInitial);
  if (!isRun || run.length === 0 || run.length > MOST_INITIALS) return [];
  // A tenth of all names has a forename with J: the engine finds a single initial sooner after its surname.
  const begins = run.length === 1 ? prefix("names.full", surname + run) : prefix("names.run", run);
  return [allOf([term("names.surname", surname), begins])];
}

/**
 * Keeps one word of a name from matching two words of the query: MATTHEW alone must not match `Matthew M`. The name
 * must have as many words with a first letter as the query.
 */
export function enoughWords(words: string[]): Clause[] {
  return repeatedLetters(words).map(([letter, count]) => term("names.letters", `${letter}${count}`));
}
