/** Names as lists have them, with an address, a number of another kind, initials: which of some records is the match. */
import { describe, expect, it } from "@jest/globals";
import type { Candidate, MatchQuestion } from "../../../api/matching/define-match.ts";
import { decide } from "../../../api/matching/decide.ts";
import { matchings } from "../../../api/matching/matcher.ts";
import { findIndex } from "../../../index-mappings/index.ts";
import { aCompany, anOfficer, type CompanyLine, type OfficerLine } from "../../support/search-records.ts";

type Question = Partial<MatchQuestion> & { name: string };

/** The candidates that the records are, the best first. */
function match(question: MatchQuestion, lines: (CompanyLine | OfficerLine)[]): Candidate[] {
  const { index, read } = matchings[question.type];
  const { compare } = read(question);
  const compared = lines.map((line) => {
    const isCompany = "company_name" in line;
    const document = findIndex(index).document(isCompany ? [aCompany(line)] : anOfficer(line));
    // Through JSON and back, as the engine returns it.
    const source = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
    return compare({
      index,
      id: isCompany ? line.company_number : line.officer_id,
      score: 1,
      source,
      sort: [],
    });
  });
  return decide(compared, lines.length);
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

  it("is not the place behind a web address, a number or a postcode that is a part of its name", () => {
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
    "Quillory Trust £125000",
  ])("is not another one for a number of another kind or an amount: %s", (name) => {
    const [found] = match({ type: "company", name, postcode: "LS1 1ZZ" }, [
      { ...company("QUILLORY TRUST"), company_number: "91000099" },
    ]);
    expect(found).toMatchObject({ match: true, name: "QUILLORY TRUST" });
  });

  it.each([
    "The Book Nook (Quillory Press Ltd)",
    "The Book Nook / Quillory Press Ltd",
    "The Book Nook: Quillory Press Ltd",
  ])("is the one beside its trading name: %s", (name) => {
    expect(matched({ name, postcode: "LS1 1ZZ" }, "QUILLORY PRESS LIMITED")).toBe("QUILLORY PRESS LIMITED");
  });
});

describe("an officer", () => {
  const found = (question: Question, line: Partial<OfficerLine>) =>
    match({ type: "officer", ...question }, [officer(line)])[0];

  it("is found by a name with an address", () => {
    const jane = { forename: "Jane", surname: "QUORNSBY" };
    for (const name of ["Jane Quornsby, 12 High Street, Leeds, LS1 1ZZ", "Jane Quornsby Leeds LS1 1ZZ"])
      expect(found({ name }, jane)).toMatchObject({ match: true });
    // The words behind the name are those of no address of hers: they may be her surname.
    expect(found({ name: "Jane Quornsby Wetherby LS1 1ZZ" }, jane)).toMatchObject({ match: false });
  });

  it("is found by initials without dots", () => {
    const jane = { forename: "Jane", other_forenames: "Mary", surname: "QUORNSBY" };
    const question = { postcode: "LS1 1ZZ" };
    for (const name of ["J.M. Quornsby", "JM Quornsby", "QUORNSBY, JM"])
      expect(found({ name, ...question }, jane)).toMatchObject({ match: true });
    for (const name of ["JR Quornsby", "JMA Quornsby"])
      expect(found({ name, ...question }, jane)).toMatchObject({ match: false });
  });
});
