import { expect, it } from "@jest/globals";
import { personFactForms } from "../../../../../scripts/bench/recall/forms/person-facts.ts";
import { personNameForms } from "../../../../../scripts/bench/recall/forms/person-names.ts";
import { toPersonTarget } from "../../../../../scripts/bench/recall/person-target.ts";
import { alwaysFirst } from "../../../../support/always-first.ts";

const person = {
  id: "quillfeather",
  forename: "HAROLD",
  otherForenames: "JAMES",
  surname: "NOMANBY",
  birth: "1970-03",
  address: { locality: "NORWICH", postal_code: "NR1 4AB" },
};
const target = toPersonTarget(person, "title");

it.each([
  [
    "names",
    personNameForms,
    {
      "person, full name": "Harold James Nomanby",
      "person, surname first": "Nomanby Harold James",
      "person, surname, forename": "Nomanby, Harold James",
      "person, hyphen and space swapped": undefined,
      "person, surplus middle name": "Harold James Peregrine Nomanby",
      "person, surplus middle name, comma": "Nomanby, Harold James Peregrine",
      "person, surplus middle name, surname first": "Nomanby Harold James Peregrine",
      "person, surplus first name": "Peregrine Harold James Nomanby",
      "person, two surplus middle names": "Harold James Peregrine Peregrine Nomanby",
      "person, surplus middle initial": "Harold James Q Nomanby",
      "person, familiar name in quotes": 'Harold James "Peregrine" Nomanby',
      "person, honours behind": "Harold James Nomanby OBE",
      "person, honours behind, comma": "Harold James Nomanby, OBE",
      "person, title before": "Dr Harold James Nomanby",
      "person, surname, title and forename": "Nomanby, Dr Harold James",
      "person, title and honours": "Dr Harold James Nomanby OBE",
      "person, title, surplus middle name, honours": "Dr Harold James Peregrine Nomanby OBE",
      "person, role behind": "Harold James Nomanby director",
      "person, generation behind": "Harold James Nomanby Jnr",
      "person, missing middle names": "Harold Nomanby",
      "person, missing middle names, surname first": "Nomanby, Harold",
      "person, initials run together": "HJ Nomanby",
      "person, initials with dots": "H.J. Nomanby",
      "person, initials apart": "H J Nomanby",
      "person, surname, initials": "Nomanby, HJ",
      "person, title, initials": "Dr HJ Nomanby",
      "person, forename, middle initials": "Harold J Nomanby",
      "person, initial and surplus middle name": "H Peregrine Nomanby",
      "person, slip in the surname": "Harold James Nmanby",
      "person, slip, surplus middle name": "Harold James Peregrine Nmanby",
      "person, slip, title, honours": "Dr Harold James Nmanby OBE",
    },
  ],
  [
    "births and places",
    personFactForms,
    {
      "person, birth year": "Harold James Nomanby 1970",
      "person, (birth year)": "Harold James Nomanby (1970)",
      "person, born in a year": "Harold James Nomanby born 1970",
      "person, b. year": "Harold James Nomanby, b. 1970",
      "person, surname, forename, birth year": "Nomanby, Harold James, 1970",
      "person, surplus middle name, birth year": "Harold James Peregrine Nomanby 1970",
      "person, b. month year": "Harold James Nomanby b. March 1970",
      "person, born in a month": "Harold James Nomanby, born March 1970",
      "person, month year": "Harold James Nomanby Mar 1970",
      "person, (MM/YYYY)": "Harold James Nomanby (03/1970)",
      "person, YYYY-MM": "Harold James Nomanby 1970-03",
      "person, dob DD/MM/YYYY": "Harold James Nomanby dob 12/03/1970",
      "person, DOB: YYYY-MM-DD": "Harold James Nomanby DOB: 1970-03-12",
      "person, date of birth": "Harold James Nomanby, date of birth March 1970",
      "person, title, month year, comma": "Dr Harold James Nomanby, March 1970",
      "person, town": "Harold James Nomanby Norwich",
      "person, comma, town": "Harold James Nomanby, Norwich",
      "person, (town)": "Harold James Nomanby (Norwich)",
      "person, of town": "Harold James Nomanby of Norwich",
      "person, surplus middle name, town": "Harold James Peregrine Nomanby, Norwich",
      "person, postcode": "Harold James Nomanby NR1 4AB",
      "person, town, postcode": "Harold James Nomanby, Norwich, NR1 4AB",
      "person, birth year, town": "Harold James Nomanby 1970 Norwich",
      "person, slip, town": "Harold James Nmanby Norwich",
      "person, slip, birth year": "Harold James Nmanby 1970",
    },
  ],
] as const)("writes the forms of %s", (_title, forms, queries) => {
  expect(Object.fromEntries(forms.map(({ name, write }) => [name, write(target, alwaysFirst)]))).toEqual(
    queries,
  );
});

it("writes a space for the hyphen of a surname, and a hyphen for its space", () => {
  const swap = personNameForms.find(({ name }) => name === "person, hyphen and space swapped");
  const written = ["SMITH-JONES", "VAN DER BERG"].map((surname) =>
    swap?.write(toPersonTarget({ ...person, surname }, "upper"), alwaysFirst),
  );
  expect(written).toEqual(["HAROLD JAMES SMITH JONES", "HAROLD JAMES VAN-DER-BERG"]);
});

it("writes the day of birth if the register has it", () => {
  const withDay = toPersonTarget({ ...person, birth: "1970-03-09" }, "title");
  const form = personFactForms.find(({ name }) => name === "person, dob DD/MM/YYYY");
  expect(form?.write(withDay, alwaysFirst)).toBe("Harold James Nomanby dob 09/03/1970");
});

it("has no form for facts that a person lacks", () => {
  const bare = toPersonTarget({ id: "x", forename: "ADA", surname: "QUIL" }, "lower");
  expect(personFactForms.flatMap(({ write }) => write(bare, alwaysFirst) ?? [])).toEqual([]);
  const queries = personNameForms.flatMap(({ write }) => write(bare, alwaysFirst) ?? []);
  expect(queries).toEqual([
    ...["ada quil", "quil ada", "quil, ada", "ada Peregrine quil", "quil, ada Peregrine"],
    ...["quil ada Peregrine", "Peregrine ada quil", "ada Peregrine Peregrine quil", "ada Q quil"],
    ...['ada "Peregrine" quil', "ada quil OBE", "ada quil, OBE", "Dr ada quil", "quil, Dr ada"],
    ...["Dr ada quil OBE", "Dr ada Peregrine quil OBE", "ada quil director", "ada quil Jnr"],
    "a Peregrine quil",
  ]);
});
