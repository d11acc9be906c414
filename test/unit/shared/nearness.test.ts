import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import {
  editDistance,
  editsAllowed,
  letterBits,
  mayBeWithin,
  formsOfTyped,
  formsOfWord,
} from "../../../api/shared/values/nearness.ts";

const letter = fc.constantFrom(..."ABCD", "𐐷");

/** A word, and another made of it with at most so many edits. */
const pairs = fc
  .tuple(
    fc.array(letter, { minLength: 3, maxLength: 16 }),
    fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), letter), { maxLength: 2 }),
  )
  .map(([letters, edits]) => {
    const other = edits.reduce((word, [place, kind, put]) => {
      const at = place % Math.max(word.length, 1);
      if (kind === 0) return word.toSpliced(at, 1);
      if (kind === 1) return word.toSpliced(at, 0, put);
      if (kind === 2) return word.toSpliced(at, 1, put);
      return word.toSpliced(at, 2, ...word.slice(at, at + 2).reverse());
    }, letters);
    return [letters.join(""), other.join("")] as const;
  });

it("the check of letters never rules out words that are near each other", () => {
  fc.assert(
    fc.property(pairs, ([word, other]) => {
      const edits = editDistance(word, other);
      expect(mayBeWithin(edits, letterBits(word), letterBits(other))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
  expect(mayBeWithin(1, letterBits("HAVERSTOL"), letterBits("QUILLORY"))).toBe(false);
});

describe("the forms of two words", () => {
  it("have one in common if the words are near each other", () => {
    fc.assert(
      fc.property(pairs, ([typed, word]) => {
        fc.pre(word.length > 1 && editDistance(typed, word) <= editsAllowed(typed));
        const forms = new Set(formsOfWord(word));
        expect(formsOfTyped(typed).filter((form) => forms.has(form))).not.toEqual([]);
      }),
      { numRuns: 5_000 },
    );
  });

  it("are their first eight letters with up to two left out", () => {
    expect(formsOfWord("MILL")).toEqual(["MILL", "ILL", "MLL", "MIL"]);
    expect(formsOfWord("NORTHWYCKLE")).toContain("NRTHYC");
    expect(formsOfWord("NORTHWYCKLE").every((form) => form.length >= 6)).toBe(true);
    expect(formsOfTyped("NORTH")).toEqual(["NORTH", "ORTH", "NRTH", "NOTH", "NORH", "NORT"]);
  });

  it("have one in common if one word has Y and the other IES", () => {
    expect(formsOfTyped("FAMILY")).toContain(formsOfWord("FAMILIES")[0]);
    expect(formsOfTyped("PROPERTIES")).toContain(formsOfWord("PROPERTY")[0]);
  });

  it("do not exist for a word that may have no slip, or that is extremely long", () => {
    expect(formsOfTyped("UK")).toEqual([]);
    expect(formsOfTyped("X".repeat(65))).toEqual([]);
  });
});
