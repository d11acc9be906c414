import { describe, expect, test } from "@jest/globals";
import { toNameCase, toTitleCase } from "../../../api/shared/values/letter-case.ts";

describe("title case of addresses, occupations and countries", () => {
  test.each([
    ["165 IMAGINARY LANE", "165 Imaginary Lane"],
    ["KING'S LYNN", "King's Lynn"],
    ["STOKE-ON-TRENT", "Stoke-on-Trent"],
    ["NEWCASTLE UPON TYNE", "Newcastle upon Tyne"],
    ["ST. ALBANS", "St. Albans"],
    ["O'BRIEN HOUSE", "O'Brien House"],
    ["VAL D’ISÈRE", "Val D’Isère"],
    ["ÉLODIE", "Élodie"],
    ["MÜHLSTRAßE 12", "Mühlstraße 12"],
    ["İZMİR", "İzmir"],
    ["DİYARBAKIR", "Diyarbakir"],
    ["UNITED KINGDOM", "United Kingdom"],
    ["ISLE OF MAN", "Isle of Man"],
    ["'ROSEDALE', 3 HIGH STREET", "'Rosedale', 3 High Street"],
    ["THE ‘O'BRIEN’ ARMS", "The ‘O'Brien’ Arms"],
  ])("%s is %s", (text, expected) => {
    expect(toTitleCase(text)).toBe(expected);
  });

  test("abbreviations stay in upper case", () => {
    expect(toTitleCase("PO BOX 12, IT CONSULTANT, UK")).toBe("PO Box 12, IT Consultant, UK");
  });

  test.each([
    ["VP OF SALES", "VP of Sales"],
    ["BBC PRODUCER", "BBC Producer"],
    ["PA AND DJ", "PA and DJ"],
    ["BARRISTER QC", "Barrister QC"],
    ["KC", "KC"],
    ["PHD STUDENT", "PhD Student"],
  ])("abbreviations in occupations have their usual spelling: %s is %s", (text, expected) => {
    expect(toTitleCase(text)).toBe(expected);
  });

  test("house numbers stay as they are, ordinals become lower case", () => {
    expect(toTitleCase("FLAT 12B, 1ST FLOOR, 22ND STREET")).toBe("Flat 12B, 1st Floor, 22nd Street");
  });

  test("a small word is capitalised at the start, after a number and after a comma", () => {
    expect(toTitleCase("17 THE STREET")).toBe("17 The Street");
    expect(toTitleCase("UNIT 4, THE OLD BAKERY")).toBe("Unit 4, The Old Bakery");
    expect(toTitleCase("THE GREEN")).toBe("The Green");
  });

  test.each([
    ["19A THE CRESCENT", "19A The Crescent"],
    ["FLAT A THE AVENUE", "Flat A The Avenue"],
    ["SUITE 2B THE GRANGE", "Suite 2B The Grange"],
    ["C/O THE OLD BANK", "C/O The Old Bank"],
    ["KING'S ON THE HILL", "King's on the Hill"],
    ["'THE LODGE'", "'The Lodge'"],
    ["HOUSE-ON-THE-HILL", "House-on-the-Hill"],
    ["12 LE MOULIN", "12 Le Moulin"],
  ])("an article is capitalised after the number or letter of a unit: %s is %s", (text, expected) => {
    expect(toTitleCase(text)).toBe(expected);
  });

  test.each([
    ["FLOOR 2 OF THE SHARD", "Floor 2 of the Shard"],
    ["UNITS 1 AND 2", "Units 1 and 2"],
    ["PLOT 3 IN THE WOODS", "Plot 3 in the Woods"],
    ["UNIT 3, IN THE WOODS", "Unit 3, In the Woods"],
  ])("of, and, in stay in lower case after a number: %s is %s", (text, expected) => {
    expect(toTitleCase(text)).toBe(expected);
  });

  test("text in mixed case is kept", () => {
    expect(toTitleCase("165 iMAGINARY LANE")).toBe("165 iMAGINARY LANE");
  });

  test("an empty text stays empty", () => {
    expect(toTitleCase("")).toBe("");
  });
});

describe("name case of forenames and titles", () => {
  test.each([
    ["HORATIO JAMES", "Horatio James"],
    ["JEAN-PAUL", "Jean-Paul"],
    ["THI LE", "Thi Le"],
    ["MR", "Mr"],
    ["D'ARCY", "D'Arcy"],
  ])("%s is %s", (text, expected) => {
    expect(toNameCase(text)).toBe(expected);
  });
});

test("title case stays right after more texts than the cache holds", () => {
  for (let number = 0; number < 50_001; number += 1) toTitleCase(`${number} LANE`);
  expect(toTitleCase("7 LANE")).toBe("7 Lane");
});
