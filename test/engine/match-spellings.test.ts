/** Matching names as lists write them: short forms, abbreviations, joint rows, wrongly decoded letters. */
import { describe, expect, it } from "@jest/globals";
import type { MatchQuestion } from "../../api/matching/define-match.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { decideAmong } from "../support/match-decision.ts";
import { born, company, lives, office, person } from "../support/search-order-judgement.ts";
import { idOf, openRegister, type RegisterLine } from "../support/search-register.ts";

const register = forAllTests(openRegister);

const decideOn = (lines: RegisterLine[], question: Partial<MatchQuestion> & { name: string }) =>
  decideAmong(register, lines, question);

/** Null means that nobody is the match. */
const expected = (meant: RegisterLine | null) =>
  meant ? { id: idOf(meant), match: true } : { match: false };

const THERE = lives("Leeds", "LS1 1ZZ");

describe("a short form of a forename", () => {
  const james = person("James Robert", "QUARLSDEN", { ...THERE, ...born("1993-04") });
  const tony = person("Tony", "QUARLSWICK", { ...THERE, ...born("1953-05") });

  it.each<[string, Partial<MatchQuestion>, RegisterLine | null]>([
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
  ])("%s and %j", async (name, facts, meant) => {
    const question = { type: "officer" as const, name, ...facts };
    expect(await decideOn([james, tony], question)).toMatchObject(expected(meant));
  });

  it("matches neither of a couple who share it, until a birth date decides", async () => {
    const he = person("Christopher", "QUARLSDEN", { ...THERE, ...born("1970-04") });
    const she = person("Christine", "QUARLSDEN", { ...THERE, ...born("1971-04") });
    const question = { type: "officer" as const, name: "Chris Quarlsden", postcode: "LS1 1ZZ" };
    expect(await decideOn([he, she], question)).toMatchObject(expected(null));
    const told = await decideOn([he, she], { ...question, born: "04/1971" });
    expect(told).toEqual(expected(she));
  });
});

describe("a row for two people of one surname", () => {
  const kevin = person("Kevin William", "QUARLWATSON", { ...THERE, ...born("1982-12") });
  const mary = person("Mary", "QUARLWATSON", { ...THERE, ...born("1984-02") });

  it.each<[string, Partial<MatchQuestion>, RegisterLine | null]>([
    ["Kevin & Mary Quarlwatson", { born: "21/12/1982" }, kevin],
    ["Kevin and Mary Quarlwatson", { born: "02/1984" }, mary],
    ["Mr Kevin & Mrs Mary Quarlwatson", { born: "02/1984" }, mary],
    ["Mr K & Mrs M Quarlwatson", { born: "21/12/1982" }, kevin],
    ["K W & M Quarlwatson", { born: "21/12/1982" }, kevin],
    ["Peter & Mary Quarlwatson", { postcode: "LS1 1ZZ" }, mary],
    ["Kevin & Mary Quarlwatson", { postcode: "LS1 1ZZ" }, null],
    ["Kevin & Mary Quarlwatson", {}, null],
    ["Peter & Mary Quarlwatson", { born: "21/12/1982" }, null],
  ])("%s and %j", async (name, facts, meant) => {
    const question = { type: "officer" as const, name, ...facts };
    expect(await decideOn([kevin, mary], question)).toMatchObject(expected(meant));
  });
});

describe("an abbreviation", () => {
  const leeds = office("Leeds", "LS1 1ZZ");
  const brothers = company("QUARLSBY BROTHERS LTD", leeds);
  const bros = company("QUARLCOHEN BROS. (LONDON) LIMITED", leeds);
  const plain = company("QUARLCROWN FOODS LIMITED", leeds);
  const northern = company("QUARLCROWN FOODS NORTHERN LIMITED", leeds);
  const services = company("QUARLCROWN FOODS SERVICES LIMITED", leeds);
  const engineering = company("QUARLCROWN ENGINEERING HOLDINGS LIMITED", leeds);
  const house = company("12 QUARLMOOR ROAD MANAGEMENT COMPANY LIMITED", leeds);
  const lines = [brothers, bros, plain, northern, services, engineering, house];
  const postcode = "LS1 1ZZ";

  it.each<[string, Partial<MatchQuestion>, RegisterLine | null]>([
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
  ])("%s and %j", async (name, facts, meant) => {
    expect(await decideOn(lines, { name, ...facts })).toMatchObject(expected(meant));
  });
});

it("ST means SAINT or STREET, but these two do not match each other", async () => {
  const street = company("STREET QUARLHOTELS LTD", office("Leeds", "LS1 1ZZ"));
  const decideFor = (name: string) => decideOn([street], { name, postcode: "LS1 1ZZ" });
  expect(await decideFor("St Quarlhotels Ltd")).toMatchObject(expected(street));
  expect(await decideFor("Saint Quarlhotels Ltd")).toMatchObject(expected(null));
});

describe("a numeral", () => {
  const leeds = office("Leeds", "LS1 1ZZ");
  const plain = company("QUARLTAY EVENTS LTD", leeds);
  const second = company("QUARLTAY EVENTS II LTD", leeds);
  const third = company("QUARLTAY EVENTS 3 LTD", leeds);
  const lines = [plain, second, third];

  it.each<[string, Partial<MatchQuestion>, RegisterLine | null]>([
    ["Quarltay Events 2 Limited", { postcode: "LS1 1ZZ" }, second],
    ["Quarltay Events III", { postcode: "LS1 1ZZ" }, third],
    ["Quarltay Events 2 Limited", {}, null],
    ["Quarltay Events IV Ltd", { postcode: "LS1 1ZZ" }, null],
  ])("%s and %j", async (name, facts, meant) => {
    expect(await decideOn(lines, { name, ...facts })).toMatchObject(expected(meant));
  });

  it("matches another company that has exactly the name", async () => {
    const own = company("QUARLTAY EVENTS 2 LTD", office("York", "YO1 7AB"));
    const question = { name: "Quarltay Events 2 Limited" };
    expect(await decideOn([...lines, own], question)).toEqual(expected(own));
  });
});

describe("UTF-8 that was decoded as Windows-1252", () => {
  const leeds = office("Leeds", "LS1 1ZZ");
  const muller = company("MÜLLER QUARLTOWY (2015) LTD", leeds);
  const welsh = company("TŶ QUARLWEN CYF", leeds);
  const rene = company("QUARLRENÉ'S CAFÉ LTD", leeds);

  it.each<[string, RegisterLine]>([
    ["MÃ¼ller Quarltowy (2015) Ltd", muller],
    ["TÅ· Quarlwen Cyf", welsh],
    ["QuarlrenÃ©â€™s CafÃ© Ltd", rene],
    // Correct as typed, though É and the apostrophe would also be the two bytes of a UTF-8 letter.
    ["QUARLRENÉ’S CAFÉ LTD", rene],
  ])("%s", async (name, meant) => {
    expect(await decideOn([muller, welsh, rene], { name })).toEqual(expected(meant));
  });
});
