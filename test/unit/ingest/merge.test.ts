import { describe, expect, it } from "@jest/globals";
import { besides, mergeRecords, value, wholly } from "../../../ingest/statements/merge.ts";

const TELLS = { name: wholly, status: wholly, detail: wholly, address: wholly };

describe("mergeRecords", () => {
  it("takes a member that a source states wholly, even when it is absent", () => {
    const stored = { name: "OLD LTD", status: "active", detail: "proposal-to-strike-off" };
    expect(mergeRecords(stored, { name: "NEW LTD", status: "active" }, TELLS)).toEqual({
      name: "NEW LTD",
      status: "active",
    });
  });

  it("keeps members that the source does not state", () => {
    const stored = { name: "A LTD", dispute: true };
    expect(mergeRecords(stored, { name: "A LTD" }, TELLS)).toEqual({ name: "A LTD", dispute: true });
  });

  it("fills a gap with a value that the source only infers, but keeps a stored value", () => {
    expect(mergeRecords({ name: "A" }, { name: "A", jurisdiction: "england-wales" }, TELLS)).toEqual({
      name: "A",
      jurisdiction: "england-wales",
    });
    expect(mergeRecords({ jurisdiction: "wales" }, { jurisdiction: "england-wales" }, TELLS)).toEqual({
      jurisdiction: "wales",
    });
  });

  it("keeps a richer member that says the same and more", () => {
    const rich = { address: { premises: "62", street: "Pretend Avenue", town: "King's Lynn" } };
    expect(mergeRecords(rich, { address: { street: "PRETEND AVENUE", town: "KING'S LYNN" } }, TELLS)).toEqual(
      rich,
    );
  });

  it("takes a poorer member that says something else", () => {
    const rich = { address: { premises: "62", street: "Pretend Avenue" } };
    const moved = { address: { street: "SAMPLE ROAD" } };
    expect(mergeRecords(rich, moved, TELLS)).toEqual(moved);
  });

  it("takes a list that has grown or shrunk", () => {
    expect(mergeRecords({ name: ["a"] }, { name: ["a", "b"] }, TELLS)).toEqual({ name: ["a", "b"] });
    expect(mergeRecords({ name: ["a", "b"] }, { name: ["a"] }, TELLS)).toEqual({ name: ["a"] });
  });

  it("keeps the stored value of a member that is stated only by a value", () => {
    const tells = { name: value, detail: value, status: wholly };
    const stored = { name: "A LTD", detail: "x", status: "active" };
    expect(mergeRecords(stored, { name: "B LTD" }, tells)).toEqual({ name: "B LTD", detail: "x" });
  });

  it("takes several members as a whole, and keeps them when none is stated", () => {
    const tells = { on: besides("on", "before"), before: besides("on", "before") };
    expect(mergeRecords({ before: "1991-01-01" }, { on: "1990-01-01" }, tells)).toEqual({ on: "1990-01-01" });
    expect(mergeRecords({ before: "1991-01-01" }, {}, tells)).toEqual({ before: "1991-01-01" });
  });

  it("keeps the tag of a source as long as its content, and no longer", () => {
    const stored = { name: "A LTD", etag: "1".repeat(40) };
    expect(mergeRecords(stored, { name: "a ltd" }, { name: value })).toEqual(stored);
    expect(mergeRecords(stored, { name: "B LTD" }, { name: value })).toEqual({ name: "B LTD" });
    expect(mergeRecords(stored, { name: "A LTD", town: "LEEDS" }, { name: value })).not.toHaveProperty(
      "etag",
    );
    const own = { name: "B LTD", etag: "2".repeat(40) };
    expect(mergeRecords(stored, own, { name: value, etag: value })).toEqual(own);
  });
});
