/**
 * Owns API-shaped JSON lines: what the public API answers, one resource a line, in the envelope of the
 * streaming events without their `event`.
 *
 * Publisher: whoever keeps answers of the API; there is no bulk product of filings, charges, insolvency,
 * registers and UK establishments. Encoding: UTF-8, one JSON object a line:
 * `{"resource_kind", "resource_uri", "resource_id", "data"}`.
 *
 * Oddities, and what is done:
 * - `resource_uri` without its leading slash is given one.
 * - null stands for absent; looser forms of a member are told in the `incoming` rule of its record.
 * - An unknown kind or member is refused with its name: it would be lost without a word.
 * - A streaming event (with `event`) is refused: only its timepoint says whether it is newer than what is held.
 */
import { isMembers } from "../../api/core/members.ts";
import { RecordError, SourceError, messageOf } from "../../api/core/errors.ts";
import type { RecordDefinition } from "../../api/resources/define-record.ts";
import type { IncomingResource } from "../../api/resources/incoming-resource.ts";
import { records } from "../../api/resources/index.ts";
import { defineSource, type Outcome, type RawRow } from "../define-source.ts";

const recordsByKind = new Map<string, RecordDefinition>(
  records.flatMap((record) => (record.incoming?.kinds ?? []).map((kind) => [kind, record] as const)),
);

export const apiJsonLines = defineSource({
  name: "api-json-lines",
  title: "API-shaped JSON lines of every resource",
  fileNames: /\.(jsonl|ndjson)$/i,
  recognises: (firstLine) => /^\s*\{.*"resource_kind"\s*:/.test(firstLine),
  reader: "lines",
  hasHeader: false,
  open: (first) => {
    try {
      parseEnvelope(first.text);
      return {};
    } catch (error) {
      // A first line that is cut or odd may be one bad row among good ones; a line of another format is not.
      if (first.text.includes('"resource_kind"')) return {};
      throw new SourceError(`expected a JSON object with resource_kind in each line: ${messageOf(error)}`);
    }
  },
  mapRows: (rows) => rows.map(mapRow),
});

function mapRow(row: RawRow): Outcome {
  try {
    const resource = parseEnvelope(row.text);
    const record = recordsByKind.get(resource.kind);
    if (!record?.incoming) throw new RecordError(`is not known: ${resource.kind}`, "resource_kind");
    const warnings: string[] = [];
    const data = record.incoming.normalise(resource, (warning) => warnings.push(warning));
    const outcome: Outcome = { kind: "record", row, record, data };
    return warnings.length > 0 ? { ...outcome, warnings } : outcome;
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return { kind: "refused", row, reason: error.reason, field: error.field };
  }
}

/** The envelope of a line, checked. Throws RecordError. */
function parseEnvelope(text: string): IncomingResource {
  const line = parseJson(text);
  if (!isMembers(line)) throw new RecordError("is no JSON object");
  if (line.event !== undefined)
    throw new RecordError("is a streaming event, which this format does not hold", "event");
  const [kind, uri, id] = ["resource_kind", "resource_uri", "resource_id"].map((member) => {
    const value = line[member];
    if (typeof value !== "string" || value === "") throw new RecordError("is missing", member);
    return value;
  }) as [string, string, string];
  if (!isMembers(line.data)) throw new RecordError("is no JSON object", "data");
  return { kind, uri: uri.startsWith("/") ? uri : `/${uri}`, id, data: line.data };
}

/** JSON without its nulls: the API's absent members are left out, not null. */
function parseJson(text: string): unknown {
  try {
    // Few lines hold a null, and looking for them costs as much as parsing.
    if (!text.includes("null")) return JSON.parse(text);
    return JSON.parse(text, (_member, value: unknown) => (value === null ? undefined : value));
  } catch (error) {
    throw new RecordError(`is no JSON: ${messageOf(error)}`);
  }
}
