/** Owns the parts of a person's name from which queries are put together. Pure. */
import type { Random } from "../../random.ts";
import type { PersonTarget } from "../person-target.ts";
import { withSlips } from "../wording.ts";

// None of them is among the names of the generated register, or within two edits of one, as Crispin is of Cristian: nobody else
// has the name that is asked for, or nearly.
const SURPLUS = [
  "Peregrine",
  "Ignatius",
  "Leopold",
  "Octavia",
  "Barnaby",
  "Cornelius",
  "Rosalind",
  "Thaddeus",
  "Winifred",
];
const HONOURS = ["OBE", "MBE", "CBE", "PhD", "BSc", "FCA", "KC", "O.B.E.", "JP", "BA (Hons)"];
const TITLES = ["Dr", "Dr.", "Sir", "Mrs", "Mr", "Prof", "Rev.", "Dame", "Lady", "Ms"];
const LONG_SURNAME = 5;

/** All forenames. */
export function given({ forename, others }: PersonTarget): string {
  return [forename, ...others].join(" ");
}

/** Forenames, surname. */
export function fullName(person: PersonTarget): string {
  return `${given(person)} ${person.surname}`;
}

/** A forename that nobody has. */
export function surplus(random: Random): string {
  return random.pick(SURPLUS);
}

/** The full name with a forename too many. */
export function surplusMiddle(person: PersonTarget, random: Random): string {
  return `${given(person)} ${surplus(random)} ${person.surname}`;
}

/** What is written behind a name. */
export function honour(random: Random): string {
  return random.pick(HONOURS);
}

/** What is written before a name. */
export function title(random: Random): string {
  return random.pick(TITLES);
}

/** The surname with a slip; undefined of a short one. */
export function slipped({ surname }: PersonTarget, random: Random): string | undefined {
  return withSlips(surname, random, 1, LONG_SURNAME);
}

/** Initials of all forenames. */
export function initialsOf({ forename, others }: PersonTarget): string[] {
  return [forename, ...others].map((name) => name.charAt(0).toUpperCase());
}
