import { describe, expect, it } from "@jest/globals";
import { besides, mergeRecords, value, wholly } from "../../../ingest/statements/merge.ts";

const RULES = { name: wholly, status: wholly, detail: wholly, address: wholly };

describe("mergeRecords", () => {
  it("takes a member with the rule `wholly` from the source, and removes it if the source lacks it", () => {
    const stored = { name: "OLD LTD", status: "active", detail: "proposal-to-strike-off" };
    expect(mergeRecords(stored, { name: "NEW LTD", status: "active" }, RULES)).toEqual({
      name: "NEW LTD",
      status: "active",
    });
  });

  it("keeps members without a rule that the source lacks", () => {
    const stored = { name: "A LTD", dispute: true };
    expect(mergeRecords(stored, { name: "A LTD" }, RULES)).toEqual({ name: "A LTD", dispute: true });
  });

  it("takes a member without a rule only if none is stored", () => {
    expect(mergeRecords({ name: "A" }, { name: "A", jurisdiction: "england-wales" }, RULES)).toEqual({
      name: "A",
      jurisdiction: "england-wales",
    });
    expect(mergeRecords({ jurisdiction: "wales" }, { jurisdiction: "england-wales" }, RULES)).toEqual({
      jurisdiction: "wales",
    });
  });

  it("keeps a stored member that says the same and more", () => {
    const rich = { address: { premises: "62", street: "Pretend Avenue", town: "King's Lynn" } };
    expect(mergeRecords(rich, { address: { street: "PRETEND AVENUE", town: "KING'S LYNN" } }, RULES)).toEqual(
      rich,
    );
  });

  it("takes an incoming member that says less, but something else", () => {
    const rich = { address: { premises: "62", street: "Pretend Avenue" } };
    const moved = { address: { street: "SAMPLE ROAD" } };
    expect(mergeRecords(rich, moved, RULES)).toEqual(moved);
  });

  it("takes a list that has grown or shrunk", () => {
    expect(mergeRecords({ name: ["a"] }, { name: ["a", "b"] }, RULES)).toEqual({ name: ["a", "b"] });
    expect(mergeRecords({ name: ["a", "b"] }, { name: ["a"] }, RULES)).toEqual({ name: ["a"] });
  });

  it("keeps a stored member with the rule `value` if the source lacks it", () => {
    const rules = { name: value, detail: value, status: wholly };
    const stored = { name: "A LTD", detail: "x", status: "active" };
    expect(mergeRecords(stored, { name: "B LTD" }, rules)).toEqual({ name: "B LTD", detail: "x" });
  });

  it("takes members with the rule `besides` together, and keeps them if the source lacks all", () => {
    const rules = { on: besides("on", "before"), before: besides("on", "before") };
    expect(mergeRecords({ before: "1991-01-01" }, { on: "1990-01-01" }, rules)).toEqual({ on: "1990-01-01" });
    expect(mergeRecords({ before: "1991-01-01" }, {}, rules)).toEqual({ before: "1991-01-01" });
  });

  it("keeps the stored etag until the content changes, or the source gives its own", () => {
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
