/** Names as lists have them, with an address, remark, foreign number or initials: which of a few records is the match. */
import { describe, expect, it } from "@jest/globals";
import type { Candidate, MatchQuestion } from "../../../api/matching/define-match.ts";
import { decide } from "../../../api/matching/decide.ts";
import { matchAll, matchings } from "../../../api/matching/matcher.ts";
import type { SearchHit } from "../../../api/shared/definitions/search-result.ts";
import { findIndex } from "../../../index-mappings/index.ts";
import type { SearchStore } from "../../../index-mappings/name-rules.ts";
import { aCompany, anOfficer, type CompanyLine, type OfficerLine } from "../../support/search-records.ts";

type Question = Partial<MatchQuestion> & { name: string };

/** The candidates among these records, best first. */
function match(question: MatchQuestion, lines: (CompanyLine | OfficerLine)[]): Candidate[] {
  const { compare } = matchings[question.type].read(question);
  return decide(
    lines.map((line) => compare(hitOf(line))),
    lines.length,
  );
}

function hitOf(line: CompanyLine | OfficerLine): SearchHit {
  const isCompany = "company_name" in line;
  const index = isCompany ? "companies" : "officers";
  const document = findIndex(index).document(isCompany ? [aCompany(line)] : anOfficer(line));
  // Through JSON and back, as Elasticsearch returns it.
  const source = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
  return { index, id: isCompany ? line.company_number : line.officer_id, score: 1, source, sort: [] };
}

const LEEDS = { locality: "Leeds", postal_code: "LS1 1ZZ", address_line_1: "12 High Street" };
let serial = 0;

function company(company_name: string): CompanyLine {
  serial += 1;
  return { company_name, company_number: String(91_000_000 + serial), registered_office_address: LEEDS };
}

function officer(line: Partial<OfficerLine>): OfficerLine {
  serial += 1;
  return { officer_id: String(serial).padEnd(27, "x"), address: LEEDS, ...line };
}

describe("a company", () => {
  const matched = (question: Question, ...names: string[]) =>
    match({ type: "company", ...question }, names.map(company)).find((one) => one.match)?.name;

  it("is not one with the name of the place after a name that contains a web address, a number or a postcode", () => {
    for (const name of ["Quorn.com Ltd, Leeds", "1234567 Limited, Leeds", "SE1 2LZ Ltd, Leeds"])
      expect(matched({ name, postcode: "LS1 1ZZ" }, "LEEDS LIMITED")).toBeUndefined();
    expect(
      matched({ name: "Quorn.com Ltd, Leeds", postcode: "LS1 1ZZ" }, "LEEDS LIMITED", "QUORN.COM LIMITED"),
    ).toBe("QUORN.COM LIMITED");
  });

  it.each([
    "Quillory Trust, registered charity number 1234567",
    "Quillory Trust, charity no. 1234567, company no. 91000099",
    "Quillory Trust INV 100456",
    "Quillory Trust REF 88812345",
    "Quillory Trust A/C 12345678",
    "Quillory Trust PO 4500123",
    "Quillory Trust FRN 123456",
    "Quillory Trust, SRA number 654321",
  ])("is not another company because of a number of another kind: %s", (name) => {
    const [found] = match({ type: "company", name, postcode: "LS1 1ZZ" }, [
      { ...company("QUILLORY TRUST"), company_number: "91000099" },
    ]);
    expect(found).toMatchObject({ match: true, name: "QUILLORY TRUST" });
  });

  it("is not another company because of an amount", () => {
    const [first] = match({ type: "company", name: "Quillory Trust £125000" }, [company("QUILLORY TRUST")]);
    expect(first?.reasons.join()).not.toContain("number differs");
  });

  it.each([
    "Quillory Press Ltd t/a Carver",
    "Quillory Press Ltd (formerly Carver Ltd)",
    "Quillory Press Ltd f/k/a Carver",
  ])("comes before another one that has its trading or former name: %s", (name) => {
    const lines = ["CARVER LIMITED", "QUILLORY PRESS LIMITED"].map(company);
    const found = match({ type: "company", name }, lines);
    expect(found.map((one) => one.name)).toEqual(["QUILLORY PRESS LIMITED", "CARVER LIMITED"]);
  });

  it("is the match by the name before a status, but not by the name before a place", () => {
    const bestFor = (name: string) =>
      match({ type: "company", name }, ["QUILLORY PRESS SERVICES LTD", "QUILLORY PRESS LTD"].map(company))[0];
    expect(bestFor("Quillory Press Limited (In Liquidation)")).toMatchObject({
      match: true,
      reasons: ["same name"],
    });
    expect(bestFor("Quillory Press Limited, York")).toMatchObject({
      match: false,
      reasons: ["same name in part"],
    });
  });

  it.each([
    "Quillory Press Ltd, LS2 2ZZ",
    "Quillory Press Ltd, LS2 2ZZ, UK",
    "Quillory Press Ltd (In Liquidation) LS2 2ZZ",
    "Quillory Press Ltd (In Liquidation), company no. 00999999",
  ])("is not the match with another postcode or number after a remark: %s", (name) => {
    expect(matched({ name }, "QUILLORY PRESS LTD")).toBeUndefined();
  });

  it.each<[name: string, registered: string]>([
    ["1234567 Limited (In Liquidation)", "1234567 LIMITED"],
    ["1234567 Ltd, UK", "1234567 LIMITED"],
    ["1234567 Limted", "1234567 LIMITED"],
    ["SC123456 Ltd, UK", "SC123456 LIMITED"],
    ["SE1 2LZ Freehold Ltd (In Liquidation)", "SE1 2LZ FREEHOLD LIMITED"],
  ])(
    "is the match by a name that contains a number or postcode, with and without a remark: %s",
    (name, registered) => {
      expect(matched({ name }, registered)).toBe(registered);
    },
  );

  it("scores the same with a status and with a country after its name", () => {
    const scoreOf = (name: string) => match({ type: "company", name }, [company("QUILLORY LTD")])[0]?.score;
    expect(scoreOf("Quillory Ltd (In Liquidation)")).toBe(scoreOf("Quillory Ltd, UK"));
  });

  it.each<[string, string[], string | undefined]>([
    ["Zorblatt Ltd (UK)", ["ZORBLATT LTD", "ZORBLATT (UK) LTD"], undefined],
    ["Zorblatt Ltd UK", ["ZORBLATT LTD", "ZORBLATT (UK) LTD"], undefined],
    ["Zorblatt Ltd, UK", ["ZORBLATT (UK) LTD", "ZORBLATT LTD"], undefined],
    ["Pardwell Ltd (Northern Ireland)", ["PARDWELL LIMITED", "PARDWELL (NORTHERN IRELAND) LTD"], undefined],
    ["Tarnbrook Ltd England", ["TARNBROOK LTD", "TARNBROOK ENGLAND LTD"], undefined],
    ["Quorn Ltd England", ["QUORN LTD", "QUORN LTD ENGLAND"], "QUORN LTD ENGLAND"],
    ["Dune Ltd And", ["DUNE LTD", "DUNE AND LIMITED"], undefined],
    ["Zorblatt Ltd (UK)", ["ZORBLATT LTD"], "ZORBLATT LTD"],
    ["Zorblatt Ltd, UK", ["ZORBLATT (UK) LTD"], "ZORBLATT (UK) LTD"],
  ])("for %j, with a word after the ending, of %j is %j", (name, names, expected) => {
    expect(matched({ name }, ...names)).toBe(expected);
  });

  it.each<[string, string[], string | undefined]>([
    ["Bright LED", ["BRIGHT LIMITED", "BRIGHT LED LIMITED"], "BRIGHT LED LIMITED"],
    ["Bright LED", ["BRIGHT LIMITED"], undefined],
    ["The Real Bread Co", ["REAL BREAD CIC", "THE REAL BREAD CO LTD"], "THE REAL BREAD CO LTD"],
    ["Quillory Limtied", ["QUILLORY", "QUILLORY LIMITED"], "QUILLORY LIMITED"],
    ["Quillory Limtied", ["QUILLORY LIMITED", "QUILLORY LIMTIED LTD"], "QUILLORY LIMTIED LTD"],
    ["Books Unlimited", ["BOOKS UNLIMITED LTD"], "BOOKS UNLIMITED LTD"],
    ["Books Unlimited", ["BOOKS UNLIMITED LTD", "BOOKS UNLIMITED"], "BOOKS UNLIMITED"],
    ["Books Unlimited", ["BOOKS LTD"], undefined],
  ])("for %j, with a possible ending, of %j is %j", (name, names, expected) => {
    expect(matched({ name }, ...names)).toBe(expected);
  });

  it.each<[Question, string]>([
    [{ name: "Quillory Press Ltd c/o Bean Counters LLP", postcode: "LS1 1ZZ" }, "BEAN COUNTERS LLP"],
    [{ name: "J Smith c/o Bean Counters LLP, 12 High Street, Leeds LS1 1ZZ" }, "BEAN COUNTERS LLP"],
    [{ name: "J Smith c/o Bean Counters, Leeds LS1 1ZZ" }, "BEAN COUNTERS LLP"],
    [{ name: "J Smith on behalf of Quillory Ltd", postcode: "LS1 1ZZ" }, "QUILLORY LTD"],
    [
      { name: "Quillory Press Ltd, a subsidiary of Morgan Group Plc", postcode: "LS1 1ZZ" },
      "MORGAN GROUP PLC",
    ],
    [{ name: "Quillory Press, a subsidiary of Quillory Plc", postcode: "LS1 1ZZ" }, "QUILLORY PLC"],
    [{ name: "Quillory Press, part of the Quillory Group Plc", postcode: "LS1 1ZZ" }, "QUILLORY GROUP PLC"],
    [{ name: "Quillory Press Ltd (formerly Carver Ltd)", postcode: "LS1 1ZZ" }, "CARVER LTD"],
    [{ name: "Quillory Press (formerly Carver Ltd)", postcode: "LS1 1ZZ" }, "CARVER LTD"],
    [{ name: "Quillory Press (ex Carver Ltd)", postcode: "LS1 1ZZ" }, "CARVER LTD"],
    [{ name: "Quillory Press Ltd, Zorblatt Ltd", postcode: "LS1 1ZZ" }, "ZORBLATT LTD"],
    [{ name: "Quillory Press Ltd & Zorblatt Ltd", postcode: "LS1 1ZZ" }, "ZORBLATT LTD"],
    [{ name: "Quillory Press Ltd / Zorblatt Ltd", postcode: "LS1 1ZZ" }, "ZORBLATT LTD"],
    [{ name: "Quillory Press Ltd t/a Carver", postcode: "LS1 1ZZ" }, "CARVER LTD"],
    [{ name: "Carver Ltd c/o Bean Counters LLP (now Bean LLP)", postcode: "LS1 1ZZ" }, "BEAN LLP"],
    // Without a postcode, the text before a comma may be a part of the name.
    [{ name: "Smith, Jones & Brown Ltd, Leeds", town: "Leeds" }, "JONES & BROWN LTD"],
    [{ name: "J Smith t/a Smith Plumbing", town: "Leeds" }, "SMITH PLUMBING LTD"],
    [{ name: "J Smith t/a Smith Plumbing, Leeds" }, "SMITH PLUMBING LTD"],
  ])("is not one that %j merely mentions: %s", (question, name) => {
    expect(matched(question, name)).toBeUndefined();
  });

  it.each<[Question, string]>([
    [{ name: "Quillory Press Ltd c/o Bean Counters LLP", postcode: "LS1 1ZZ" }, "QUILLORY PRESS LIMITED"],
    [{ name: "Quillory Press, Leeds c/o Bean Counters LLP" }, "QUILLORY PRESS LIMITED"],
    [{ name: "Quillory Press Ltd t/a Carver", postcode: "LS1" }, "QUILLORY PRESS LIMITED"],
    [{ name: "Carver t/a Quillory Press Ltd", postcode: "LS1 1ZZ" }, "QUILLORY PRESS LIMITED"],
    [{ name: "Payment to Quillory Press Ltd, Leeds", postcode: "LS1 1ZZ" }, "QUILLORY PRESS LIMITED"],
    [{ name: "Home Care of York Ltd, Leeds" }, "HOME CARE OF YORK LTD"],
    [{ name: "Accounts Payable, Quillory Press Ltd, Leeds", postcode: "LS1 1ZZ" }, "QUILLORY PRESS LTD"],
    [{ name: "Carver Ltd (now Quillory Press Ltd)", postcode: "LS1 1ZZ" }, "QUILLORY PRESS LTD"],
    [{ name: "Carver Ltd, now known as Quillory Press Ltd", postcode: "LS1 1ZZ" }, "QUILLORY PRESS LTD"],
  ])("is the one that %j is about: %s", (question, name) => {
    expect(matched(question, name)).toBe(name);
  });

  it.each<[Question, string]>([
    [{ name: "Smith Plumbing Services" }, "J SMITH PLUMBING SERVICES LTD"],
    // One word, or words of many names, before a town may be half of a name.
    [{ name: "Quillory Leeds" }, "QUILLORY LTD"],
    [{ name: "Travel Services Leeds" }, "TRAVEL SERVICES LTD"],
    [{ name: "Quillory Press, Leeds", town: "York" }, "QUILLORY PRESS LTD"],
    [{ name: "John Smith Builders" }, "JOHN C SMITH BUILDERS LTD"],
    [{ name: "Greenfield Solar Ltd" }, "GREENFIELD SOLAR A LTD"],
    [{ name: "Quillory HR Ltd", postcode: "LS1 1ZZ" }, "QUILLORY LTD"],
    [{ name: "Able Consulting Ltd", postcode: "LS1" }, "CABLE CONSULTING LTD"],
  ])("is not one whose name is only near to %j: %s", (question, name) => {
    expect(matched(question, name)).toBeUndefined();
  });

  it("whose name is the digits of the question is the match, not one whose number they are", () => {
    const york = { locality: "York", postal_code: "YO1 7AB" };
    const numbered = {
      ...company("ZORBLATT LTD"),
      company_number: "00118118",
      registered_office_address: york,
    };
    const named = company("118118 LTD");
    const decideOn = (facts: Partial<MatchQuestion>, ...lines: CompanyLine[]) =>
      match({ type: "company", name: "118118", ...facts }, lines).find((one) => one.match)?.name;
    expect(decideOn({ postcode: "LS1 1ZZ" }, numbered, named)).toBe("118118 LTD");
    expect(decideOn({ postcode: "LS1 1ZZ" }, numbered)).toBeUndefined();
    expect(decideOn({}, numbered, named)).toBeUndefined();
    expect(decideOn({}, numbered)).toBe("ZORBLATT LTD");
    expect(decideOn({ number: "118118" }, numbered)).toBe("ZORBLATT LTD");
  });

  it.each(["-", "?", "***"])("is the one with the number beside %s, which is no name", (name) => {
    const line = company("QUILLORY LTD");
    expect(match({ type: "company", name, number: line.company_number }, [line])).toMatchObject([
      { match: true, reasons: ["number agrees"] },
    ]);
  });

  it("near a text without an ending is the match beside other names, but not beside one that begins so", () => {
    const matchBeside = (other: string) =>
      matched({ name: "Quarlmere Priss", postcode: "LS1 1ZZ" }, "QUARLMERE PRESS LTD", other);
    expect(matchBeside("ZORBLATT LTD")).toBe("QUARLMERE PRESS LTD");
    expect(matchBeside("QUARLMERE PRISS SERVICES LTD")).toBeUndefined();
  });

  it("with a former name equal to the text comes after one that has the name, and keeps the number in it", () => {
    const renamed = (name: string) => ({
      ...company("ZORBLATT LTD"),
      previous_company_names: [{ name, ceased_on: "2010-01-02" }],
    });
    const decideOn = (name: string, ...lines: CompanyLine[]) => match({ type: "company", name }, lines)[0];
    const both = decideOn("Quorn Ltd", renamed("QUORN LTD"), company("QUORN LTD"));
    expect(both).toMatchObject({ name: "QUORN LTD", match: false });
    const whole = decideOn("Quorn Ltd England", renamed("QUORN LTD"), company("QUORN LTD ENGLAND"));
    expect(whole).toMatchObject({ name: "QUORN LTD ENGLAND", match: true });
    expect(decideOn("1234567 Limited", renamed("1234567 LIMITED"))).toMatchObject({ match: true });
  });

  it("with the town in its name is the match, not one that is near the name before the comma", () => {
    const names = ["QUARLMERE PRESS (LEEDS) LTD", "QUARLMERE PRESSE LTD"];
    expect(matched({ name: "Quarlmere Press, Leeds" }, ...names)).toBe(names[0]);
  });

  it.each<[Question, string, string]>([
    [{ name: "12 High Street Ltd" }, "14 HIGH STREET LTD", "12 HIGH STREET LTD"],
    [{ name: "Quillory Holdings Ltd" }, "QUILLORY LTD", "QUILLORY HOLDINGS LTD"],
    [{ name: "Smith Plumbing & Heating Ltd", postcode: "LS1 1ZZ" }, "JONES PLUMBING & HEATING LTD", "SMITH PLUMBING & HEATING LTD"], // oxfmt-ignore
  ])("for %j with the number of %s is uncertain if %s has the name", (question, wrong, right) => {
    const lines = [wrong, right].map(company);
    const [numbered] = lines;
    const found = match({ type: "company", number: numbered?.company_number, ...question }, lines);
    expect(found.map((one) => one.match)).toEqual([false, false]);
    expect(found[0]?.reasons.at(-1)).toMatch(/^as likely: /);
  });

  it("with a country in its name is the match for a country after the ending, if the postcode is its own", () => {
    const york = { ...LEEDS, locality: "York", postal_code: "YO1 7AB" };
    const own = { ...company("ZORBLATT (UK) LTD"), registered_office_address: york };
    const [found] = match({ type: "company", name: "Zorblatt Ltd (UK)", postcode: "YO1 7AB" }, [
      company("ZORBLATT LTD"),
      own,
    ]);
    expect(found).toMatchObject({ match: true, name: "ZORBLATT (UK) LTD" });
  });

  it.each([
    "The Book Nook (Quillory Press Ltd)",
    "The Book Nook / Quillory Press Ltd",
    "The Book Nook: Quillory Press Ltd",
  ])("is the one whose name stands beside a trading name: %s", (name) => {
    expect(matched({ name, postcode: "LS1 1ZZ" }, "QUILLORY PRESS LIMITED")).toBe("QUILLORY PRESS LIMITED");
  });
});

/** The result of a question where each query finds this company. */
async function matchAgainst(line: CompanyLine, question: Question) {
  const found = { total: 1, hits: [hitOf(line)] };
  const search = (_indices: unknown, bodies: unknown[]) => Promise.resolve(bodies.map(() => found));
  // The cast: matching uses nothing else of the store.
  const store = { search, words: { fetch: () => Promise.resolve([]) } } as unknown as SearchStore;
  const [result] = await matchAll(store, [{ type: "company", ...question }]);
  return result;
}

it("no note says that a number in a company's name is not on the register", async () => {
  const notesOf = async (name: string) => (await matchAgainst(company("1234567 LIMITED"), { name }))?.notes;
  for (const name of [
    "1234567 Limited",
    "1234567 Limited (In Liquidation)",
    "1234567 Ltd, UK",
    "1234567 Limted",
  ])
    expect(await notesOf(name)).toEqual([]);
  expect(await notesOf("Quillory Ltd, 1234567")).toEqual(["number 01234567 is not on the register"]);
  const answer = await matchAgainst(company("QUILLORY LTD"), {
    name: "Quillory Ltd (In Liquidation), 1234567",
  });
  expect(answer?.notes).toEqual(["number 01234567 is not on the register"]);
});

it("a row with a cell that is too long is matched by its other cells", async () => {
  const [line, long] = [company("QUILLORY LTD"), "x ".repeat(100)];
  const { company_number: number } = line;
  const answerTo = async (question: Question) => {
    const { candidates = [], notes } = (await matchAgainst(line, question)) ?? {};
    return { match: candidates[0]?.match ?? false, notes };
  };
  const noteOf = (cell: string) => `the ${cell} is longer than 160 characters`;
  expect(await answerTo({ name: "Quillory Ltd", town: long })).toEqual({
    match: true,
    notes: [noteOf("town")],
  });
  expect(await answerTo({ name: long, number })).toEqual({ match: true, notes: [noteOf("name")] });
  expect(await answerTo({ name: long })).toEqual({ match: false, notes: [noteOf("name")] });
  expect(await answerTo({ name: "", town: long })).toEqual({
    match: false,
    notes: [noteOf("town"), "there is neither a name nor a number"],
  });
});

describe("an officer", () => {
  const found = (question: Question, line: Partial<OfficerLine>) =>
    match({ type: "officer", ...question }, [officer(line)])[0];

  it("is the match by a name with an address of theirs", () => {
    const jane = { forename: "Jane", surname: "QUORNSBY" };
    for (const name of ["Jane Quornsby, 12 High Street, Leeds, LS1 1ZZ", "Jane Quornsby Leeds LS1 1ZZ"])
      expect(found({ name }, jane)).toMatchObject({ match: true });
    // WETHERBY is in no address of hers, so it may be a surname.
    expect(found({ name: "Jane Quornsby Wetherby LS1 1ZZ" }, jane)).toMatchObject({ match: false });
  });

  it("is the match by a name before an alias, even if another person has the alias as name", () => {
    const born = (line: Partial<OfficerLine>, year: number, month: number) =>
      officer({ ...line, date_of_birth: { year, month } });
    const jane = born({ forename: "Jane", surname: "QUORNSBY" }, 1962, 5);
    const smithers = born({ forename: "Jane", surname: "SMITHERS" }, 1970, 1);
    for (const name of ["Jane Quornsby aka Jane Smithers", "Jane Quornsby dba The Book Nook"])
      expect(match({ type: "officer", name, born: "1962-05" }, [smithers, jane])[0]).toMatchObject({
        match: true,
        id: jane.officer_id,
      });
    const kofi = born({ forename: "Kofi", surname: "MENSAH" }, 1962, 5);
    const boateng = born({ forename: "Kofi", other_forenames: "Mensah Aka", surname: "BOATENG" }, 1962, 5);
    const question = { type: "officer", name: "Kofi Mensah Aka Boateng", born: "1962-05" } as const;
    expect(match(question, [kofi, boateng])[0]).toMatchObject({ match: true, id: boateng.officer_id });
  });

  it("that is a corporate body may have a postcode in its name, which only differs if it is also given as one", () => {
    const body = { corporate_name: "SE1 2LZ FREEHOLD LIMITED" };
    expect(found({ name: "SE1 2LZ Freehold Ltd" }, body)?.reasons).toEqual(["same name"]);
    const there = { ...body, address: { ...LEEDS, postal_code: "SE1 2LZ" } };
    expect(found({ name: "SE1 2LZ Freehold Ltd" }, there)).toMatchObject({ match: true });
    expect(found({ name: "SE1 2LZ Freehold Ltd", postcode: "SE1 2LZ" }, body)?.reasons).toEqual([
      "same name",
      "postcode differs: the register has LS1 1ZZ",
    ]);
  });

  it("is not the match with another postcode or number in the text, which are no part of a person's name", () => {
    const jane = { forename: "Jane", surname: "QUORNSBY", date_of_birth: { year: 1962, month: 5 } };
    const answerTo = (name: string) => found({ name, born: "1962-05" }, jane);
    expect(answerTo("Jane Quornsby")).toMatchObject({ match: true });
    expect(answerTo("Jane Quornsby, LS2 2ZZ")).toMatchObject({ match: false });
    expect(answerTo("Jane Quornsby, company no. 00999999")).toMatchObject({ match: false });
  });

  it("with another letter in the forename needs a date of birth, because a family shares the rest", () => {
    const joan = { forename: "Joan", surname: "QUORNSBY", date_of_birth: { year: 1962, month: 5 } };
    expect(found({ name: "John Quornsby", postcode: "LS1 1ZZ" }, joan)).toMatchObject({ match: false });
    expect(found({ name: "John Quornsby", born: "1962-05" }, joan)).toMatchObject({ match: true });
    expect(found({ name: "Joan Quornsby", postcode: "LS1 1ZZ" }, joan)).toMatchObject({ match: true });
    expect(found({ name: "Joan Quornsby", postcode: "LS1" }, joan)).toMatchObject({ match: false });
  });

  it("with another letter in a later forename needs a date of birth, too", () => {
    const philip = { forename: "John", other_forenames: "Philip", surname: "QUORNSBY" };
    const line = { ...philip, date_of_birth: { year: 1962, month: 5 } };
    expect(found({ name: "John Phillip Quornsby", postcode: "LS1 1ZZ" }, line)).toMatchObject({
      match: false,
    });
    expect(found({ name: "John Phillip Quornsby", born: "1962-05" }, line)).toMatchObject({ match: true });
  });

  it("is the match by initials without dots", () => {
    const jane = { forename: "Jane", other_forenames: "Mary", surname: "QUORNSBY" };
    const question = { postcode: "LS1 1ZZ" };
    for (const name of ["J.M. Quornsby", "JM Quornsby", "QUORNSBY, JM"])
      expect(found({ name, ...question }, jane)).toMatchObject({ match: true });
    for (const name of ["JR Quornsby", "JMA Quornsby"])
      expect(found({ name, ...question }, jane)).toMatchObject({ match: false });
  });
});
