import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { NumberSet } from "../../../api/shared/stores/collections/number-set.ts";

const anEnd = fc.oneof(
  fc.integer({ min: 0, max: 9999 }).map((number) => String(number).padStart(4, "0")),
  fc.constantFrom("001R", "12", "00012", "A", "1.5", "-123"),
);

describe("a set of ends of company numbers", () => {
  it("has what was added and not deleted, also after it was a text", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anEnd, fc.boolean())), (steps) => {
        const expected = new Set<string>();
        const numbers = new NumberSet();
        for (const [end, isAdded] of steps) {
          for (const set of [expected, numbers]) set[isAdded ? "add" : "delete"](end);
        }
        for (const set of [numbers, NumberSet.fromText(numbers.toText())]) {
          expect([...set].sort()).toEqual([...expected].sort());
          for (const [end] of steps) expect(set.has(end)).toBe(expected.has(end));
        }
      }),
    );
  });

  it("is stored as a text list while it is small, then as bits and a list of the others", () => {
    const few = new NumberSet(["0017", "001R", "9999"]);
    expect(few.toText()).toBe("0017,9999,001R");
    const all = new NumberSet(Array.from({ length: 10_000 }, (_none, at) => String(at).padStart(4, "0")));
    all.add("001R");
    all.delete("0000");
    expect(all.toText()).toHaveLength("bits:".length + 1_668 + ",001R".length);
    const read = NumberSet.fromText(all.toText());
    expect([...read]).toHaveLength(10_000);
    expect([read.has("0000"), read.has("0001"), read.has("9999"), read.has("001R")]).toEqual([
      ...[false, true, true, true],
    ]);
  });

  it("is an empty text while nothing is in it", () => {
    expect(new NumberSet().toText()).toBe("");
    expect([...NumberSet.fromText("")]).toEqual([]);
  });
});
