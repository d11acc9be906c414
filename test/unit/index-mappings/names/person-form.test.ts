/** A person's name in a text with the labels of a form. */
import { describe, expect, test } from "@jest/globals";
import { readForm } from "../../../../index-mappings/names/person-form.ts";

describe("a form", () => {
  test.each([
    ["Surname: Nomanby Forename: Harold", "NOMANBY, HAROLD"],
    ["Forename: Harold Surname: Nomanby", "NOMANBY, HAROLD"],
    ["First name: Harold\nLast name: Nomanby", "NOMANBY, HAROLD"],
    ["Given name(s): Harold John, Family name: van der Berg", "VAN DER BERG, HAROLD JOHN"],
    ["Director's first name: Harold Director's surname: Nomanby", "NOMANBY, HAROLD"],
    ["Last name - Nomanby, First name - Harold", "NOMANBY, HAROLD"],
    ['{"firstName":"Harold","lastName":"O\'Manby"}', "O'MANBY, HAROLD"],
    ["first_name=Harold&last_name=Nomanby", "NOMANBY, HAROLD"],
    ["First and middle names: Harold John Surname: Nomanby", "NOMANBY, HAROLD JOHN"],
    ["Surname: Nomanby Initials: H J", "NOMANBY, H J"],
    ["Name: Harold, Surname: Nomanby", "NOMANBY, HAROLD"],
    ["Name: Harold Nomanby, Surname: Nomanby", "NOMANBY, HAROLD"],
    ["Name: Nomanby\nFirst name: Harold", "NOMANBY, HAROLD"],
    // One label is enough if it has a sign, or if its word cannot be a name.
    ["Surname: Nomanby", "NOMANBY"],
    ["surname nomanby", "NOMANBY"],
    ["Last name: Nomanby", "NOMANBY"],
    ["Forename: Harold", "HAROLD"],
    // Two labels are enough, also with the values below them.
    ["First name Harold Last name Nomanby", "NOMANBY, HAROLD"],
    ["Surname\tForename\nNomanby\tHarold", "NOMANBY, HAROLD"],
    ["Surname, Forename: Nomanby, Harold", "NOMANBY, HAROLD"],
    ["Surname Forename Nomanby Harold", "NOMANBY, HAROLD"],
  ])("%j is read as %j", (text, name) => {
    expect(readForm(text)).toBe(name);
  });

  test.each([
    ["Title: Mr Surname: Nomanby Nationality: British", "NOMANBY"],
    ["Surname: Nomanby Middle name: N/A Forename:", "NOMANBY"],
    ["Surname: Nomanby Forename: Harold DOB: 12/03/1970", "NOMANBY, HAROLD, DOB:  12/03/1970"],
    ["Surname\tForename\tDOB\nNomanby\tHarold\t12/03/1970", "NOMANBY, HAROLD, DOB\n 12/03/1970"],
    ["Surname: Nomanby\nAddress: 12 High Street, Leeds", "NOMANBY, 12 HIGH STREET, LEEDS"],
    ["Surname: Nomanby, 12 High Street", "NOMANBY, 12 HIGH STREET"],
    ["Director: Surname: Nomanby", "NOMANBY, DIRECTOR:"],
    ["First name: Jane Surname: Nomanby Maiden name: Smithers", "NOMANBY, JANE NEE SMITHERS"],
  ])("with more than the name, %j is read as %j", (text, name) => {
    expect(readForm(text)).toBe(name);
  });

  test.each([
    "Harold Nomanby",
    "Name: Harold Nomanby",
    "Name: Harold Nomanby, Middle name: John",
    "Family Name Ltd",
    "Company: Family Name Ltd",
    "The Surname Society",
    "Last Name, First Name",
    "Surname:",
    "Harold Surnameby",
  ])("is not seen in %j, which stays unchanged", (text) => {
    expect(readForm(text)).toBe(text);
  });
});
