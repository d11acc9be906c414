/** Which queries are read as more than a name even if names with all words exist, which costs a second request. */
import { describe, expect, test } from "@jest/globals";
import {
  anyReadability,
  checkedReadability,
  companyReadability,
} from "../../../../api/search/reading/readability.ts";

describe("a query for companies", () => {
  test.each([
    "Quillory Ltd, Leeds",
    "Quillory Leeds",
    "Leeds Quillory",
    "Quillory Ltd t/a Inkwell",
    "Quillory (00912345)",
    "Company no. 00912345",
    "Quillory LS1 1ZZ",
    "LS1 1ZZ",
    "Invoice from Quillory",
    "Pizza Express Ltd, London",
    "Cafe PLC UK",
  ])("is more than a name: %j", (q) => {
    expect(companyReadability(q)).toEqual({ isMore: true, isReadable: true });
  });

  test.each([
    "Quillory Press",
    "Quillory Press Ltd",
    "Quillory Press & Sons",
    "Pizza Express London",
    // The plain query finds QUILLORY LTD and QUILLORY CARS for these.
    "The Quillory L",
    "The Quillory Lim",
    // Perhaps several words without their spaces.
    "quilor",
  ])("may be more than a name: %j", (q) => {
    expect(companyReadability(q)).toEqual({ isMore: false, isReadable: true });
  });

  test.each([
    "Quill",
    "of the and",
    "The Group Ltd",
    "Company Services Ltd",
    "Services London",
    "Services, Group",
    "00912345",
    "(SC090123)",
    "",
  ])("has nothing to read: %j", (q) => {
    expect(companyReadability(q)).toEqual({ isMore: false, isReadable: false });
  });
});

describe("a query for people and bodies", () => {
  test.each([
    "Harold Nomanby OBE",
    "Harold Nomanby 1970",
    "1970",
    "Harold Nomanby, Leeds",
    "Harold Nomanby LS1 1ZZ",
    "Mr & Mrs Nomanby",
  ])("is more than a name: %j", (q) => {
    expect(anyReadability(q)).toEqual({ isMore: true, isReadable: true });
  });

  test.each([
    "Harold Nomanby",
    "Mr Dean Nomanby",
    "HJ Nomanby",
    "PF Plumbing Ltd",
    "Quillory Press Ltd",
    "Jane Nomanby - Quillory Brant",
    "Nomanby Mr Harold John",
  ])("may be more than a name: %j", (q) => {
    expect(anyReadability(q)).toEqual({ isMore: false, isReadable: true });
  });

  test("that checks a person is read even if names with all words exist, unless it is one word", () => {
    expect(checkedReadability("Harold Nomanby")).toEqual({ isMore: true, isReadable: true });
    expect(checkedReadability("Nomanby")).toEqual({ isMore: false, isReadable: true });
  });

  test.each(["Noman", "of the and"])("has nothing to read: %j", (q) => {
    expect(anyReadability(q)).toEqual({ isMore: false, isReadable: false });
  });
});
