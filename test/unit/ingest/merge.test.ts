import { describe, expect, it } from "@jest/globals";
import { mergeRecords } from "../../../ingest/merge.ts";

const TELLS = ["name", "status", "detail", "address"];

describe("mergeRecords", () => {
  it("takes what the source tells, absence included", () => {
    const held = { name: "OLD LTD", status: "active", detail: "proposal-to-strike-off" };
    expect(mergeRecords(held, { name: "NEW LTD", status: "active" }, TELLS)).toEqual({
      name: "NEW LTD",
      status: "active",
    });
  });

  it("keeps what the source does not tell of", () => {
    const held = { name: "A LTD", dispute: true };
    expect(mergeRecords(held, { name: "A LTD" }, TELLS)).toEqual({ name: "A LTD", dispute: true });
  });

  it("fills a gap with what the source only infers, and lets the held value win", () => {
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
});
