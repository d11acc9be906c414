import { expect, it } from "@jest/globals";
import { Census } from "../../../ingest/verify/census.ts";

const ids = Array.from({ length: 2_000 }, (_, at) => `id-${at}`);

function compare(left: string[], right: string[]): Census {
  const census = new Census();
  for (const id of left) census.add(id);
  for (const id of right) census.remove(id);
  return census;
}

it("finds equal sets equal, in any order", () => {
  expect(compare(ids, ids.toReversed()).differs()).toBe(false);
});

it.each([
  ["one that only the first has", ids, ids.slice(1), ["id-0"]],
  ["one that only the second has", ids.slice(1), ids, ["id-0"]],
  ["one for another", [...ids, "left"], [...ids, "right"], ["left", "right"]],
  ["one that comes twice", [...ids, "id-5"], ids, ["id-5"]],
])("suspects %s, and hardly any other", (_what, left, right, expected) => {
  const census = compare(left, right);
  expect(census.differs()).toBe(true);
  expect(expected.filter((id) => !census.suspects(id))).toEqual([]);
  expect(ids.filter((id) => census.suspects(id)).length).toBeLessThan(10);
});
