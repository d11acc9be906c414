/** What a query says about a person: the name among titles, honours, a date of birth, a place. */
import { describe, expect, test } from "@jest/globals";
import type { PersonReading } from "../../../../index-mappings/names/person-name.ts";
import { readPersonText } from "../../../../api/search/reading/person.ts";

/** Names beside other facts: forenames and surname if a comma separates them, and the place in brackets. */
function namesOf(q: string): string[] {
  const names = readPersonText(q).names.map(({ query: { words, readings }, place }) => {
    const name = nameOf(words, readings);
    return place.length > 0 ? `${name} (${place.join(" ")})` : name;
  });
  return [...new Set(names)];
}

function nameOf(words: string[], [only, ...others]: PersonReading[]): string {
  return others.length === 0 && only ? `${only.given.join(" ")}/${only.surname}` : words.join(" ");
}

describe("the name", () => {
  test.each<[q: string, name: string]>([
    ["Harold Nomanby", "HAROLD NOMANBY"],
    ["Harold Nomanby OBE", "HAROLD NOMANBY"],
    ["Harold Nomanby, O.B.E.", "HAROLD NOMANBY"],
    ["Harold Nomanby O.B.E. M.P.", "HAROLD NOMANBY"],
    ["Dr Harold Nomanby PhD", "HAROLD NOMANBY"],
    ["Harold Nomanby Ph.D", "HAROLD NOMANBY"],
    ["Harold Nomanby Ph. D.", "HAROLD NOMANBY"],
    ["Harold Nomanby BSc (Hons)", "HAROLD NOMANBY"],
    ["Sir Harold Nomanby KCB", "HAROLD NOMANBY"],
    ["The Rt Hon Harold Nomanby MP", "HAROLD NOMANBY"],
    ["Harold Nomanby Jr.", "HAROLD NOMANBY"],
    ["Harold Nomanby, Director", "HAROLD NOMANBY"],
    ["H.J. Nomanby", "H J NOMANBY"],
    ["Harold J. Nomanby", "HAROLD J NOMANBY"],
    // Names that are also titles or honours stay if the name would otherwise have fewer than two words.
    ["Dean Nomanby", "DEAN NOMANBY"],
    ["Harold Ma", "HAROLD MA"],
    ["Nomanby OBE", "NOMANBY"],
    ["Major Nomanby", "MAJOR NOMANBY"],
    ["Dean Nomanby MBE", "DEAN NOMANBY"],
    ["Mr Dean Nomanby FCA", "DEAN NOMANBY"],
    ["Rev Harold Nomanby BA", "HAROLD NOMANBY"],
    ["OBE", ""],
    ["Dr", ""],
    // One word before a comma is the surname, and so is the last word of a name, even if also a title or an honour.
    ["Bishop, Annabel", "ANNABEL BISHOP"],
    ["MA, Wei", "WEI MA"],
    ["Dean, James Andrew, OBE", "JAMES ANDREW DEAN"],
    ["James Andrew Dean", "JAMES ANDREW DEAN"],
    ["Ruth Ann Justice", "RUTH ANN JUSTICE"],
    ["Nomanby Harold Mrs", "NOMANBY HAROLD"],
    ["Harold John Nomanby Esq MBE", "HAROLD JOHN NOMANBY"],
    ["Rt Hon Harold John Nomanby MP Cllr", "HAROLD JOHN NOMANBY"],
    ["Dr, Harold Nomanby", "HAROLD NOMANBY"],
    // Dotted letters after a surname alone are initials; after a whole name they are honours.
    ["Smith, J.P.", "J P SMITH"],
    ["Smith, M. P.", "M P SMITH"],
    ["Smith, O.B.E.", "SMITH"],
    ["Smith, JP", "SMITH"],
    ["Harold Smith, J.P.", "HAROLD SMITH"],
    // A company, an addressee and a name of birth are not part of the name.
    ["Jane Nomanby, Quillory Press Ltd", "JANE NOMANBY"],
    ["Jane Nomanby | CEO | Quillory Press Ltd", "JANE NOMANBY"],
    ["Jane Nomanby (Quillory Press LLP)", "JANE NOMANBY"],
    ["Jane Nomanby - Director - Quillory Press Ltd", "JANE NOMANBY"],
    ["Jane Nomanby / Quillory Press Ltd", "JANE NOMANBY"],
    ["Quillory Press Ltd: Jane Nomanby", "JANE NOMANBY"],
    ["Quillory Press Limited (Jane Nomanby)", "JANE NOMANBY"],
    ["Quillory Press Ltd: Nomanby", "QUILLORY PRESS LTD NOMANBY"],
    ["Quillory Press Ltd, Milton Keynes", "QUILLORY PRESS LTD MILTON KEYNES"],
    ["Quillory Press Ltd, Jane Nomanby", "JANE NOMANBY"],
    ["Quillory Press Ltd, Nelson House, Leeds", "QUILLORY PRESS LTD NELSON HOUSE LEEDS"],
    ["Quillory Press Ltd, 12 High Street", "QUILLORY PRESS LTD HIGH STREET"],
    ["Jane Nomanby, Managing Director", "JANE NOMANBY"],
    ["Jane Nomanby, Company Secretary, OBE JP", "JANE NOMANBY"],
    ["Nomanby, Company Director", "NOMANBY"],
    ["Nomanby, Ma Ba", "MA BA NOMANBY"],
    ["Jane Nomanby - Smith", "JANE NOMANBY SMITH"],
    ["Jean - Paul Nomanby", "JEAN PAUL NOMANBY"],
    ["Mr Nomanby - Smith", "NOMANBY SMITH"],
    ["Mr Jean - Paul Nomanby, Leeds", "JEAN PAUL NOMANBY LEEDS"],
    ["Jean - Paul Nomanby - Quillory Press Ltd", "JEAN PAUL NOMANBY"],
    ["Jane Nomanby c/o Quillory Press", "JANE NOMANBY"],
    ["Jane Nomanby, on behalf of Quillory Press", "JANE NOMANBY"],
    ["Jane Nomanby née Smithers", "JANE NOMANBY"],
    ["Jane Nomanby (formerly Smithers)", "JANE NOMANBY"],
    ["Jane Nomanby previously Smithers", "JANE NOMANBY"],
    ["Jane Nomanby of Quillory Press Ltd, Leeds", "JANE NOMANBY"],
    ["Jane Nomanby (at Quillory Press LLP)", "JANE NOMANBY"],
    ["Jane Nomanby from Quillory", "JANE NOMANBY FROM QUILLORY"],
    ["Jane Nomanby of Leeds, Quillory Press Ltd", "JANE NOMANBY OF LEEDS"],
    ["Jane Nomanby T/A The Book Nook", "JANE NOMANBY"],
    ["Jane Nomanby (trading as Book Nook)", "JANE NOMANBY"],
    ["Jane Nomanby, d/b/a Book Nook", "JANE NOMANBY"],
    ["Jane Nomanby a/k/a Smithers", "JANE NOMANBY"],
    ["Jane Nomanby A / K / A Smithers", "JANE NOMANBY"],
    ["Jane Nomanby (aka Smithers)", "JANE NOMANBY"],
    ["Jane Nomanby also known as Smithers", "JANE NOMANBY"],
    // A nickname is left out; people who have it as a name are found by the plain query.
    ["John (Jack) Nomanby", "JOHN NOMANBY"],
    ["Mr William (Bill) Henry Nomanby", "WILLIAM HENRY NOMANBY"],
    ["Nomanby (John)", "JOHN NOMANBY"],
    ["John Nomanby (Director)", "JOHN NOMANBY"],
    ["John Nomanby (Director) Leeds", "JOHN NOMANBY LEEDS"],
    // Words that the register's own pages have after the name.
    ["Jane NOMANBY personal appointments - Find and update company information - GOV.UK", "JANE NOMANBY"],
    ["Jane NOMANBY personal appointments", "JANE NOMANBY"],
    ["Jane NOMANBY Total number of appointments 3 - Born March 1970 1 High Street, Leeds", "JANE NOMANBY"],
    // Words that a searcher writes after the name.
    ["Jane Nomanby Companies House", "JANE NOMANBY"],
    ["Jane Nomanby registered office", "JANE NOMANBY"],
    ["Jane Nomanby director search", "JANE NOMANBY"],
    ["Jane Nomanby company director search", "JANE NOMANBY"],
    ["Jane Nomanby company director London", "JANE NOMANBY LONDON"],
    ["Nomanby Companies House", "NOMANBY COMPANIES HOUSE"],
    // Aka is also a surname, Nee also a name, and the letters of a marker are also initials.
    ["Kofi Mensah Aka Boateng", "KOFI MENSAH AKA BOATENG"],
    ["Kofi Mensah Aka Boateng, Leeds", "KOFI MENSAH AKA BOATENG LEEDS"],
    ["Rao, Venkata D B A Murthy", "VENKATA D B A MURTHY RAO"],
    ["Venkata Rao A K A Murthy", "VENKATA RAO A K A MURTHY"],
    ["Jean Aka", "JEAN AKA"],
    ["Nee Nomanby", "NEE NOMANBY"],
    ["Jane Nee Nomanby", "JANE NEE NOMANBY"],
    // No person's name has digits.
    ["Harold Nomanby 3rd", "HAROLD NOMANBY"],
    ["Nomanby, Harold 12/13/85", "HAROLD NOMANBY"],
    ["", ""],
  ])("in %j is %j", (q, name) => {
    expect(readPersonText(q).name.words.join(" ")).toBe(name);
  });

  test.each(["Companies House ", "Jane company director", "Jane Nomanby of ", "(a", "  "])(
    "of a text of repeated %p takes a linear number of steps",
    (part) => {
      const started = performance.now();
      readPersonText(part.repeat(700));
      expect(performance.now() - started).toBeLessThan(2000);
    },
  );
});

describe("a name beside other facts", () => {
  test.each([
    "Harold Nomanby",
    "Nomanby",
    "HJ Nomanby",
    "sales@quillory.com",
    "no.1@quillory.com",
    "May Nomanby",
    "Dean Nomanby",
    "OBE",
    "",
  ])("is not read without such facts: %j", (q) => {
    expect(namesOf(q)).toEqual([]);
  });

  test.each<[string, string[]]>([
    ["Harold Nomanby OBE", ["HAROLD NOMANBY"]],
    ["Harold Nomanby Leeds", ["HAROLD NOMANBY (LEEDS)"]],
    ["Harold Nomanby of Leeds", ["HAROLD NOMANBY (LEEDS)", "HAROLD NOMANBY (OF LEEDS)"]],
    ["Harold Nomanby, Leeds", ["HAROLD NOMANBY LEEDS", "HAROLD NOMANBY (LEEDS)"]],
    ["Harold Nomanby company director Leeds", ["HAROLD NOMANBY (LEEDS)"]],
    ["Harold Nomanby 12 Leeds", ["HAROLD NOMANBY (LEEDS)"]],
    ["Harold Nomanby, 12 Row", ["HAROLD NOMANBY (12 ROW)"]],
    ["Harold Nomanby LS1 1ZZ", ["HAROLD NOMANBY"]],
    ["Harold Nomanby, born 12 March 1970", ["HAROLD NOMANBY"]],
    ["Nomanby 1970", ["/NOMANBY"]],
    ["Nomanby, S.C. 1970", ["S C/NOMANBY"]],
    ["Nomanby, OBE", ["/NOMANBY"]],
    ["Nomanby OBE", ["/NOMANBY"]],
    ["Mr & Mrs Nomanby", ["/NOMANBY"]],
    ["Major Nomanby OBE", ["MAJOR NOMANBY", "/NOMANBY"]],
    ["Mr and Mrs H Nomanby", ["H NOMANBY"]],
    ["Mr J Nomanby & Mrs A Nomanby", ["J NOMANBY", "A NOMANBY"]],
    ["Mr J & Mrs A Nomanby", ["J NOMANBY", "A NOMANBY"]],
    ["Payment from Mr J Nomanby and Dr Jane Quornsby PhD", ["J NOMANBY", "JANE QUORNSBY"]],
    ["Invoice 12, for Rev. Dr Harold Nomanby OBE", ["HAROLD NOMANBY"]],
    ["Jane Nomanby aka Smithers", ["JANE NOMANBY"]],
    ["Nomanby, Jane, aka Smithers", ["JANE/NOMANBY"]],
    ["Jane Nomanby DBA Book Nook, Leeds", ["JANE NOMANBY"]],
    // The part of a mail address before the @ is a name.
    ["jane.nomanby@quillory.com", ["JANE NOMANBY"]],
    ["Secretary, j_m-nomanby@quillory.co.uk", ["J M NOMANBY"]],
    // One word before a comma is the surname.
    ["NOMANBY, Jane - Company Director", ["JANE/NOMANBY"]],
    ["NOMANBY, Harold John, OBE", ["HAROLD JOHN/NOMANBY"]],
    ["Nomanby, Harold, Leeds", ["HAROLD/NOMANBY (LEEDS)"]],
    ["Nomanby OBE - Harold, Leeds", ["HAROLD/NOMANBY (LEEDS)"]],
  ])("in %j is each of %j", (q, names) => {
    expect(namesOf(q)).toEqual(expect.arrayContaining(names));
  });

  test.each([
    "Mr Dean Nomanby",
    "Mr Earl Nomanby OBE",
    "Mr Dean Nomanby, Leeds",
    "Capt. Major Nomanby LS1 1ZZ",
  ])("is not only a surname after a forename that is also a title: %j", (q) => {
    expect(namesOf(q)).not.toContain("/NOMANBY");
  });

  test.each([
    "Nomanby Mr Harold John",
    "Nomanby, Mr Harold John",
    "Payment from Mr Nomanby",
    "Harold Nomanby Mr",
  ])("does not begin after a title inside it: %j", (q) => {
    const names = readPersonText(q).names.map(({ query }) => query.words.join(" "));
    expect(names.filter((name) => ["HAROLD JOHN", "NOMANBY", "HAROLD NOMANBY"].includes(name))).toEqual([]);
  });

  test.each(["The Earl Nomanby", "Rt Hon Earl Nomanby", "Lt Col Nomanby", "Rev Canon Nomanby"])(
    "may be only a surname after titles: %j",
    (q) => {
      expect(namesOf(q)).toContain("/NOMANBY");
    },
  );

  test.each<[string, string[]]>([
    ["NOMANBY, Harold, 12 High Street, Leeds", ["HAROLD/NOMANBY"]],
    ["Nomanby, Harold John, Headingley, Leeds", ["HAROLD JOHN/NOMANBY"]],
    ["Harold Nomanby, 12 High Street", ["HAROLD NOMANBY"]],
    ["Harold Nomanby, Headingley - Leeds", ["HAROLD NOMANBY"]],
    ["Nomanby, Harold, Leeds", []],
    ["Nomanby, 12 High Street, Headingley, Leeds", []],
  ])("needs no agreeing place before a certain address: in %j, %j", (q, names) => {
    const read = readPersonText(q).names.filter(({ behind }) => behind === "address");
    expect(read.map(({ query: { words, readings } }) => nameOf(words, readings))).toEqual(names);
  });

  test.each<[string, string[]]>([
    ["Harold Nomanby, Finance Director", ["HAROLD NOMANBY"]],
    ["Harold Nomanby (Quillory Press)", ["HAROLD NOMANBY"]],
    ["Harold Nomanby, Leeds", ["HAROLD NOMANBY"]],
    ["Harold Nomanby at Quillory Press", ["HAROLD NOMANBY"]],
    ["Harold Nomanby Quillory Ltd", ["HAROLD NOMANBY"]],
    ["Harold John Nomanby Quillory Ltd", ["HAROLD JOHN", "HAROLD JOHN NOMANBY"]],
    ["Harold Nomanby Ltd", []],
    ["Harold Nomanby In", []],
    ["Harold Nomanby, Ruth", []],
    ["Nomanby, Quillory Press", []],
    ["Harold Nomanby, 12 High Street", []],
  ])("needs no agreeing place before words that may name a firm: in %j, %j", (q, names) => {
    const read = readPersonText(q).names.filter(({ behind }) => behind === "words");
    expect(read.map(({ query: { words } }) => words.join(" "))).toEqual(names);
  });

  test.each<[q: string, other: string]>([
    ["Mary Smith - Jones", "JONES/MARYSMITH"],
    ["Mr Nomanby - Smith", "SMITH/NOMANBY"],
    ["Mr Jean - Paul Nomanby, Leeds", "PAUL NOMANBY/JEAN (LEEDS)"],
  ])("has no surname before a dash: in %j, not %j", (q, other) => {
    expect(namesOf(q)).not.toContain(other);
  });

  test("has only the surname that stands before a comma", () => {
    const { name } = readPersonText("NOMANBY, Harold Ruth");
    expect(name.readings).toEqual([{ surname: "NOMANBY", given: ["HAROLD", "RUTH"] }]);
    expect(readPersonText("Harold Nomanby, Leeds").name.readings.length).toBeGreaterThan(1);
  });
});

describe("a month before a year that may be a name", () => {
  test.each<[q: string, withMonth: string | null, born: string]>([
    ["Theresa May 1956", "THERESA MAY", "05"],
    ["Mrs Theresa May 1956", "THERESA MAY", "05"],
    ["Nomanby, Jan 1970", "JAN NOMANBY", "01"],
    ["Dean May 1955", "DEAN MAY", "05"],
    // A day or a label shows a date, and two words before it are a name.
    ["Nomanby 12 May 1956", null, "05"],
    ["Nomanby May 12, 1956", null, "05"],
    ["Nomanby born May 1956", null, "05"],
    ["Theresa Nomanby May 1956", null, "05"],
    ["Nomanby 05/1956", null, "05"],
  ])("in %j gives the name %j, beside the month of birth %j", (q, withMonth, month) => {
    const reading = readPersonText(q);
    expect(reading.withMonth?.words.join(" ") ?? null).toBe(withMonth);
    expect(reading.born?.month).toBe(month);
  });
});

describe("a name without spaces", () => {
  test.each([
    ["haroldnomanby", ["HAROLDNOMANBY"]],
    ["@haroldnomanby", ["HAROLDNOMANBY"]],
    ["haroldnomanby70@quillory.com", ["HAROLDNOMANBY"]],
    ["harold.nomanby@quillory.com", []],
    ["sales@quillory.com", []],
    ["Harold Nomanby", []],
    ["Nomanby", []],
  ])("in %j is %j", (q, glued) => {
    expect(readPersonText(q).glued).toEqual(glued);
  });
});

describe("the reading", () => {
  test.each<[string, Partial<ReturnType<typeof readPersonText>>]>([
    ["Harold Nomanby 1970", { born: { years: ["1970"], month: null, day: null } }],
    ["May Nomanby May 1970", { born: { years: ["1970"], month: "05", day: null } }],
    ["May Nomanby", { born: null }],
    [
      "Harold Nomanby (dob 12/03/1970), Leeds ls11zz",
      { born: { years: ["1970"], month: "03", day: "12" }, postcode: "LS11ZZ" },
    ],
    ["Harold Nomanby, Leeds", { postcode: null, place: ["NOMANBY", "LEEDS"] }],
    ["Jane Quornsby and Harold Nomanby, Leeds", { place: ["LEEDS"] }],
    ["Harold Nomanby 01632 960123", { born: null, place: ["NOMANBY"] }],
    ["Harold Nomanby 00912345", { postcode: null, place: ["NOMANBY"] }],
  ])("of %j has the facts %j", (q, facts) => {
    expect(readPersonText(q)).toMatchObject(facts);
  });
});
