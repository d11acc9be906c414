/**
 * API-shaped JSON lines: API answers, one resource a line. Other JSON sources use its line readers.
 *
 * Publisher: anyone who saves API answers; filings, charges, insolvency, registers and UK establishments have
 * no bulk product. UTF-8, one object a line: `{"resource_kind", "resource_uri", "resource_id", "data"}`.
 * - null and a text of blanks mean absent, also in lists. Each record's `incoming` rule lists other forms it accepts.
 * - An unknown member at any depth is left out with a warning that has its path: the API grows.
 * - Refused: unknown kinds, and streaming events, whose own format handles timepoints.
 */
import { parseCompanyNumber } from "../../api/shared/values/company-number.ts";
import { RecordError, SourceError, messageOf } from "../../api/shared/runtime/errors.ts";
import { isMembers } from "../../api/shared/values/members.ts";
import type { RecordDefinition } from "../../api/shared/definitions/define-record.ts";
import { records } from "../../api/resources/index.ts";
import { HAS_LOST_CHARACTER, LOST_CHARACTER } from "../readers/read-rows.ts";
import { defineSource, toOutcome, type Mapped } from "./define-source.ts";

const FILE_NAMES = /\.(jsonl|ndjson)$/i;
const RESOURCE = /^\s*\{.*"resource_kind"\s*:/;

const recordsByKind = new Map(
  records.flatMap((record) => (record.incoming?.kinds ?? []).map((kind) => [kind, record] as const)),
);

export const apiJsonLines = defineSource({
  name: "api-json-lines",
  title: "API-shaped JSON lines of every resource",
  fills: filledBy,
  fileNames: FILE_NAMES,
  recognises: (firstLine) => RESOURCE.test(firstLine) && !isEventLine(firstLine),
  reader: "lines",
  hasHeader: false,
  open: ({ text }, fileName) => {
    // A damaged first line may be one bad row among good ones; a line of another format is not.
    if (text.includes('"resource_kind"') || (FILE_NAMES.test(fileName) && isEndOfLine(text))) return {};
    const found = text === "" ? "only blank lines" : text.slice(0, 60);
    throw new SourceError(`expected a JSON object with resource_kind in each line, found ${found}`);
  },
  // Two addresses may belong to one record, so only the content shows which record it is.
  recordKey: (text) => {
    try {
      const { record, incoming, resource } = readResource(parseLine(text));
      return `${record.collection}/${record.identify(incoming.normalise(resource, []))}`;
    } catch {
      // The row's batch will say what is wrong with it.
      return undefined;
    }
  },
  mapRows: (rows) => rows.map((row) => toOutcome(row, (warnings) => mapLine(row.text, warnings))),
});

function mapLine(text: string, warnings: string[]): Mapped {
  const line = parseLine(text);
  if (line.event !== undefined)
    throw new RecordError("is a streaming event; load it with --as streaming-events", "event");
  const { record, incoming, resource } = readResource(line);
  return { kind: "record", record, data: incoming.normalise(resource, warnings) };
}

/** True for a text that can only be the end of an object, whose beginning was cut off. */
export function isEndOfLine(text: string): boolean {
  return /^[^{].*\}\s*$/.test(text);
}

export function isEventLine(text: string): boolean {
  return RESOURCE.test(text) && /"event"\s*:\s*\{/.test(text);
}

/** The kind of record in a line, without parsing it; undefined: the line will be refused. */
export function filledBy(text: string): RecordDefinition | undefined {
  return recordsByKind.get(/"resource_kind"\s*:\s*"([^"]*)"/.exec(text)?.[1] ?? "");
}

// Finds a null or a text of blanks, escaped ones included. It may also match elsewhere, for example within a text.
const ABSENT = /null|"(?:\s|\\[nrtf]|\\u[0-9a-f]{4})*"/i;

/** Parses JSON and drops its nulls and texts of blanks. Throws SyntaxError. */
export function parseWithoutNulls(text: string): unknown {
  // They are rare, and the reviver doubles the cost of parsing.
  return JSON.parse(text, ABSENT.test(text) ? leaveOutAbsent : undefined);
}

function leaveOutAbsent(_member: string, value: unknown): unknown {
  // Removes the gaps that omitted items have left in a list.
  if (Array.isArray(value)) return value.filter(() => true);
  const isBlank = typeof value === "string" && value.trim() === "";
  return value === null || isBlank ? undefined : value;
}

/** As `parseWithoutNulls`, for a line that must be an object the stores accept. Throws RecordError. */
export function parseLine(text: string): Record<string, unknown> {
  try {
    const line = parseWithoutNulls(text);
    if (!isMembers(line)) throw new RecordError("is not a JSON object");
    requireStorable(text, line);
    return line;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const what = text.trimEnd().endsWith("}") ? "is not JSON" : "is not JSON (cut or damaged)";
    throw new RecordError(`${what}: ${messageOf(error)}`);
  }
}

/** The resource in a line and its kind of record. `isDeleted`: the data may be missing. Throws RecordError. */
export function readResource(line: Record<string, unknown>, isDeleted = false) {
  const [kind, uri, id] = ["resource_kind", "resource_uri", "resource_id"].map((member) => {
    const value = line[member];
    if (typeof value !== "string") throw new RecordError("is missing", member);
    return value;
  }) as [string, string, string];
  const record = recordsByKind.get(kind);
  if (!record?.incoming) throw new RecordError(`is not known: ${kind}`, "resource_kind");
  if (!isMembers(line.data) && !isDeleted) throw new RecordError("is not a JSON object", "data");
  const data = isMembers(line.data) ? line.data : {};
  return { resource: { kind, uri: toCanonicalUri(uri), id, data }, record, incoming: record.incoming };
}

/** Adds the leading slash and the zeros of the company number, drops trailing slashes. */
function toCanonicalUri(uri: string): string {
  const absolute = (uri.startsWith("/") ? uri : `/${uri}`).replace(/(?<=[^/])\/+$/, "");
  return absolute.replace(/(?<=^\/company\/)[^/]+/, (number) => parseCompanyNumber(number) ?? number);
}

// The escapes of a NUL, a surrogate or a lost character. Few lines have one, so few values are searched.
const SUSPECT = /\\u(?:0000|d[89a-f]|fffd)/i;

/**
 * Throws RecordError for a NUL or a lone surrogate, for which one store refuses the batch and the other alters the
 * text, and for a lost character.
 */
export function requireStorable(line: string, value: unknown): void {
  if (SUSPECT.test(line)) requireTexts(value, "");
}

function requireTexts(value: unknown, path: string): void {
  if (typeof value === "object" && value !== null)
    for (const [name, member] of Object.entries(value)) {
      requireTexts(name, path);
      requireTexts(member, path === "" ? name : `${path}.${name}`);
    }
  if (typeof value !== "string") return;
  if (value.includes("\0")) throw new RecordError("contains a NUL character (\\u0000)", path);
  if (value.includes(LOST_CHARACTER)) throw new RecordError(HAS_LOST_CHARACTER, path);
  if (/\p{Surrogate}/u.test(value))
    throw new RecordError("contains half a character (a surrogate without its other half)", path);
}
