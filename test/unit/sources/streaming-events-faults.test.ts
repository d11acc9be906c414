/** Streaming events with faults: which are refused, and the unknown member that only gives a warning. */
import { describe, expect, it } from "@jest/globals";
import facts from "../../fixtures/register/facts.json" with { type: "json" };
import { refusalsOf } from "../../support/snapshot-files.ts";
import { ENVELOPE, EVENT, mapEvent, mapStream } from "../../support/streaming-events.ts";

describe("an event with an unknown member", () => {
  const odd = { data: { ...ENVELOPE.data, colour: "red" } };

  it("is applied without it, with a warning", () => {
    expect(mapEvent(odd)).toMatchObject({
      kind: "record",
      data: ENVELOPE.data,
      warnings: ["colour: is not a member of this kind, ignored"],
    });
    expect(mapEvent(odd)).not.toHaveProperty("data.colour");
  });

  it("that deletes still identifies its record", () => {
    const deleted = mapEvent(odd, { ...EVENT, type: "deleted" });
    expect(deleted).toMatchObject({ kind: "removal", id: "99000064" });
  });
});

describe("an event with a text far longer than any in the register", () => {
  // A pattern with quadratic backtracking would not end within an hour.
  const many = (text: string) => text.repeat(1_000_000);

  it.each([
    ["blanks", "registered_office_address.address_line_1", `a${many(" ")}b`],
    ["commas", "registered_office_address.locality", `a${many(",")}b`],
    ["dots", "registered_office_address.postal_code", `a${many(".")}b`],
    ["blanks after a line break", "company_name", `A\nB${many(" ")}C`],
  ])("full of %s is refused by the schema", (_what, field, text) => {
    const [outer = "", inner] = field.split(".");
    const value = inner === undefined ? text : { [inner]: text };
    const outcome = mapEvent({ data: { ...ENVELOPE.data, [outer]: value } });
    if (outcome.kind !== "record") throw new Error(outcome.kind);
    expect(outcome.record.check(outcome.data)).toMatchObject({
      field,
      reason: expect.stringMatching(/^must have at most [\d,]+ characters$/),
    });
  });

  it("finds its company by an address full of slashes", () => {
    const uri = `${ENVELOPE.resource_uri}${many("/")}`;
    const uris = [uri, `${uri}x`].map((resource_uri) => mapEvent({ resource_uri }));
    expect(uris).toMatchObject([
      { kind: "record", event: { stamp: { uri: ENVELOPE.resource_uri } } },
      { kind: "record", event: { stamp: { uri: `${uri}x` } } },
    ]);
  });
});

describe("an event that cannot be applied", () => {
  it.each([
    ["without uri", { resource_uri: undefined }, EVENT, "resource_uri", /missing/],
    ["without kind", { resource_kind: undefined }, EVENT, "resource_kind", /missing/],
    ["without id", { resource_id: undefined }, EVENT, "resource_id", /missing/],
    ["without event", { event: undefined }, EVENT, "event", /missing/],
    ["of an unknown kind", { resource_kind: "company-cats" }, EVENT, "resource_kind", /company-cats/],
    ["of an unknown type", {}, { ...EVENT, type: "moved" }, "event.type", /moved/],
    ["without timepoint", {}, { ...EVENT, timepoint: undefined }, "event.timepoint", /not a timepoint/],
    ["with a broken timepoint", {}, { ...EVENT, timepoint: 1.5 }, "event.timepoint", /1\.5/],
    ["without moment", {}, { ...EVENT, published_at: undefined }, "event.published_at", /none/],
    [
      "with an impossible moment",
      {},
      { ...EVENT, published_at: "2026-13-02T09:00:00" },
      "event.published_at",
      /13/,
    ],
    ["changed, without data", { data: undefined }, EVENT, "data", /not a JSON object/],
    [
      "with the address of no company",
      { resource_uri: "/officers/1" },
      { ...EVENT, type: "deleted" },
      "resource_uri",
      /names no/,
    ],
  ])("%s is refused with its reason", (_what, changes, event, field, reason) => {
    expect(mapEvent(changes, event)).toMatchObject({
      kind: "refused",
      field,
      reason: expect.stringMatching(reason),
    });
  });

  it("does not affect the other events of its file", async () => {
    const outcomes = await mapStream("edge-cases/filings-cut-and-out-of-order");
    const expected = facts.files["streams/edge-cases/filings-cut-and-out-of-order.ndjson"];
    expect(outcomes).toHaveLength(expected.lines);
    expect(outcomes.map(({ kind }) => kind)).toEqual(["record", "record", "refused", "refused"]);
    expect(refusalsOf(outcomes)).toMatchObject({
      3: expect.stringMatching(/resource_uri is missing/),
      4: expect.stringMatching(/not JSON.*cut/),
    });
  });
});
