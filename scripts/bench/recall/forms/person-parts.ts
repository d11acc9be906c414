/** Parts of queries for people: names of the target, surplus names, titles, honours. Pure. */
import type { Random } from "../../random.ts";
import type { PersonTarget } from "../person-target.ts";
import { withSlips } from "../wording.ts";

// Forenames that the generated register does not have, nor one within two edits (as Crispin is of Cristian). So nobody
// else has the name in the query, or a similar one.
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

/** All forenames of the target. */
export function given({ forename, others }: PersonTarget): string {
  return [forename, ...others].join(" ");
}

/** Forenames and surname. */
export function fullName(person: PersonTarget): string {
  return `${given(person)} ${person.surname}`;
}

/** A random forename that nobody on the register has. */
export function surplus(random: Random): string {
  return random.pick(SURPLUS);
}

/** The full name with one forename too many. */
export function surplusMiddle(person: PersonTarget, random: Random): string {
  return `${given(person)} ${surplus(random)} ${person.surname}`;
}

/** A random honour or degree, which is written after a name. */
export function honour(random: Random): string {
  return random.pick(HONOURS);
}

/** A random title, which is written before a name. */
export function title(random: Random): string {
  return random.pick(TITLES);
}

/** The surname with a typing error; undefined if it is short. */
export function slipped({ surname }: PersonTarget, random: Random): string | undefined {
  return withSlips(surname, random, 1, LONG_SURNAME);
}

/** Initials of all forenames. */
export function initialsOf({ forename, others }: PersonTarget): string[] {
  return [forename, ...others].map((name) => name.charAt(0).toUpperCase());
}
