/** Matching names as lists write them: short forms, abbreviations, signs, joint rows, wrongly decoded letters. */
import { describe, expect, it } from "@jest/globals";
import type { MatchQuestion } from "../../api/matching/define-match.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { decideAmong, titled, type Decision, type Meant } from "../support/match-decision.ts";
import { born, company, lives, office, person } from "../support/search-order-judgement.ts";
import { idOf, openRegister, type RegisterLine } from "../support/search-register.ts";

const register = forAllTests(openRegister);

const decideOn = (lines: RegisterLine[], question: Partial<MatchQuestion> & { name: string }) =>
  decideAmong(register, lines, question);

/** Null means that nobody is the match. */
const expected = (meant: RegisterLine | null) =>
  meant ? { id: idOf(meant), match: true } : { match: false };

const LEEDS = office("Leeds", "LS1 1ZZ");
const THERE = lives("Leeds", "LS1 1ZZ");

describe("a short form of a forename", () => {
  const james = person("James Robert", "QUARLSDEN", { ...THERE, ...born("1993-04") });
  const tony = person("Tony", "QUARLSWICK", { ...THERE, ...born("1953-05") });

  it.each(
    titled<Meant>([
      ["Jim Quarlsden", { born: "20 April 1993" }, james],
      ["Jimmy R Quarlsden", { born: "April 1993", postcode: "LS1 1ZZ" }, james],
      // A father and a son may live at the address.
      ["Quarlsden, Jim", { postcode: "LS1 1ZZ" }, null],
      ["Jim Quarlsden, born 20 April 1993", {}, james],
      ["Anthony Quarlswick", { born: "May 1953" }, tony],
      ["Jim Quarlsden", {}, null],
      ["Jim Quarlsden", { born: "May 1970", postcode: "LS1 1ZZ" }, null],
      ["Jim Peter Quarlsden", { born: "April 1993" }, null],
      ["Bob Quarlsden", { born: "April 1993" }, null],
    ]),
  )("%s", async (_title, name, facts, meant) => {
    const question = { type: "officer" as const, name, ...facts };
    expect(await decideOn([james, tony], question)).toMatchObject(expected(meant));
  });

  it("matches neither of a couple who share it, unless a birth date decides", async () => {
    const he = person("Christopher", "QUARLSDEN", { ...THERE, ...born("1970-04") });
    const she = person("Christine", "QUARLSDEN", { ...THERE, ...born("1971-04") });
    const question = { type: "officer" as const, name: "Chris Quarlsden", postcode: "LS1 1ZZ" };
    expect(await decideOn([he, she], question)).toMatchObject(expected(null));
    const decided = await decideOn([he, she], { ...question, born: "04/1971" });
    expect(decided).toEqual(expected(she));
  });
});

describe("a row for two people of one surname", () => {
  const kevin = person("Kevin William", "QUARLWATSON", { ...THERE, ...born("1982-12") });
  const mary = person("Mary", "QUARLWATSON", { ...THERE, ...born("1984-02") });

  it.each(
    titled<Meant>([
      ["Kevin & Mary Quarlwatson", { born: "21/12/1982" }, kevin],
      ["Kevin and Mary Quarlwatson", { born: "02/1984" }, mary],
      ["Mr Kevin & Mrs Mary Quarlwatson", { born: "02/1984" }, mary],
      ["Mr K & Mrs M Quarlwatson", { born: "21/12/1982" }, kevin],
      ["K W & M Quarlwatson", { born: "21/12/1982" }, kevin],
      ["Peter & Mary Quarlwatson", { postcode: "LS1 1ZZ" }, mary],
      ["Kevin & Mary Quarlwatson", { postcode: "LS1 1ZZ" }, null],
      ["Kevin & Mary Quarlwatson", {}, null],
      ["Peter & Mary Quarlwatson", { born: "21/12/1982" }, null],
    ]),
  )("%s", async (_title, name, facts, meant) => {
    const question = { type: "officer" as const, name, ...facts };
    expect(await decideOn([kevin, mary], question)).toMatchObject(expected(meant));
  });
});

describe("an abbreviation", () => {
  const brothers = company("QUARLSBY BROTHERS LTD", LEEDS);
  const bros = company("QUARLCOHEN BROS. (LONDON) LIMITED", LEEDS);
  const plain = company("QUARLCROWN FOODS LIMITED", LEEDS);
  const northern = company("QUARLCROWN FOODS NORTHERN LIMITED", LEEDS);
  const services = company("QUARLCROWN FOODS SERVICES LIMITED", LEEDS);
  const engineering = company("QUARLCROWN ENGINEERING HOLDINGS LIMITED", LEEDS);
  const house = company("12 QUARLMOOR ROAD MANAGEMENT COMPANY LIMITED", LEEDS);
  const lines = [brothers, bros, plain, northern, services, engineering, house];
  const postcode = "LS1 1ZZ";

  it.each(
    titled<Meant>([
      ["Quarlsby Bros Ltd", { postcode }, brothers],
      ["Quarlcohen Brothers (London)", { postcode }, bros],
      ["Quarlcrown Foods Nthn", { postcode }, northern],
      ["Quarlcrown Foods Svcs Ltd", { postcode }, services],
      ["Quarlcrown Eng Hldgs", { postcode }, engineering],
      ["12 Quarlmoor Rd Mgmt Co Ltd", { postcode }, house],
      ["Quarlcrown Foods Limited", { postcode }, plain],
      ["Quarlsby Bros Ltd", {}, null],
      // Even with a spelling slip it is no certain match without a postcode.
      ["Quarlsbey Bros Ltd", {}, null],
      ["14 Quarlmoor Rd Mgmt Co Ltd", { postcode }, null],
    ]),
  )("%s", async (_title, name, facts, meant) => {
    expect(await decideOn(lines, { name, ...facts })).toMatchObject(expected(meant));
  });
});

describe("a sign that stands for &", () => {
  const brant = company("QUARLWICK & BRANT LTD", LEEDS);
  const plus = company("QUARLWICK + BRANT LTD", LEEDS);

  it.each(["&amp;", "&#38;", "%26", "+", " + "])("%s between two words is read as &", async (sign) => {
    const found = await decideOn([brant], { name: `Quarlwick${sign}Brant Ltd` });
    expect(found).toEqual({ id: idOf(brant), match: true });
  });

  it("a plus sign is read as & only if no other name has a plus sign", async () => {
    const found = await decideOn([brant, plus], { name: "Quarlwick + Brant Ltd" });
    expect(found).toEqual({ id: idOf(plus), match: true });
  });
});

describe("two initials, with or without &", () => {
  const joined = company("PD QUARLBY PHOTOGRAPHY LIMITED", LEEDS);
  const separate = company("R & F QUARLBY INTERIORS LIMITED", LEEDS);

  it.each(
    titled<Decision>([
      ["P & D Quarlby Photography Ltd", { postcode: "LS1 1ZZ" }, joined, true],
      ["P and D Quarlby Photography", { postcode: "LS1 1ZZ" }, joined, true],
      ["P & D Quarlby Photography Ltd", {}, joined, false],
      ["RF Quarlby Interiors Ltd", { postcode: "LS1 1ZZ" }, separate, true],
      ["R. F. Quarlby Interiors Ltd", { postcode: "LS1 1ZZ" }, separate, true],
      ["R F Quarlby Interiors Ltd", {}, separate, false],
    ]),
  )("%s", async (_title, name, facts, line, match) => {
    expect(await decideOn([joined, separate], { name, ...facts })).toEqual({ id: idOf(line), match });
  });

  it("belong to another company if that has exactly the name", async () => {
    const own = company("P & D QUARLBY PHOTOGRAPHY LTD", office("York", "YO1 7AB"));
    const found = await decideOn([joined, own], { name: "P & D Quarlby Photography Ltd" });
    expect(found).toEqual({ id: idOf(own), match: true });
  });
});

it("ST means SAINT or STREET, but these two do not match each other", async () => {
  const street = company("STREET QUARLHOTELS LTD", LEEDS);
  const decideFor = (name: string) => decideOn([street], { name, postcode: "LS1 1ZZ" });
  expect(await decideFor("St Quarlhotels Ltd")).toMatchObject(expected(street));
  expect(await decideFor("Saint Quarlhotels Ltd")).toMatchObject(expected(null));
});

describe("a numeral", () => {
  const plain = company("QUARLTAY EVENTS LTD", LEEDS);
  const second = company("QUARLTAY EVENTS II LTD", LEEDS);
  const third = company("QUARLTAY EVENTS 3 LTD", LEEDS);
  const lines = [plain, second, third];

  it.each(
    titled<Meant>([
      ["Quarltay Events 2 Limited", { postcode: "LS1 1ZZ" }, second],
      ["Quarltay Events III", { postcode: "LS1 1ZZ" }, third],
      ["Quarltay Events 2 Limited", {}, null],
      ["Quarltay Events IV Ltd", { postcode: "LS1 1ZZ" }, null],
    ]),
  )("%s", async (_title, name, facts, meant) => {
    expect(await decideOn(lines, { name, ...facts })).toMatchObject(expected(meant));
  });

  it("matches another company that has exactly the name", async () => {
    const own = company("QUARLTAY EVENTS 2 LTD", office("York", "YO1 7AB"));
    const question = { name: "Quarltay Events 2 Limited" };
    expect(await decideOn([...lines, own], question)).toEqual(expected(own));
  });
});

describe("UTF-8 that was decoded as Windows-1252", () => {
  const muller = company("MÜLLER QUARLTOWY (2015) LTD", LEEDS);
  const welsh = company("TŶ QUARLWEN CYF", LEEDS);
  const rene = company("QUARLRENÉ'S CAFÉ LTD", LEEDS);

  it.each(
    titled<Meant>([
      ["MÃ¼ller Quarltowy (2015) Ltd", {}, muller],
      ["TÅ· Quarlwen Cyf", {}, welsh],
      ["QuarlrenÃ©â€™s CafÃ© Ltd", {}, rene],
      // Correct as typed, though É and the apostrophe would also be the two bytes of a UTF-8 letter.
      ["QUARLRENÉ’S CAFÉ LTD", {}, rene],
    ]),
  )("%s", async (_title, name, facts, meant) => {
    expect(await decideOn([muller, welsh, rene], { name, ...facts })).toEqual(expected(meant));
  });
});
