/** Maps streaming events in unit tests: whole streams of the sample, and single events with some members changed. */
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { type RawRow, isBlank, isUnreadable, readRows } from "../../ingest/readers/read-rows.ts";
import type { Outcome } from "../../ingest/sources/define-source.ts";
import { streamingEvents } from "../../ingest/sources/streaming-events.ts";
import { SAMPLE } from "./sample-register.ts";

/** A company in the form that events have. */
export const ENVELOPE = {
  resource_kind: "company-profile",
  resource_uri: "/company/99000064",
  resource_id: "99000064",
  data: { company_number: "99000064", company_name: "A LTD", type: "ltd" },
};
/** The member `event` of an event. */
export const EVENT = { timepoint: 7, published_at: "2026-11-02T09:00:00", type: "changed" };

/** Rows of a stream of the sample, with heartbeats. */
export function readStream(name: string): Promise<RawRow[]> {
  return readText(readFileSync(`${SAMPLE}/streams/${name}.ndjson`, "utf8"));
}

/** Outcomes of a stream of the sample. */
export async function mapStream(name: string): Promise<Outcome[]> {
  const rows = await readStream(name);
  return streamingEvents.mapRows(
    rows.filter((row) => !isBlank(row)),
    {},
  );
}

/** The outcome of one event: the envelope with these changes, and the member `event`. */
export function mapEvent(changes: object, event: object | undefined = EVENT): Outcome {
  const text = JSON.stringify({ ...ENVELOPE, event, ...changes });
  const [outcome] = streamingEvents.mapRows([{ line: 1, text }], {});
  if (!outcome) throw new Error("no outcome");
  return outcome;
}

async function readText(text: string): Promise<RawRow[]> {
  const rows: RawRow[] = [];
  const stream = Readable.from([Buffer.from(text)]);
  for await (const some of readRows(stream, streamingEvents.reader, "utf-8")) {
    rows.push(...some.filter((row): row is RawRow => !isUnreadable(row)));
  }
  return rows;
}
