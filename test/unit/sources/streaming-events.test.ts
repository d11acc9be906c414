import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { isBlank, isUnreadable, readRows } from "../../../ingest/readers/read-rows.ts";
import { recogniseSource } from "../../../ingest/recognise.ts";
import type { Outcome, RawRow } from "../../../ingest/define-source.ts";
import { apiJsonLines } from "../../../ingest/sources/api-json-lines.ts";
import { sources } from "../../../ingest/sources/index.ts";
import { streamingEvents } from "../../../ingest/sources/streaming-events.ts";
import facts from "../../fixtures/register/facts.json" with { type: "json" };
import { SAMPLE } from "../../support/sample-register.ts";
import { countKinds, refusalsOf } from "../../support/snapshot-files.ts";

const FIXTURES = `${SAMPLE}/streams`;

interface StreamFacts {
  events: number;
  heartbeats: number;
  distinct_timepoints: number;
  deleted: number;
  first_timepoint: number;
  last_timepoint: number;
}

const files = new Map(Object.entries(facts.files));
const streams = Object.keys(facts.streams.by_stream).map((name): [string, StreamFacts] => {
  // The cast: facts of all files share one list; those of streams have these members.
  return [name, files.get(`streams/${name}.ndjson`) as StreamFacts];
});

async function readText(text: string): Promise<RawRow[]> {
  const rows: RawRow[] = [];
  const stream = Readable.from([Buffer.from(text)]);
  for await (const some of readRows(stream, streamingEvents.reader, "utf-8")) {
    rows.push(...some.filter((row): row is RawRow => !isUnreadable(row)));
  }
  return rows;
}

const readStream = (name: string) => readText(readFileSync(`${FIXTURES}/${name}.ndjson`, "utf8"));

async function mapStream(name: string): Promise<Outcome[]> {
  const rows = await readStream(name);
  return streamingEvents.mapRows(
    rows.filter((row) => !isBlank(row)),
    {},
  );
}

function stampsOf(outcomes: Outcome[]) {
  return outcomes.flatMap((outcome) => ("event" in outcome && outcome.event ? [outcome.event.stamp] : []));
}

const ENVELOPE = {
  resource_kind: "company-profile",
  resource_uri: "/company/99000064",
  resource_id: "99000064",
  data: { company_number: "99000064", company_name: "A LTD", type: "ltd" },
};
const EVENT = { timepoint: 7, published_at: "2026-11-02T09:00:00", type: "changed" };

function mapEvent(changes: object, event: object | undefined = EVENT): Outcome {
  const text = JSON.stringify({ ...ENVELOPE, event, ...changes });
  const [outcome] = streamingEvents.mapRows([{ line: 1, text }], {});
  if (!outcome) throw new Error("no outcome");
  return outcome;
}

describe.each(streams)("the stream %s", (name, expected) => {
  it("is read whole: events, heartbeats, deletions, timepoints", async () => {
    const outcomes = await mapStream(name);
    const { record = 0, removal = 0, refused, skipped } = countKinds(outcomes);
    const heartbeats = (await readStream(name)).filter(isBlank).length;
    expect({ events: record + removal, refused, skipped, removal, heartbeats }).toEqual({
      events: expected.events,
      refused: 0,
      skipped: 0,
      removal: expected.deleted,
      heartbeats: expected.heartbeats,
    });
    const timepoints = stampsOf(outcomes).map(({ timepoint }) => timepoint);
    expect(new Set(timepoints).size).toBe(expected.distinct_timepoints);
    expect(Math.min(...timepoints)).toBe(expected.first_timepoint);
    expect(Math.max(...timepoints)).toBe(expected.last_timepoint);
  });

  it("tells records that obey their schema, found where they are stored", async () => {
    for (const outcome of await mapStream(name)) {
      if (outcome.kind !== "record") continue;
      const { record, data, event } = outcome;
      expect(record.check(data)).toBeNull();
      const keys: Record<string, unknown> = { _id: record.identify(data), ...record.keysOf(data) };
      expect(keys[event?.location.field ?? ""]).toBe(event?.location.value);
    }
  });

  it("is recognised by its first line, and by its name alone", () => {
    const [first = ""] = readFileSync(`${FIXTURES}/${name}.ndjson`, "utf8").split("\n");
    expect(recogniseSource(sources, "standard input", first)).toBe(streamingEvents);
    expect(recogniseSource(sources, `${name}.ndjson`, "")).toBe(streamingEvents);
  });
});

it("all streams hold as many events as the facts say", async () => {
  const all = await Promise.all(streams.map(([name]) => mapStream(name)));
  expect(all.flatMap(stampsOf)).toHaveLength(facts.streams.events);
});

describe("a deleted event", () => {
  it("that is nearly empty is found by its id", async () => {
    const removal = (await mapStream("disqualified-officers")).find(({ kind }) => kind === "removal");
    expect(removal).toMatchObject({
      record: { name: "disqualified-officer" },
      event: { location: { field: "officer_id", value: "dYpdMHCtWJx9-0AtZOCX6YKpF4E" } },
    });
    expect(removal).not.toHaveProperty("id");
  });

  it("that still holds all data tells the record's own identity", async () => {
    const [removal] = (await mapStream("officers")).filter(({ kind }) => kind === "removal");
    expect(removal).toMatchObject({
      id: expect.stringMatching(/^[\w-]{27}$/),
      event: { location: { field: "appointment_id", companyNumber: "99000024" } },
    });
  });

  it.each([[undefined], [null], [{}], [{ kind: "unknown", odd: true }]])(
    "may have %j for its data",
    (data) => {
      expect(mapEvent({ data }, { ...EVENT, type: "deleted" })).toMatchObject({
        kind: "removal",
        event: { location: { field: "_id", value: "99000064" } },
      });
    },
  );
});

describe("an address", () => {
  it.each(["company/99000064", "/company/99000064"])("%s is one of the resource", (resource_uri) => {
    const [stamp] = stampsOf([mapEvent({ resource_uri })]);
    expect(stamp?.uri).toBe("/company/99000064");
  });

  it("has its company's number in canonical form", () => {
    const data = { company_number: "SC001234", company_name: "A LTD", type: "ltd" };
    const [stamp] = stampsOf([mapEvent({ resource_uri: "/company/sc1234", data })]);
    expect(stamp?.uri).toBe("/company/SC001234");
  });
});

describe("published_at", () => {
  it.each([
    ["2026-11-02T23:30:00", "2026-11-02T23:30:00.000Z"],
    ["2026-11-02T09:00:00.333257Z", "2026-11-02T09:00:00.333Z"],
    ["2026-11-02T00:30:00+01:00", "2026-11-01T23:30:00.000Z"],
    ["2026-11-02 09:00:00", "2026-11-02T09:00:00.000Z"],
  ])("%s is the moment %s", (published_at, moment) => {
    expect(stampsOf([mapEvent({}, { ...EVENT, published_at })])).toEqual([
      { uri: "/company/99000064", timepoint: 7, published_at: moment },
    ]);
  });
});

describe("an event with a member that is not known", () => {
  const odd = { data: { ...ENVELOPE.data, colour: "red" } };

  it("is applied without it, which is a warning", () => {
    expect(mapEvent(odd)).toMatchObject({
      kind: "record",
      data: ENVELOPE.data,
      warnings: ["colour: is no member of this kind, ignored"],
    });
    expect(mapEvent(odd)).not.toHaveProperty("data.colour");
  });

  it("that deletes still tells whose record it is", () => {
    const deleted = mapEvent(odd, { ...EVENT, type: "deleted" });
    expect(deleted).toMatchObject({ kind: "removal", id: "99000064" });
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
    ["without timepoint", {}, { ...EVENT, timepoint: undefined }, "event.timepoint", /no timepoint/],
    ["with a broken timepoint", {}, { ...EVENT, timepoint: 1.5 }, "event.timepoint", /1\.5/],
    ["without moment", {}, { ...EVENT, published_at: undefined }, "event.published_at", /none/],
    ["with no moment", {}, { ...EVENT, published_at: "2026-13-02T09:00:00" }, "event.published_at", /13/],
    ["changed, without data", { data: undefined }, EVENT, "data", /no JSON object/],
    [
      "below no company",
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

  it("leaves the others of its file alone", async () => {
    const outcomes = await mapStream("edge-cases/filings-cut-and-out-of-order");
    const expected = facts.files["streams/edge-cases/filings-cut-and-out-of-order.ndjson"];
    expect(outcomes).toHaveLength(expected.lines);
    expect(outcomes.map(({ kind }) => kind)).toEqual(["record", "record", "refused", "refused"]);
    expect(refusalsOf(outcomes)).toMatchObject({
      3: expect.stringMatching(/resource_uri is missing/),
      4: expect.stringMatching(/no JSON.*cut/),
    });
  });
});

describe("a file of events", () => {
  it("is not taken for JSON lines of the API, nor those for events", () => {
    const event = JSON.stringify({ ...ENVELOPE, event: EVENT });
    expect(apiJsonLines.recognises(event)).toBe(false);
    expect(streamingEvents.recognises(JSON.stringify(ENVELOPE))).toBe(false);
  });

  it("may begin with a heartbeat", () => {
    expect(streamingEvents.open({ line: 1, text: "" }, "charges.ndjson")).toEqual({});
  });

  it("of another format is told from one whose first line is cut", () => {
    expect(() => streamingEvents.open({ line: 1, text: "<html>" }, "charges.ndjson")).toThrow(
      /expected.*<html>/,
    );
    expect(streamingEvents.open({ line: 1, text: '{"resource_kind":"fil' }, "filings.ndjson")).toEqual({});
  });
});

describe("the address of an event", () => {
  it("has one spelling, whether a slash stands at its ends or none", () => {
    const spellings = ["/company/99000064", "company/99000064", "/company/99000064/"];
    const outcomes = spellings.map((resource_uri) => mapEvent({ resource_uri }));
    expect(stampsOf(outcomes).map(({ uri }) => uri)).toEqual(spellings.map(() => "/company/99000064"));
  });

  it("and the profile that it tells are of one company", () => {
    expect(mapEvent({ resource_uri: "/company/99000065" })).toMatchObject({
      ...{ kind: "refused", field: "company_number" },
      reason: "is of another company than /company/99000065",
    });
  });
});
