/** Which ids were added to a very large set. */
import { expect, it } from "@jest/globals";
import { IdSet } from "../../../ingest/load/id-set.ts";

it("a set has exactly the ids that were added, each only in its own collection", () => {
  const ids = new IdSet(3);
  for (const id of ["1", "2", "2"]) ids.add("companies", id);
  ids.add("persons", "é");
  expect(["1", "2", "é"].map((id) => ids.has("companies", id))).toEqual([true, true, false]);
  expect(["1", "2", "é"].map((id) => ids.has("persons", id))).toEqual([false, false, true]);
});

it("an empty set has no ids, even if it expects none", () => {
  expect([0, 5].map((expected) => new IdSet(expected).has("companies", "1"))).toEqual([false, false]);
});

it("a set accepts as many ids as expected, and throws at one more", () => {
  const ids = new IdSet(1);
  ids.add("companies", "1");
  ids.add("companies", "1");
  expect(() => ids.add("companies", "2")).toThrow("more ids than the 1 that were expected");
});

it("a set distinguishes many similar ids", () => {
  const count = 100_000;
  const idAt = (at: number) => `${String(at).padStart(8, "0")}-${(at * 7_919) % 1_000_003}`;
  const ids = new IdSet(count);
  const places = Array.from({ length: 2 * count }, (_none, at) => at);
  for (const at of places) if (at % 2 === 0) ids.add("appointments", idAt(at));
  expect(places.filter((at) => ids.has("appointments", idAt(at)) !== (at % 2 === 0))).toEqual([]);
});
