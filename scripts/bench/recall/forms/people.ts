/** Owns the forms in which people are asked for. */
import { wordsOf } from "../../../../index-mappings/names/person-name.ts";
import type { Random } from "../../random.ts";
import { PERSON, SLIP, type Fact, type Form } from "../define-form.ts";
import type { FoundItem } from "../found-item.ts";
import { forenamesOf, type PersonTarget } from "../person-target.ts";
import { withSlips } from "../wording.ts";
import { text } from "./text.ts";

type PersonForm = Form<PersonTarget>;

// None of them is among the forenames of the generated register: nobody else has the name that is asked for.
const SURPLUS = [
  "Peregrine",
  "Ignatius",
  "Leopold",
  "Octavia",
  "Barnaby",
  "Crispin",
  "Rosalind",
  "Thaddeus",
  "Winifred",
];
const HONOURS = ["OBE", "MBE", "CBE", "PhD", "BSc", "FCA", "KC", "O.B.E.", "JP", "BA (Hons)"];
const TITLES = ["Dr", "Dr.", "Sir", "Mrs", "Mr", "Prof", "Rev.", "Dame", "Lady", "Ms"];
const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);
const LONG_SURNAME = 5;

const nameForms: readonly PersonForm[] = [
  { name: "person, full name", write: fullName },
  { name: "person, surname first", write: (person) => `${person.surname} ${given(person)}` },
  { name: "person, surname, forename", write: (person) => `${person.surname}, ${given(person)}` },
  { name: "person, surplus middle name", write: surplusMiddle },
  {
    name: "person, surplus middle name, comma",
    write: (person, random) => `${person.surname}, ${given(person)} ${random.pick(SURPLUS)}`,
  },
  {
    name: "person, two surplus middle names",
    write: (person, random) => `${given(person)} ${twoOf(SURPLUS, random)} ${person.surname}`,
  },
  {
    name: "person, surplus middle initial",
    write: (person, random) => `${given(person)} ${random.pick(["Q", "X", "Z.", "Y"])} ${person.surname}`,
  },
  { name: "person, missing middle names", write: withoutMiddle, fits: hasFirstForename },
  { name: "person, initials run together", write: (person) => joined(person, ""), fits: hasInitials },
  { name: "person, initials with dots", write: (person) => joined(person, ".", "."), fits: hasInitials },
  { name: "person, initials apart", write: (person) => joined(person, " "), fits: hasInitials },
  { name: "person, surname, initials", write: surnameInitials, fits: hasInitials },
  {
    name: "person, initial and surplus middle name",
    write: ({ forename, surname }, random) => `${forename.charAt(0)} ${random.pick(SURPLUS)} ${surname}`,
    fits: hasFirstInitial,
  },
  {
    name: "person, honours behind",
    write: (person, random) => `${fullName(person)} ${random.pick(HONOURS)}`,
  },
  {
    name: "person, honours behind, comma",
    write: (person, random) => `${fullName(person)}, ${random.pick(HONOURS)}`,
  },
  { name: "person, title before", write: (person, random) => `${random.pick(TITLES)} ${fullName(person)}` },
  {
    name: "person, title and honours",
    write: (person, random) => `${random.pick(TITLES)} ${fullName(person)} ${twoOf(HONOURS, random)}`,
  },
  {
    name: "person, role behind",
    write: (person, random) =>
      `${fullName(person)} ${random.pick(["director", "(director)", "company secretary"])}`,
  },
  { name: "person, hyphen and space swapped", write: swapHyphen },
];

const birthForms: readonly PersonForm[] = [
  ...telling("birth-year", [
    { name: "person, birth year", write: (person) => text`${fullName(person)} ${birthOf(person)?.year}` },
    { name: "person, (birth year)", write: (person) => text`${fullName(person)} (${birthOf(person)?.year})` },
    {
      name: "person, born in a year",
      write: (person) => text`${fullName(person)} born ${birthOf(person)?.year}`,
    },
    {
      name: "person, surplus middle name, birth year",
      write: (person, random) => text`${surplusMiddle(person, random)} ${birthOf(person)?.year}`,
    },
  ]),
  ...telling("birth-month", [
    {
      name: "person, b. month year",
      write: (person) => text`${fullName(person)} b. ${birthOf(person)?.words}`,
    },
    {
      name: "person, born in a month",
      write: (person) => text`${fullName(person)}, born ${birthOf(person)?.words}`,
    },
    {
      name: "person, (MM/YYYY)",
      write: (person) => text`${fullName(person)} (${birthOf(person)?.month}/${birthOf(person)?.year})`,
    },
    {
      name: "person, dob DD/MM/YYYY",
      write: (person) => text`${fullName(person)} dob ${birthOf(person)?.date}`,
    },
    {
      name: "person, DOB: YYYY-MM-DD",
      write: (person) =>
        text`${fullName(person)} DOB: ${birthOf(person)?.date.split("/").reverse().join("-")}`,
    },
  ]),
];

const placeForms: readonly PersonForm[] = [
  ...telling("town", [
    { name: "person, town", write: (person) => text`${fullName(person)} ${person.town}` },
    { name: "person, comma, town", write: (person) => text`${fullName(person)}, ${person.town}` },
    { name: "person, of town", write: (person) => text`${fullName(person)} of ${person.town}` },
    {
      name: "person, surplus middle name, town",
      write: (person, random) => text`${surplusMiddle(person, random)}, ${person.town}`,
    },
  ]),
  ...telling("postcode", [
    { name: "person, postcode", write: (person) => text`${fullName(person)} ${person.postcode}` },
    {
      name: "person, town, postcode",
      write: (person) => text`${fullName(person)}, ${person.town}, ${person.postcode}`,
    },
  ]),
];

const slipForms: readonly PersonForm[] = [
  {
    name: "person, slip in the surname",
    least: PERSON,
    write: (person, random) => text`${given(person)} ${slipped(person, random)}`,
  },
  {
    name: "person, slip, surplus middle name",
    write: (person, random) => text`${given(person)} ${random.pick(SURPLUS)} ${slipped(person, random)}`,
  },
  {
    name: "person, slip, town",
    tells: ["town"],
    write: (person, random) => text`${given(person)} ${slipped(person, random)} ${person.town}`,
  },
  {
    name: "person, slip, birth year",
    tells: ["birth-year"],
    write: (person, random) => text`${given(person)} ${slipped(person, random)} ${birthOf(person)?.year}`,
  },
  {
    name: "person, slip, title, honours",
    write: (person, random) =>
      text`${random.pick(TITLES)} ${given(person)} ${slipped(person, random)} ${random.pick(HONOURS)}`,
  },
];

/** Forms of every search for people. */
export const personForms: readonly PersonForm[] = [
  ...[...nameForms, ...birthForms, ...placeForms].map((form) => ({ ...form, least: PERSON })),
  ...slipForms.map((form) => ({ least: SLIP, ...form })),
];

function telling(fact: Fact, forms: readonly PersonForm[]): PersonForm[] {
  return forms.map((form) => ({ ...form, tells: [fact] }));
}

function given({ forename, others }: PersonTarget): string {
  return [forename, ...others].join(" ");
}

function fullName(person: PersonTarget): string {
  return `${given(person)} ${person.surname}`;
}

function surplusMiddle(person: PersonTarget, random: Random): string {
  return `${given(person)} ${random.pick(SURPLUS)} ${person.surname}`;
}

function twoOf(values: readonly string[], random: Random): string {
  const first = random.pick(values);
  return `${first} ${random.pick(values.filter((value) => value !== first))}`;
}

function withoutMiddle({ forename, others, surname }: PersonTarget): string | undefined {
  return others.length > 0 ? `${forename} ${surname}` : undefined;
}

function initialsOf({ forename, others }: PersonTarget): string[] {
  return [forename, ...others].map((name) => name.charAt(0).toUpperCase());
}

/** Initials of a person who has several forenames. */
function joined(person: PersonTarget, separator: string, end = ""): string | undefined {
  const initials = initialsOf(person);
  return initials.length > 1 ? `${initials.join(separator)}${end} ${person.surname}` : undefined;
}

function surnameInitials(person: PersonTarget): string | undefined {
  const initials = initialsOf(person);
  return initials.length > 1 ? `${person.surname}, ${initials.join("")}` : undefined;
}

function swapHyphen(person: PersonTarget): string | undefined {
  const { surname } = person;
  const swapped = surname.includes("-") ? surname.replaceAll("-", " ") : surname.replaceAll(" ", "-");
  return swapped === surname ? undefined : `${given(person)} ${swapped}`;
}

function slipped({ surname }: PersonTarget, random: Random): string | undefined {
  return withSlips(surname, random, 1, LONG_SURNAME);
}

function birthOf({ birth }: PersonTarget) {
  if (!birth) return undefined;
  // Where the register shows no day any will do.
  const [year = "", month = "", day = "12"] = birth.split("-");
  return { year, month, date: `${day}/${month}/${year}`, words: `${MONTHS[Number(month) - 1]} ${year}` };
}

/** Whether somebody of the surname has the target's first forename for theirs. */
function hasFirstForename(item: FoundItem, target: PersonTarget): boolean {
  const first = wordsOf(target.forename);
  return forenamesOf(item, target).some((names) => first.every((word, at) => names[at] === word));
}

/** Whether somebody of the surname has forenames that begin with the target's initials, in their order. */
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
