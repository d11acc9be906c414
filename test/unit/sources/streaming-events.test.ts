/** Reads streaming events: whole streams of the sample, deletions, addresses, moments, and how files are recognised. */
import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { isBlank } from "../../../ingest/readers/read-rows.ts";
import { recogniseSource } from "../../../ingest/load/open-file.ts";
import type { Outcome } from "../../../ingest/sources/define-source.ts";
import { apiJsonLines } from "../../../ingest/sources/api-json-lines.ts";
import { sources } from "../../../ingest/sources/index.ts";
import { streamingEvents } from "../../../ingest/sources/streaming-events.ts";
import facts from "../../fixtures/register/facts.json" with { type: "json" };
import { SAMPLE } from "../../support/sample-register.ts";
import { countKinds } from "../../support/snapshot-files.ts";
import { ENVELOPE, EVENT, mapEvent, mapStream, readStream } from "../../support/streaming-events.ts";

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

function stampsOf(outcomes: Outcome[]) {
  return outcomes.flatMap((outcome) => ("event" in outcome && outcome.event ? [outcome.event.stamp] : []));
}

describe.each(streams)("the stream %s", (name, expected) => {
  it("is read completely: events, heartbeats, deletions, timepoints", async () => {
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

  it("states records that match their schema, under their stored ids", async () => {
    for (const outcome of await mapStream(name)) {
      if (outcome.kind !== "record") continue;
      const { record, data, event } = outcome;
      expect(record.check(data)).toBeNull();
      const keys: Record<string, unknown> = { _id: record.identify(data), ...record.keysOf(data) };
      expect(keys[event?.location.field ?? ""]).toBe(event?.location.value);
    }
  });

  it("is recognised by its first line, or by its name", () => {
    const [first = ""] = readFileSync(`${FIXTURES}/${name}.ndjson`, "utf8").split("\n");
    expect(recogniseSource(sources, "standard input", first)).toBe(streamingEvents);
    expect(recogniseSource(sources, `${name}.ndjson`, "")).toBe(streamingEvents);
  });
});

describe("a deleted event", () => {
  it("with hardly any data identifies its record by the id of the resource", async () => {
    const removal = (await mapStream("disqualified-officers")).find(({ kind }) => kind === "removal");
    expect(removal).toMatchObject({
      record: { name: "disqualified-officer" },
      event: { location: { field: "officer_id", value: "dYpdMHCtWJx9-0AtZOCX6YKpF4E" } },
    });
    expect(removal).not.toHaveProperty("id");
  });

  it("with all data identifies its record by the data", async () => {
    const [removal] = (await mapStream("officers")).filter(({ kind }) => kind === "removal");
    expect(removal).toMatchObject({
      id: expect.stringMatching(/^[\w-]{27}$/),
      event: { location: { field: "appointment_id", companyNumber: "99000024" } },
    });
  });

  it.each([[undefined], [null], [{}], [{ kind: "unknown", odd: true }]])("may have the data %j", (data) => {
    expect(mapEvent({ data }, { ...EVENT, type: "deleted" })).toMatchObject({
      kind: "removal",
      event: { location: { field: "_id", value: "99000064" } },
    });
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

describe("a file of events", () => {
  it("is not mistaken for JSON lines of the API, nor they for events", () => {
    const event = JSON.stringify({ ...ENVELOPE, event: EVENT });
    expect(apiJsonLines.recognises(event)).toBe(false);
    expect(streamingEvents.recognises(JSON.stringify(ENVELOPE))).toBe(false);
  });

  it("may begin with a heartbeat", () => {
    expect(streamingEvents.open({ line: 1, text: "" }, "charges.ndjson")).toEqual({});
  });

  it("may begin with a cut line, but not with a line of another format", () => {
    expect(() => streamingEvents.open({ line: 1, text: "<html>" }, "charges.ndjson")).toThrow(
      /expected.*<html>/,
    );
    expect(streamingEvents.open({ line: 1, text: '{"resource_kind":"fil' }, "filings.ndjson")).toEqual({});
    // The end of a line that began in the file before.
    const end = { line: 1, text: '"timepoint":7}}' };
    expect(streamingEvents.open(end, "filings-2.ndjson")).toEqual({});
    expect(() => streamingEvents.open(end, "notes.txt")).toThrow(/expected a JSON object/);
    const other = { line: 1, text: '{"message":"not found"}' };
    expect(() => streamingEvents.open(other, "filings-2.ndjson")).toThrow(/expected a JSON object/);
  });
});

describe("the address of an event", () => {
  it("has one spelling, with or without a slash at either end", () => {
    const spellings = ["/company/99000064", "company/99000064", "/company/99000064/"];
    const outcomes = spellings.map((resource_uri) => mapEvent({ resource_uri }));
    expect(stampsOf(outcomes).map(({ uri }) => uri)).toEqual(spellings.map(() => "/company/99000064"));
  });

  it("has its company's number in canonical form", () => {
    const data = { company_number: "SC001234", company_name: "A LTD", type: "ltd" };
    const [stamp] = stampsOf([mapEvent({ resource_uri: "/company/sc1234", data })]);
    expect(stamp?.uri).toBe("/company/SC001234");
  });

  it("must be of the same company as the profile", () => {
    expect(mapEvent({ resource_uri: "/company/99000065" })).toMatchObject({
      ...{ kind: "refused", field: "company_number" },
      reason: "differs from the company in /company/99000065",
    });
  });
});
