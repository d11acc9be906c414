/** Forms of queries with a person's name, and their birth or place. */
import { formsOf, PERSON, SLIP, text, type Form } from "../define-form.ts";
import type { PersonTarget } from "../person-target.ts";
import { fullName, given, slipped, surplusMiddle, title } from "./person-parts.ts";

const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);

/** Queries with name and birth, or name and place. */
export const personFactForms: readonly Form<PersonTarget>[] = [
  ...formsOf<PersonTarget>(
    { least: PERSON, facts: ["birth-year"] },
    {
      "person, birth year": (person) => text`${fullName(person)} ${birthOf(person)?.year}`,
      "person, (birth year)": (person) => text`${fullName(person)} (${birthOf(person)?.year})`,
      "person, born in a year": (person) => text`${fullName(person)} born ${birthOf(person)?.year}`,
      "person, b. year": (person) => text`${fullName(person)}, b. ${birthOf(person)?.year}`,
      "person, surname, forename, birth year": (person) =>
        text`${person.surname}, ${given(person)}, ${birthOf(person)?.year}`,
      "person, surplus middle name, birth year": (person, random) =>
        text`${surplusMiddle(person, random)} ${birthOf(person)?.year}`,
    },
  ),
  ...formsOf<PersonTarget>(
    { least: PERSON, facts: ["birth-month"] },
    {
      "person, b. month year": (person) => text`${fullName(person)} b. ${birthOf(person)?.words}`,
      "person, born in a month": (person) => text`${fullName(person)}, born ${birthOf(person)?.words}`,
      "person, month year": (person) => text`${fullName(person)} ${birthOf(person)?.shortWords}`,
      "person, (MM/YYYY)": (person) =>
        text`${fullName(person)} (${birthOf(person)?.month}/${birthOf(person)?.year})`,
      "person, YYYY-MM": (person) =>
        text`${fullName(person)} ${birthOf(person)?.year}-${birthOf(person)?.month}`,
      "person, dob DD/MM/YYYY": (person) => text`${fullName(person)} dob ${birthOf(person)?.date}`,
      "person, DOB: YYYY-MM-DD": (person) => text`${fullName(person)} DOB: ${birthOf(person)?.isoDate}`,
      "person, date of birth": (person) => text`${fullName(person)}, date of birth ${birthOf(person)?.words}`,
      "person, title, month year, comma": (person, random) =>
        text`${title(random)} ${fullName(person)}, ${birthOf(person)?.words}`,
    },
  ),
  ...formsOf<PersonTarget>(
    { least: PERSON, facts: ["town"] },
    {
      "person, town": (person) => text`${fullName(person)} ${person.town}`,
      "person, comma, town": (person) => text`${fullName(person)}, ${person.town}`,
      "person, (town)": (person) => text`${fullName(person)} (${person.town})`,
      "person, of town": (person) => text`${fullName(person)} of ${person.town}`,
      "person, surplus middle name, town": (person, random) =>
        text`${surplusMiddle(person, random)}, ${person.town}`,
    },
  ),
  ...formsOf<PersonTarget>(
    { least: PERSON, facts: ["postcode"] },
    {
      "person, postcode": (person) => text`${fullName(person)} ${person.postcode}`,
      "person, town, postcode": (person) => text`${fullName(person)}, ${person.town}, ${person.postcode}`,
    },
  ),
  ...formsOf<PersonTarget>(
    { least: PERSON, facts: ["town", "birth-year"] },
    {
      "person, birth year, town": (person) =>
        text`${fullName(person)} ${birthOf(person)?.year} ${person.town}`,
    },
  ),
  ...formsOf<PersonTarget>(
    { least: SLIP, facts: ["town"] },
    {
      "person, slip, town": (person, random) =>
        text`${given(person)} ${slipped(person, random)} ${person.town}`,
    },
  ),
  ...formsOf<PersonTarget>(
    { least: SLIP, facts: ["birth-year"] },
    {
      "person, slip, birth year": (person, random) =>
        text`${given(person)} ${slipped(person, random)} ${birthOf(person)?.year}`,
    },
  ),
];

function birthOf({ birth }: PersonTarget) {
  if (!birth) return undefined;
  // If the register does not show the day, any day will do.
  const [year = "", month = "", day = "12"] = birth.split("-");
  const name = MONTHS[Number(month) - 1] ?? "";
  return {
    year,
    month,
    date: `${day}/${month}/${year}`,
    isoDate: `${year}-${month}-${day}`,
    words: `${name} ${year}`,
    shortWords: `${name.slice(0, 3)} ${year}`,
  };
}
