import { expect, it } from "@jest/globals";
import { inTurn, rotate } from "../../../../scripts/bench/turns.ts";

it.each([
  [0, ["one", "other"]],
  [1, ["other", "one"]],
  [2, ["one", "other"]],
])(
  "runs two measurements in the order of turn %i, and returns their results in their own order",
  async (turn, order) => {
    const begun: string[] = [];
    const measure = (name: string) => () => Promise.resolve(begun.push(name)).then(() => name);
    expect(await inTurn(turn, measure("one"), measure("other"))).toEqual(["one", "other"]);
    expect(begun).toEqual(order);
  },
);

it("waits for the first measurement before it begins the second", async () => {
  let isMeasuring = false;
  const measure = async () => {
    expect(isMeasuring).toBe(false);
    isMeasuring = true;
    await Promise.resolve();
    isMeasuring = false;
  };
  await inTurn(0, measure, measure);
  await inTurn(1, measure, measure);
});

it("begins each turn with the next value", () => {
  const values = ["a", "b", "c"];
  expect([0, 1, 2, 3].map((turn) => rotate(values, turn).join(""))).toEqual(["abc", "bca", "cab", "abc"]);
});
