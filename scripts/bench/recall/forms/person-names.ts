/** Forms of queries with a person's name alone. */
import { wordsOf } from "../../../../index-mappings/names/text.ts";
import { formsOf, PERSON, SLIP, text, type Form } from "../define-form.ts";
import type { FoundItem } from "../found-item.ts";
import { forenamesOf, type PersonTarget } from "../person-target.ts";
import {
  fullName,
  given,
  honour,
  initialsOf,
  slipped,
  surplus,
  surplusMiddle,
  title,
} from "./person-parts.ts";

const ROLES = ["director", "(director)", "company secretary"];
const GENERATIONS = ["Jnr", "Junior", "Snr", "III"];

/** Queries with names, and with the titles, honours and other words that people add. */
export const personNameForms: readonly Form<PersonTarget>[] = [
  ...formsOf<PersonTarget>(
    { least: PERSON },
    {
      "person, full name": fullName,
      "person, surname first": (person) => `${person.surname} ${given(person)}`,
      "person, surname, forename": (person) => `${person.surname}, ${given(person)}`,
      "person, hyphen and space swapped": swapHyphen,
      "person, surplus middle name": surplusMiddle,
      "person, surplus middle name, comma": (person, random) =>
        `${person.surname}, ${given(person)} ${surplus(random)}`,
      "person, surplus middle name, surname first": (person, random) =>
        `${person.surname} ${given(person)} ${surplus(random)}`,
      "person, surplus first name": (person, random) => `${surplus(random)} ${fullName(person)}`,
      "person, two surplus middle names": (person, random) =>
        `${given(person)} ${surplus(random)} ${surplus(random)} ${person.surname}`,
      "person, surplus middle initial": (person, random) =>
        `${given(person)} ${random.pick(["Q", "X", "Z.", "Y"])} ${person.surname}`,
      "person, familiar name in quotes": (person, random) =>
        `${given(person)} "${surplus(random)}" ${person.surname}`,
      "person, honours behind": (person, random) => `${fullName(person)} ${honour(random)}`,
      "person, honours behind, comma": (person, random) => `${fullName(person)}, ${honour(random)}`,
      "person, title before": (person, random) => `${title(random)} ${fullName(person)}`,
      "person, surname, title and forename": (person, random) =>
        `${person.surname}, ${title(random)} ${given(person)}`,
      "person, title and honours": (person, random) =>
        `${title(random)} ${fullName(person)} ${honour(random)}`,
      "person, title, surplus middle name, honours": (person, random) =>
        `${title(random)} ${surplusMiddle(person, random)} ${honour(random)}`,
      "person, role behind": (person, random) => `${fullName(person)} ${random.pick(ROLES)}`,
      "person, generation behind": (person, random) => `${fullName(person)} ${random.pick(GENERATIONS)}`,
    },
  ),
  ...formsOf<PersonTarget>(
    { least: PERSON, fits: hasFirstForename },
    {
      "person, missing middle names": withoutMiddle,
      "person, missing middle names, surname first": ({ forename, others, surname }) =>
        others.length > 0 ? `${surname}, ${forename}` : undefined,
    },
  ),
  ...formsOf<PersonTarget>(
    { least: PERSON, fits: hasInitials },
    {
      "person, initials run together": (person) => withInitials(person, ""),
      "person, initials with dots": (person) => withInitials(person, ".", "."),
      "person, initials apart": (person) => withInitials(person, " "),
      "person, surname, initials": surnameInitials,
      "person, title, initials": (person, random) => text`${title(random)} ${withInitials(person, "")}`,
      "person, forename, middle initials": ({ forename, others, surname }) =>
        others.length > 0
          ? `${forename} ${others.map((name) => name.charAt(0)).join(" ")} ${surname}`
          : undefined,
    },
  ),
  ...formsOf<PersonTarget>(
    { least: PERSON, fits: hasFirstInitial },
    {
      "person, initial and surplus middle name": ({ forename, surname }, random) =>
        `${forename.charAt(0)} ${surplus(random)} ${surname}`,
    },
  ),
  ...formsOf<PersonTarget>(
    { least: PERSON },
    { "person, slip in the surname": (person, random) => text`${given(person)} ${slipped(person, random)}` },
  ),
  ...formsOf<PersonTarget>(
    { least: SLIP },
    {
      "person, slip, surplus middle name": (person, random) =>
        text`${given(person)} ${surplus(random)} ${slipped(person, random)}`,
      "person, slip, title, honours": (person, random) =>
        text`${title(random)} ${given(person)} ${slipped(person, random)} ${honour(random)}`,
    },
  ),
];

function swapHyphen(person: PersonTarget): string | undefined {
  const { surname } = person;
  const swapped = surname.includes("-") ? surname.replaceAll("-", " ") : surname.replaceAll(" ", "-");
  return swapped === surname ? undefined : `${given(person)} ${swapped}`;
}

function withoutMiddle({ forename, others, surname }: PersonTarget): string | undefined {
  return others.length > 0 ? `${forename} ${surname}` : undefined;
}

/** Initials and surname; undefined if the person has only one forename. */
function withInitials(person: PersonTarget, separator: string, end = ""): string | undefined {
  const initials = initialsOf(person);
  return initials.length > 1 ? `${initials.join(separator)}${end} ${person.surname}` : undefined;
}

function surnameInitials(person: PersonTarget): string | undefined {
  const initials = initialsOf(person);
  return initials.length > 1 ? `${person.surname}, ${initials.join("")}` : undefined;
}

/** Whether an item has the target's surname and first forename. */
function hasFirstForename(item: FoundItem, target: PersonTarget): boolean {
  const first = wordsOf(target.forename);
  return forenamesOf(item, target).some((names) => first.every((word, at) => names[at] === word));
}

/** Whether an item has the target's surname, and forenames that begin with the target's initials in order. */
function hasInitials(item: FoundItem, target: PersonTarget): boolean {
  const initials = initialsOf(target);
  return forenamesOf(item, target).some((names) =>
    initials.every((letter, at) => names[at]?.startsWith(letter)),
  );
}

function hasFirstInitial(item: FoundItem, target: PersonTarget): boolean {
  const [initial = ""] = initialsOf(target);
  return forenamesOf(item, target).some(([first]) => first?.startsWith(initial));
}
