/**
 * Owns API-shaped JSON lines: what the public API answers, one resource a line, in the envelope of the streaming events without
 * their `event`; and how the sources of JSON read their lines.
 *
 * Publisher: whoever keeps answers of the API; there is no bulk product of filings, charges, insolvency, registers and UK
 * establishments. UTF-8, one object a line: `{"resource_kind", "resource_uri", "resource_id", "data"}`.
 *
 * Oddities, and what is done:
 * - null stands for absent; the `incoming` rule of each record tells which looser forms of a member it takes.
 * - Unknown kinds are refused. An unknown member is left out, at whatever depth, with a warning that has its path: the API grows.
 * - A streaming event is refused: it has a format of its own, where its timepoint counts.
 */
import { parseCompanyNumber } from "../../api/core/company-number.ts";
import { RecordError, SourceError, messageOf } from "../../api/core/errors.ts";
import { isMembers } from "../../api/core/members.ts";
import type { RecordDefinition } from "../../api/resources/define-record.ts";
import { records } from "../../api/resources/index.ts";
import { defineSource, toOutcome } from "./define-source.ts";

const RESOURCE = /^\s*\{.*"resource_kind"\s*:/;

const recordsByKind = new Map(
  records.flatMap((record) => (record.incoming?.kinds ?? []).map((kind) => [kind, record] as const)),
);

export const apiJsonLines = defineSource({
  name: "api-json-lines",
  title: "API-shaped JSON lines of every resource",
  fills: filledBy,
  fileNames: /\.(jsonl|ndjson)$/i,
  recognises: (firstLine) => RESOURCE.test(firstLine) && !isEventLine(firstLine),
  reader: "lines",
  hasHeader: false,
  open: ({ text }) => {
    // A first line that is cut or odd may be one bad row among good ones; a line of another format is not.
    if (text.includes('"resource_kind"')) return {};
    const found = text.slice(0, 60);
    throw new SourceError(`expected a JSON object with resource_kind in each line, found ${found}`);
  },
  mapRows: (rows) =>
    rows.map((row) =>
      toOutcome(row, (warnings) => {
        const line = parseLine(row.text);
        if (line.event !== undefined)
          throw new RecordError(
            "is a streaming event; load files of events with --as streaming-events",
            "event",
          );
        const { record, incoming, resource } = readResource(line);
        const data = incoming.normalise(resource, (warning) => warnings.push(warning));
        return { kind: "record", record, data };
      }),
    ),
});

/** True for a line that is a streaming event, whole or cut. */
export function isEventLine(text: string): boolean {
  return RESOURCE.test(text) && /"event"\s*:\s*\{/.test(text);
}

/** The kind of record that a line fills, without parsing it; undefined for one that will be refused. */
export function filledBy(text: string): RecordDefinition | undefined {
  return recordsByKind.get(/"resource_kind"\s*:\s*"([^"]*)"/.exec(text)?.[1] ?? "");
}

/** Members of a line that is a JSON object, without its nulls. Throws RecordError, which tells a line that was cut. */
export function parseLine(text: string): Record<string, unknown> {
  try {
    // Few lines hold a null, and looking for them costs as much as parsing.
    const leaveOutNull = (_member: string, value: unknown) => (value === null ? undefined : value);
    const line: unknown = JSON.parse(text, text.includes("null") ? leaveOutNull : undefined);
    if (!isMembers(line)) throw new RecordError("is no JSON object");
    requireStorable(text, line);
    return line;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const what = text.trimEnd().endsWith("}") ? "is no JSON" : "is no JSON, cut or damaged";
    throw new RecordError(`${what}: ${messageOf(error)}`);
  }
}

/** The resource of a line, with the kind of record that it is. `isGone`: it may lack its data. Throws RecordError. */
export function readResource(line: Record<string, unknown>, isGone = false) {
  const [kind, uri, id] = ["resource_kind", "resource_uri", "resource_id"].map((member) => {
    const value = line[member];
    if (typeof value !== "string" || value === "") throw new RecordError("is missing", member);
    return value;
  }) as [string, string, string];
  const record = recordsByKind.get(kind);
  if (!record?.incoming) throw new RecordError(`is not known: ${kind}`, "resource_kind");
  if (!isMembers(line.data) && !isGone) throw new RecordError("is no JSON object", "data");
  const data = isMembers(line.data) ? line.data : {};
  return { resource: { kind, uri: toCanonicalUri(uri), id, data }, record, incoming: record.incoming };
}

/** One spelling of each address: with its leading slash and none at its end, the company's number with its zeros. */
function toCanonicalUri(uri: string): string {
  const absolute = (uri.startsWith("/") ? uri : `/${uri}`).replace(/(?<=.)\/+$/, "");
  return absolute.replace(/(?<=^\/company\/)[^/]+/, (number) => parseCompanyNumber(number) ?? number);
}

// The two escapes that may stand for such a character; nearly no line has one, so that few values are looked through.
const DOUBTFUL = /\\u(?:0000|d[89a-f])/i;

/**
 * Throws RecordError, with the member, when a text in a parsed line holds a NUL or half a character (a lone surrogate): one
 * store would refuse the whole batch, the other would keep a replacement character.
 */
export function requireStorable(line: string, value: unknown): void {
  if (DOUBTFUL.test(line)) requireTexts(value, "");
}

function requireTexts(value: unknown, path: string): void {
  if (typeof value === "object" && value !== null)
    for (const [name, member] of Object.entries(value)) {
      requireTexts(name, path);
      requireTexts(member, path === "" ? name : `${path}.${name}`);
    }
  if (typeof value !== "string") return;
  if (value.includes("\0")) throw new RecordError("holds a NUL character (\\u0000)", path);
  if (/\p{Surrogate}/u.test(value))
    throw new RecordError("holds half a character (a surrogate without its other half)", path);
}
