/**
 * Streaming events: changes and deletions in the register's nine streams.
 *
 * Publisher: the registrar, around the clock; a file is what a client saved of one or more streams. UTF-8, LF, one JSON
 * object a line, as in the API's JSON lines, with an `event` of `timepoint`, `published_at` and `type`.
 * - Timepoints rise within a stream, with gaps. Each `resource_uri` belongs to one stream; its highest
 *   timepoint wins, however often and in whatever order events come. `changed` replaces the record. `deleted`
 *   removes it and leaves a tombstone against older events and snapshots of that day or before.
 * - Between events and files the day decides, not the load order: a snapshot precedes the events of its day, a daily
 *   update follows them. An older event only adds what the file does not cover; an older deletion is remembered but
 *   removes nothing. A file without a day counts as later than everything loaded before it.
 * - Empty lines are heartbeats. Repeats are common: a filing comes again when its document exists.
 * - A deleted resource may have all its data, only kind and links, or none; it is found by address and id.
 *   Bulk files lack the ids of appointments and disqualified officers: a record known only from them is found
 *   if any event, even an older one that comes later, has the whole resource.
 * - `published_at` comes without zone (read as UTC), with `Z` and fractions, or with an offset.
 * - Refused: no kind, address, id or event; another type; an invalid timepoint; a line cut off by a lost
 *   connection (resume the stream from the last whole timepoint).
 */
import { RecordError, SourceError } from "../../api/shared/runtime/errors.ts";
import { isMembers } from "../../api/shared/values/members.ts";
import type { EventStamp } from "../../api/shared/definitions/define-record.ts";
import { defineSource, describeJsonFault, toOutcome, type Mapped } from "./define-source.ts";
import {
  filledBy,
  isEndOfLine,
  isEventLine,
  parseLine,
  parseWithoutNulls,
  readResource,
} from "./api-json-lines.ts";

// The streams' paths; persons-with-significant-control-statements starts like persons.
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
  open: (first, fileName) => {
    // An idle stream has only heartbeats.
    if (first.text === "" || /"(resource_kind|event)"\s*:/.test(first.text)) return {};
    if (FILE_NAMES.test(fileName) && isEndOfLine(first.text)) return {};
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
  const rowEvent = { stamp: readStamp(resource.uri, event), location: incoming.locate(resource) };
  if (isDeleted) return { kind: "removal", record, event: rowEvent, ...identify(read) };
  const data = incoming.normalise(resource, warnings);
  return { kind: "record", record, data, event: rowEvent };
}

/** The record's id if a deleted resource came whole; a deletion may lack any member. */
function identify({ record, incoming, resource }: ReturnType<typeof readResource>): { id?: string } {
  try {
    const data = incoming.normalise(resource, []);
    return record.check(data) ? {} : { id: record.identify(data) };
  } catch (error) {
    if (error instanceof RecordError) return {};
    throw error;
  }
}

/** The stamp of a line, even if its data will be refused; null if the line has no readable stamp. */
export function stampOf(text: string): Omit<EventStamp, "uri"> | null {
  try {
    const line = parseWithoutNulls(text);
    return isMembers(line) && isMembers(line.event) ? readStamp("", line.event) : null;
  } catch (error) {
    // The errors for which `toOutcome` refuses a row.
    const isRefused = error instanceof RecordError || error instanceof SyntaxError;
    if (isRefused || describeJsonFault(error) !== undefined) return null;
    throw error;
  }
}

function readStamp(uri: string, event: Record<string, unknown>): EventStamp {
  const timepoint = /^\d+$/.test(String(event.timepoint)) ? Number(event.timepoint) : NaN;
  if (!Number.isSafeInteger(timepoint))
    throw new RecordError(`is not a timepoint: ${String(event.timepoint)}`, "event.timepoint");
  return { uri, timepoint, published_at: readMoment(event.published_at) };
}

/** The time in UTC. Throws RecordError: an event without it cannot be ordered against a snapshot. */
function readMoment(value: unknown): string {
  const text = typeof value === "string" ? value.trim() : "";
  const [isMoment, day, time, zone = "Z"] = MOMENT.exec(text) ?? [];
  const moment = new Date(isMoment ? `${day}T${time}${zone}` : NaN);
  if (!Number.isNaN(moment.getTime())) return moment.toISOString();
  throw new RecordError(`is not a date and time: ${text || "(none)"}`, "event.published_at");
}
