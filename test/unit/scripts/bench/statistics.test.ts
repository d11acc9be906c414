import { describe, expect, it } from "@jest/globals";
import { Reservoir } from "../../../../scripts/bench/search/reservoir.ts";
import { createRandom, shuffle } from "../../../../scripts/bench/random.ts";
import { median, quantile } from "../../../../scripts/bench/statistics.ts";
import { formatTable } from "../../../../scripts/bench/table.ts";

describe("quantiles", () => {
  it.each([
    ["the middle of an odd number", [30, 10, 20], 0.5, 20],
    ["the mean of the two in the middle", [4, 1, 3, 2], 0.5, 2.5],
    ["in proportion between two values", [0, 10], 0.95, 9.5],
    ["the only value", [7], 0.95, 7],
    ["the highest value", [1, 3, 2], 1, 3],
  ])("are %s", (_what, values, share, expected) => {
    expect(quantile(values, share)).toBe(expected);
  });

  it("leave the values in their order", () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });

  it("are NaN if there is no value", () => {
    expect(median([])).toBeNaN();
  });
});

describe("seeded chance", () => {
  const draw = (seed: number) => {
    const random = createRandom(seed);
    return Array.from({ length: 50 }, () => random.below(10));
  };

  it("repeats for a seed", () => {
    expect(draw(7)).toEqual(draw(7));
  });

  it("differs between seeds", () => {
    expect(draw(7)).not.toEqual(draw(8));
  });

  it("draws every number below the end and no other", () => {
    expect([...new Set(draw(1))].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("says that there is nothing to pick from", () => {
    expect(() => createRandom(1).pick([])).toThrow("nothing to pick");
  });

  it("shuffles without losing or repeating a value", () => {
    const values = Array.from({ length: 100 }, (_none, number) => number);
    const shuffled = shuffle(values, createRandom(3));
    expect(shuffled).not.toEqual(values);
    expect(shuffled.toSorted((a, b) => a - b)).toEqual(values);
  });
});

describe("a sample of a stream of values", () => {
  it("has all values if there are few", () => {
    const sample = new Reservoir<number>(5, createRandom(1));
    for (const value of [1, 2, 3]) sample.offer(value);
    expect(sample.values).toEqual([1, 2, 3]);
  });

  it("has its size and comes from the whole", () => {
    const sample = new Reservoir<number>(100, createRandom(1));
    for (let value = 0; value < 10_000; value += 1) sample.offer(value);
    expect(sample.values).toHaveLength(100);
    expect(new Set(sample.values).size).toBe(100);
    const mean = sample.values.reduce((sum, value) => sum + value, 0) / 100;
    // Five times the deviation of such a mean, so that only a sample that leans to one end is outside.
    expect(Math.abs(mean - 5_000)).toBeLessThan(1_450);
  });
});

it("aligns names left and numbers right", () => {
  const rows = [
    ["kind", "ms"],
    ["a long kind", "1.00"],
    ["b", "12.00"],
  ];
  expect(formatTable(rows)).toEqual(["kind            ms", "a long kind   1.00", "b            12.00"]);
});
