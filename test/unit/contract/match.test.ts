import { describe, expect, it } from "@jest/globals";
import { matchPart } from "../../../scripts/contract/run-case.ts";

describe("an answer matches", () => {
  it.each([
    ["a member of several", { a: 1 }, { a: 1, b: 2 }],
    ["equal values", { a: [null, "x", 1.5, false] }, { a: [null, "x", 1.5, false] }],
    ["items by their part", [{ a: 1 }, {}], [{ a: 1, b: 2 }, { c: 3 }]],
    ["a pattern", { a: { $matches: "^é$" } }, { a: "é" }],
    ["an absent member", { a: { $absent: true } }, {}],
    ["a present member", { a: { $absent: false } }, { a: null }],
    ["a length", { $length: 2 }, [1, 2]],
    ["an item among others", { $contains: { a: 1 } }, [{ a: 2 }, { a: 1 }]],
    ["every item", { $each: { a: 1 } }, [{ a: 1 }, { a: 1, b: 2 }]],
    ["a least number", { $atLeast: 2 }, 2],
    ["several checks at once", { $length: 1, $contains: 1 }, [1]],
  ])("by %s", (_what, expected, actual) => {
    expect(matchPart(expected, actual)).toBeNull();
  });
});

describe("a mismatch is reported with its place", () => {
  it.each([
    [{ a: { b: 1 } }, { a: { b: 2 } }, "/a/b is 2, expected 1"],
    [{ a: 1 }, {}, "/a is absent, expected 1"],
    [{ a: 1 }, { a: "1" }, '/a is "1", expected 1'],
    [{ a: {} }, { a: null }, "/a is null, expected an object"],
    [{ a: {} }, { a: [] }, "/a is [], expected an object"],
    [{ a: [1] }, { a: [1, 2] }, "/a has 2 items, expected 1"],
    [[{ a: 1 }], {}, " is {}, expected a list"],
    [{ a: { $matches: "^x" } }, { a: 1 }, "/a is 1, expected to fit ^x"],
    [{ a: { $absent: true } }, { a: null }, "/a is null"],
    [{ a: { $absent: false } }, {}, "/a is absent, expected"],
    [{ $length: 2 }, "ab", " has no items, expected 2"],
    [{ $contains: 1 }, [2], " has no item like 1"],
    [{ $each: 1 }, [], " has no items"],
    [{ $each: 1 }, [1, 2], "/1 is 2, expected 1"],
    [{ $atLeast: 2 }, 1, " is 1, expected at least 2"],
    [null, undefined, " is absent, expected null"],
  ])("expected %j, got %j", (expected, actual, mismatch) => {
    expect(matchPart(expected, actual)).toBe(mismatch);
  });
});

it("refuses an unknown operator", () => {
  expect(() => matchPart({ $like: 1 }, 1)).toThrow("$like is not a known check");
});
