/** What matching calls the match, and what it leaves to a person, on the real engine. */
import { describe, expect, it } from "@jest/globals";
import type { MatchQuestion } from "../../api/matching/define-match.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { decideAmong, titled, type Decision } from "../support/match-decision.ts";
import { born, company, disqualified, lives, office, person } from "../support/search-order-judgement.ts";
import { idOf, openRegister, type RegisterLine } from "../support/search-register.ts";

const register = forAllTests(openRegister);

const decideOn = (lines: RegisterLine[], question: Partial<MatchQuestion> & { name: string }) =>
  decideAmong(register, lines, question);

const LEEDS = office("Leeds", "LS1 1ZZ");

describe("a part of the text that is too little of a name", () => {
  it.each(
    titled<Decision>([
      ["Quillory Press Ltd, Leeds", { town: "Leeds" }, company("PRESS LTD", LEEDS), false],
      ["Card Factory", { town: "Leeds" }, company("FACTORY LTD", LEEDS), false],
      ["Direct Travel", { town: "Leeds" }, company("TRAVEL LIMITED", LEEDS), false],
      ["Messrs Quillory", { postcode: "LS1 1ZZ" }, company("QUILLORY LTD", LEEDS), true],
      ["Quillory Press Ltd, Leeds", {}, company("QUILLORY PRESS LTD", LEEDS), true],
      [
        "Hallowmead Public Limited Company",
        { town: "Leeds" },
        company("HALLOWMEAD PUBLIC LTD", LEEDS),
        false,
      ],
    ]),
  )("%s", async (_title, name, facts, line, match) => {
    expect(await decideOn([line], { name, ...facts })).toEqual({ id: idOf(line), match });
  });
});

describe("a text that may be cut off", () => {
  const plain = company("QUARLSBY INTERIORS LTD", LEEDS);
  const longer = ["WEST", "NORTHERN", "(SCOTLAND)", "LEEDS"].map((word) =>
    company(`QUARLSBY INTERIORS ${word} LTD`, LEEDS),
  );

  it.each(["W", "NO", "N", "(", "(S", "L", "(L"])(
    "is no match if it ends with %s, since longer names begin so",
    async (end) => {
      const question = { name: `Quarlsby Interiors ${end}`, postcode: "LS1 1ZZ" };
      expect(await decideOn([plain, ...longer], question)).toMatchObject({ match: false });
    },
  );

  it("is a match if only its legal ending can be cut off", async () => {
    const question = { name: "Quarlsby Interiors L", postcode: "LS1 1ZZ" };
    expect(await decideOn([plain], question)).toEqual({ id: idOf(plain), match: true });
  });
});

describe("a company's name followed by its address", () => {
  const leeds = company("QUARLWELL PAVING LTD", office("Leeds", "LS1 1ZZ", "43 South Street"));
  const tyne = company("QUARLWELL TILES LTD", office("Newcastle Upon Tyne", "NE1 8YU"));

  it.each(
    titled<Decision>([
      ["Quarlwell Paving 43 South Street Leeds LS1 1ZZ", {}, leeds, true],
      ["Quarlwell Paving, Mill House, 43 South Street, Leeds, LS1 1ZZ", {}, leeds, true],
      // North is not part of the address, so it belongs to the name.
      ["Quarlwell Paving North, 43 South Street, Leeds, LS1 1ZZ", {}, leeds, false],
      ["Quarlwell Tiles Group - Newcastle Upon Tyne NE1 8YU", {}, tyne, false],
      ["Quarlwell Tiles Group Newcastle Upon Tyne NE1 8YU", {}, tyne, false],
    ]),
  )("%s", async (_title, name, facts, line, match) => {
    expect(await decideOn([line], { name, ...facts })).toEqual({ id: idOf(line), match });
  });
});

describe("a company's name with a town", () => {
  const foods = company("BRANTLEWICK FOODS LIMITED", LEEDS);
  const others = company("LEEDLE COFFEE ROASTERS LIMITED", LEEDS);
  const building = company("BUILDING SOCIETY LIMITED", LEEDS);

  it.each(
    titled<Decision>([
      ["Brantlewick Foods Ltd", { town: "Leeds, West Yorkshire" }, foods, true],
      ["Brantlewick Foods Ltd", { town: "City of Leeds" }, foods, true],
      ["Brantlewick Foods Leeds", {}, foods, true],
      ["Brantlewick Foods LS1 1ZZ Leeds", {}, foods, true],
      ["Brantlewick Foods York", {}, foods, false],
      // Words of countries that are also words of names.
      ["Brantlewick Foods Northern Leeds", {}, foods, false],
      ["Brantlewick Foods Great, Leeds", { town: "Leeds" }, foods, false],
      ["Brantlewick Foods Leeds, Great Britain", {}, foods, true],
      ["Brantlewick Foods (Scotland) - Leeds", { postcode: "LS1 1ZZ" }, foods, false],
      [
        "St Brantle Foods (Scotland) - Leeds",
        { postcode: "LS1 1ZZ" },
        company("SAINT BRANTLE FOODS LTD", LEEDS),
        false,
      ],
      ["Brantlewick Foods England Leeds", { postcode: "LS1 1ZZ" }, foods, false],
      ["Brantlewick Foods, England, Leeds", { postcode: "LS1 1ZZ" }, foods, true],
      // A legal ending after the town makes it part of the name; so does a text that is a name of its own.
      ["Brantlewick Foods Leeds Ltd", {}, foods, false],
      ["Brantlewick Foods (Leeds) Ltd", { postcode: "LS1 1ZZ" }, foods, false],
      ["Leeds Brantlewick Foods Ltd", { postcode: "LS1 1ZZ" }, foods, false],
      ["Leeds Coffee Roasters", {}, company("COFFEE ROASTERS LIMITED", LEEDS), false],
      ["Leeds Building Society", {}, building, false],
      // A word of an address that is no town, and a town of which only one word is in an address.
      [
        "Elmwick Park Court",
        {},
        company("ELMWICK PARK LTD", office("3 Tarn Court, Leeds", "LS1 1ZZ")),
        false,
      ],
      ["Quillory Stone Morgan", {}, company("QUILLORY STONE LTD", office("Morgan House", "LS1 1ZZ")), false],
      ["Brantlewick Foods Ltd", { town: "Leeds Castle" }, foods, false],
      ["Leedle Coffee Roasters Leeds", {}, others, true],
    ]),
  )("%s", async (_title, name, facts, line, match) => {
    expect(await decideOn([line], { name, ...facts })).toEqual({ id: idOf(line), match });
  });

  it("matches neither of two if a house is in one's town and bears the name of the other's", async () => {
    const house = company("QUARLSTONE PRESS LTD", office("Park House, London", "N1 1AA"));
    const town = company("QUARLSTONE PRESS LTD", office("1 Mill Lane, Leeds", "LS1 1ZZ"));
    const decideOnTown = (where: string) =>
      decideOn([house, town], { name: "Quarlstone Press Ltd", town: where });
    expect(await decideOnTown("Park House, Leeds")).toMatchObject({ match: false });
    expect(await decideOnTown("Park House, London")).toEqual({ id: idOf(house), match: true });
    expect(await decideOnTown("Leeds, Park House")).toEqual({ id: idOf(town), match: true });
  });

  it("matches neither of two if a comma may separate name and town, and one has the town in its name", async () => {
    const plain = company("QUARLMERE PRESS LIMITED", LEEDS);
    const own = company("QUARLMERE PRESS (LEEDS) LIMITED", LEEDS);
    const decideOnName = (name: string, facts = {}) => decideOn([plain, own], { name, ...facts });
    expect(await decideOnName("Quarlmere Press, Leeds", { town: "Leeds" })).toMatchObject({ match: false });
    expect(await decideOnName("Quarlmere Press, Leeds")).toMatchObject({ match: false });
    const ended = await decideOnName("Quarlmere Press, Leeds Ltd", { town: "Leeds" });
    expect(ended).toEqual({ id: idOf(own), match: true });
    expect(await decideOnName("Quarlmere Press Ltd, Leeds")).toEqual({ id: idOf(plain), match: true });
  });

  it("is found with a direction before its town, among more companies of the name than are compared", async () => {
    const name = "QUARLTON PRESS LTD";
    const others = Array.from({ length: 31 }, () =>
      company(name, office("York", "YO1 7AB", "5 North Street")),
    );
    const leeds = company(name, { ...LEEDS, company_status: "dissolved" });
    const found = await decideOn([...others, leeds], { name, town: "North Leeds" });
    expect(found).toEqual({ id: idOf(leeds), match: true });
  });

  it("matches the company that has the town in its name", async () => {
    const own = company("BRANTLEWICK FOODS (LEEDS) LIMITED", office("York", "YO1 1AA"));
    const found = await decideOn([foods, own], { name: "Brantlewick Foods Leeds" });
    expect(found).toEqual({ id: idOf(own), match: true });
  });
});

describe("a person with a birth date", () => {
  const jane = person("Jane", "QUILLORY", { ...lives("Leeds", "LS1 1ZZ"), ...born("1985-03") });

  it.each<[string, Partial<MatchQuestion>, boolean]>([
    ["Jane Quillory", { postcode: "LS1 1ZZ" }, true],
    ["Jane Quillory", { born: "03/1985" }, true],
    ["Jane Quillory, born March 1985", {}, true],
    ["Jane Quillory (dob 12/03/1985)", {}, true],
    ["Jane Quillory, born March 1970", { postcode: "LS1 1ZZ" }, false],
    ["Jane Quillory, born March 1970", { born: "03/1985" }, true],
    // A year alone may contradict but confirms nothing: many people of one name were born in it.
    ["Jane Quillory", { born: "1985" }, false],
    ["Jane Quillory, born 1985", {}, false],
    ["Jane Quillory", { born: "1985", postcode: "LS1 1ZZ" }, true],
    ["Jane Quillory", { born: "1970", postcode: "LS1 1ZZ" }, false],
  ])("%s with %j is the match: %s", async (name, facts, match) => {
    const found = await decideOn([jane], { type: "officer", name, ...facts });
    expect(found).toEqual({ id: idOf(jane), match });
  });
});

describe("a disqualified person, whose day of birth is known: 12 March 1985", () => {
  const jane = person("Jane", "QUILLORY", { ...disqualified, ...born("1985-03") });

  it.each<[string, Partial<MatchQuestion>, boolean]>([
    ["Jane Quillory", { born: "12/03/1985" }, true],
    ["Jane Quillory", { born: "25/03/1985" }, false],
    ["Jane Quillory, born 25 March 1985", {}, false],
    ["Jane Quillory", { born: "March 1985" }, true],
    // A spreadsheet writes a month this way.
    ["Jane Quillory", { born: "01/03/1985" }, true],
    ["Jane Quillory", { born: "25/03/85" }, false],
    ["Jane Quillory", { born: "12/03/85" }, true],
  ])("%s with %j is the match: %s", async (name, facts, match) => {
    const found = await decideOn([jane], { type: "disqualified-officer", name, ...facts });
    expect(found).toEqual({ id: idOf(jane), match });
  });
});

describe("a person whose surname is a month", () => {
  const theresa = person("Theresa", "MAY", { ...lives("Leeds", "LS1 1ZZ"), ...born("1956-10") });

  it.each<[string, Partial<MatchQuestion>, boolean]>([
    ["Theresa May 1956", { postcode: "LS1 1ZZ" }, true],
    ["Theresa May 1956", { born: "10/1956" }, true],
    ["Theresa May 1956", {}, false],
    ["Theresa May 1957", { postcode: "LS1 1ZZ" }, false],
  ])("%s with %j is the match: %s", async (name, facts, match) => {
    const found = await decideOn([theresa], { type: "officer", name, ...facts });
    expect(found).toEqual({ id: idOf(theresa), match });
  });
});

describe("a fact that is part of an exact name", () => {
  const numbered = company("1234567 LIMITED", { ...LEEDS, company_number: "09990001" });
  const freehold = company("SE1 2LZ FREEHOLD LIMITED", LEEDS);
  const taxis = company("A1 1ST CHOICE TAXIS LTD", LEEDS);

  it.each(
    titled<Decision>([
      ["1234567 Limited", {}, numbered, true],
      ["SE1 2LZ Freehold Ltd", {}, freehold, true],
      ["SE1 2LZ Freehold", { town: "Leeds" }, freehold, true],
      ["A1 1st Choice Taxis Ltd", {}, taxis, true],
      // Facts given beside the name count, and so does a fact that follows the name in the text.
      ["SE1 2LZ Freehold Ltd", { postcode: "SE1 2LZ" }, freehold, false],
      ["1234567 Limited", { number: "01234567" }, numbered, false],
      ["A1 1st Choice Taxis Ltd, SE1 2LZ", {}, taxis, false],
    ]),
  )("%s", async (_title, name, facts, line, match) => {
    expect(await decideOn([line], { name, ...facts })).toEqual({ id: idOf(line), match });
  });
});

describe("a name that looks like a number, an ending or something else", () => {
  const york = office("York", "YO1 7AB");
  const digits = company("118118 LTD", LEEDS);
  const numbered = company("QUARLWICK LTD", { ...york, company_number: "00118118" });
  const unlimited = company("QUARLBOOKS UNLIMITED LTD", LEEDS);
  const led = company("QUARLBRIGHT LED LTD", LEEDS);
  const bright = company("QUARLBRIGHT LTD", LEEDS);

  it.each(
    titled<Decision>([
      ["118118", { postcode: "LS1 1ZZ" }, digits, true, [numbered]],
      ["118118", { postcode: "YO1 7AB" }, numbered, true],
      ["Quarlbooks Unlimited", { postcode: "LS1 1ZZ" }, unlimited, true],
      ["Quarlbright LED", {}, led, true, [bright]],
    ]),
  )("%s", async (_title, name, facts, line, match, others = []) => {
    expect(await decideOn([...others, line], { name, ...facts })).toEqual({ id: idOf(line), match });
  });

  it("does not match the company of the number if another one has the name", async () => {
    const right = company("12 QUARL STREET LTD", LEEDS);
    const wrong = company("14 QUARL STREET LTD", { ...LEEDS, company_number: "09990014" });
    const question = { name: "12 Quarl Street Ltd", number: "09990014" };
    expect(await decideOn([right, wrong], question)).toEqual({ id: "09990014", match: false });
  });

  it("does not match the company of the number if another one has the postcode and almost the name", async () => {
    const right = company("QUARLAMANDA FREIGHT LTD", LEEDS);
    const wrong = company("QUARLAMANDA FREIGHT MANAGEMENT LTD", { ...york, company_number: "09990014" });
    const question = { name: "Quarlamada Freight Ltd", number: "09990014", postcode: "LS1 1ZZ" };
    expect(await decideOn([right, wrong], question)).toEqual({ id: "09990014", match: false });
    expect(await decideOn([wrong], question)).toEqual({ id: "09990014", match: true });
  });

  it("does not match a legally equal name if another company has all words of the text", async () => {
    const short = company("QUARLFOX JOINERY LTD", LEEDS);
    const own = company("QUARLFOX JOINERY UK PLC", LEEDS);
    const question = { name: "Quarlfox Joinery UK Ltd", postcode: "LS1 1ZZ" };
    expect(await decideOn([short, own], question)).toMatchObject({ match: false });
    expect(await decideOn([short], question)).toEqual({ id: idOf(short), match: true });
  });

  it("ranks a similar name above the company of the number, whose name is a different one", async () => {
    const right = company("QUARLFORD MITCHELL CIC", LEEDS);
    const wrong = company("HOLMWICK PLANT HIRE LTD", { ...york, company_number: "09990014" });
    const question = { name: "Quarlfrd Mitchells CIC", number: "09990014" };
    expect(await decideOn([right, wrong], question)).toEqual({ id: idOf(right), match: false });
  });
});
