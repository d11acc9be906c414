/** Owns the envelope that API-shaped lines and streaming events share: which resource a line is about. */
import { parseCompanyNumber } from "../../api/core/company-number.ts";
import { RecordError, messageOf } from "../../api/core/errors.ts";
import { isMembers } from "../../api/core/members.ts";
import type { IncomingRule, RecordDefinition } from "../../api/resources/define-record.ts";
import { records } from "../../api/resources/index.ts";
import { requireStorable } from "./json-line.ts";

/** A kind of record that comes API-shaped. */
export interface IncomingRecord {
  record: RecordDefinition;
  incoming: IncomingRule<unknown>;
}

const recordsByKind = new Map(
  records.flatMap((record) => {
    const { incoming } = record;
    return (incoming?.kinds ?? []).map((kind) => [kind, { record, incoming }] as const);
  }),
);

/** The record that a `resource_kind` means. Throws RecordError when none is known. */
export function findIncomingRecord(kind: string): IncomingRecord {
  const { record, incoming } = recordsByKind.get(kind) ?? {};
  if (record && incoming) return { record, incoming };
  throw new RecordError(`is not known: ${kind}`, "resource_kind");
}

/** The kind of record that a line fills, without parsing it; undefined for one that will be refused. */
export function filledBy(text: string): RecordDefinition | undefined {
  const kind = /"resource_kind"\s*:\s*"([^"]*)"/.exec(text)?.[1];
  return recordsByKind.get(kind ?? "")?.record;
}

/** Members of a line that is a JSON object. Throws RecordError, which tells a line that was cut. */
export function parseLine(text: string): Record<string, unknown> {
  const line = parseJson(text);
  if (!isMembers(line)) throw new RecordError("is no JSON object");
  requireStorable(text, line);
  return line;
}

/** Kind, address and id of the resource, data apart. Throws RecordError. */
export function readEnvelope(line: Record<string, unknown>): { kind: string; uri: string; id: string } {
  const [kind, uri, id] = ["resource_kind", "resource_uri", "resource_id"].map((member) => {
    const value = line[member];
    if (typeof value !== "string" || value === "") throw new RecordError("is missing", member);
    return value;
  }) as [string, string, string];
  return { kind, uri: toCanonicalUri(uri), id };
}

/** One spelling of each address: with its leading slash and none at its end, the company's number with its zeros. */
function toCanonicalUri(uri: string): string {
  const absolute = uri.startsWith("/") ? uri : `/${uri}`;
  return absolute
    .replace(/(?<=.)\/+$/, "")
    .replace(
      /^(\/company\/)([^/]+)/,
      (_match, path: string, number: string) => path + (parseCompanyNumber(number) ?? number),
    );
}

/** JSON without its nulls: the API's absent members are left out, not null. */
function parseJson(text: string): unknown {
  try {
    // Few lines hold a null, and looking for them costs as much as parsing.
    if (!text.includes("null")) return JSON.parse(text);
    return JSON.parse(text, (_member, value: unknown) => (value === null ? undefined : value));
  } catch (error) {
    const what = text.trimEnd().endsWith("}") ? "is no JSON" : "is no JSON, cut or damaged";
    throw new RecordError(`${what}: ${messageOf(error)}`);
  }
}
