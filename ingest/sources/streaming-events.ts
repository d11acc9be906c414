/**
 * Owns the streaming events: what changed and what was deleted, in the nine streams of the register.
 *
 * Publisher: the registrar, around the clock; what a client of a stream has written down is the file, of one stream or
 * several. UTF-8, LF, one JSON object a line: that of the API's JSON lines with its
 * `"event": {"timepoint", "published_at", "type"}`.
 *
 * Timepoints grow within a stream, with gaps, and every address belongs to one stream: of each `resource_uri` the event of the
 * highest timepoint counts, in whatever order and how often they come. `changed` replaces the whole record; `deleted` removes
 * it and is remembered, so that no older event brings it back, nor a snapshot of its day or before.
 *
 * Against files the day counts, whichever is loaded first. A snapshot is made before the first events of its day, a daily
 * update after the last. An event that is older than such a file adds what that does not tell; a deletion is remembered, and
 * leaves the record as the file tells it. A file without a day counts as later than what was loaded before it.
 *
 * Oddities, and what is done:
 * - Empty lines are heartbeats. Repeats are common: a filing comes again when its document exists.
 * - A deleted resource may come with all its data, with kind and links alone, or with none: its record is found by address and
 *   id. Bulk files do not know the ids of appointments and disqualified officers: a record that only those told of is found if
 *   an event still tells the whole resource, be it an older one that comes later.
 * - `published_at` comes without zone (taken for UTC), with `Z` and fractions, or with an offset.
 * - Refused: a line without kind, address, id or event; another type; a timepoint that is no number; a line cut off by the
 *   end of a connection: ask the stream again from the last whole timepoint on.
 */
import { RecordError, SourceError } from "../../api/core/errors.ts";
import { isMembers } from "../../api/core/members.ts";
import type { EventStamp } from "../../api/resources/define-record.ts";
import { defineSource, toOutcome, type Mapped } from "./define-source.ts";
import { filledBy, isEventLine, parseLine, readResource } from "./api-json-lines.ts";

// By the paths of the streams; that of statements begins as that of persons.
const FILE_NAMES = new RegExp(
  "^(companies|filings|officers|persons-with-significant-control|charges|insolvency-cases|disqualified-officers|" +
    "company-exemptions)\\b.*\\.ndjson$",
  "i",
);
const MOMENT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d+)?)(Z|[+-]\d{2}:?\d{2})?$/i;

export const streamingEvents = defineSource({
  name: "streaming-events",
  title: "streaming events (changed and deleted)",
  fills: filledBy,
  fileNames: FILE_NAMES,
  recognises: isEventLine,
  reader: "lines",
  hasHeader: false,
  open: (first) => {
    // A stream in which nothing has happened is heartbeats alone.
    if (first.text === "" || /"(resource_kind|event)"\s*:/.test(first.text)) return {};
    const found = first.text.slice(0, 60);
    throw new SourceError(`expected a JSON object with resource_kind and event in each line, found ${found}`);
  },
  mapRows: (rows) => rows.map((row) => toOutcome(row, (warnings) => mapEvent(row.text, warnings))),
});

function mapEvent(text: string, warnings: string[]): Mapped {
  const line = parseLine(text);
  const { event } = line;
  const isDeleted = isMembers(event) && event.type === "deleted";
  const read = readResource(line, isDeleted);
  if (!isMembers(event)) throw new RecordError("is missing", "event");
  if (!isDeleted && event.type !== "changed")
    throw new RecordError(`is neither changed nor deleted: ${String(event.type)}`, "event.type");
  const { record, incoming, resource } = read;
  const told = { stamp: readStamp(resource.uri, event), location: incoming.locate(resource) };
  if (isDeleted) return { kind: "removal", record, event: told, ...identify(read) };
  const data = incoming.normalise(resource, (warning) => warnings.push(warning));
  return { kind: "record", record, data, event: told };
}

/** The record's identity when a deleted resource came whole; it may lack anything, which is no fault of a deletion. */
function identify({ record, incoming, resource }: ReturnType<typeof readResource>): { id?: string } {
  try {
    const data = incoming.normalise(resource, () => undefined);
    return record.check(data) ? {} : { id: record.identify(data) };
  } catch (error) {
    if (error instanceof RecordError) return {};
    throw error;
  }
}

/** The stamp of a line, as it is applied; null for a line that would be refused. */
export function stampOf(text: string): Omit<EventStamp, "uri"> | null {
  try {
    const { event } = parseLine(text);
    return isMembers(event) ? readStamp("", event) : null;
  } catch (error) {
    if (error instanceof RecordError) return null;
    throw error;
  }
}

function readStamp(uri: string, event: Record<string, unknown>): EventStamp {
  // As a number or as its digits.
  const timepoint = /^\d+$/.test(String(event.timepoint)) ? Number(event.timepoint) : NaN;
  if (!Number.isSafeInteger(timepoint))
    throw new RecordError(`is no timepoint: ${String(event.timepoint)}`, "event.timepoint");
  return { uri, timepoint, published_at: readMoment(event.published_at) };
}

/** A moment of UTC. Throws RecordError: without it an event cannot be set against a snapshot. */
function readMoment(value: unknown): string {
  const text = typeof value === "string" ? value.trim() : "";
  const [isMoment, day, time, zone = "Z"] = MOMENT.exec(text) ?? [];
  const moment = new Date(isMoment ? `${day}T${time}${zone}` : NaN);
  if (!Number.isNaN(moment.getTime())) return moment.toISOString();
  throw new RecordError(`is no moment: ${text || "(none)"}`, "event.published_at");
}
