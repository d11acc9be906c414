/** Owns what lines of JSON have in common: texts that can be stored, and the envelope that tells which resource one is about. */
import { parseCompanyNumber } from "../../api/core/company-number.ts";
import { RecordError, messageOf } from "../../api/core/errors.ts";
import { isMembers } from "../../api/core/members.ts";
import type { IncomingRule, RecordDefinition } from "../../api/resources/define-record.ts";
import type { IncomingResource } from "../../api/resources/incoming-resource.ts";
import { records } from "../../api/resources/index.ts";

/** A resource with the kind of record that it is. */
export interface ReadResource {
  resource: IncomingResource;
  record: RecordDefinition;
  incoming: IncomingRule<unknown>;
}

const recordsByKind = new Map(
  records.flatMap((record) => (record.incoming?.kinds ?? []).map((kind) => [kind, record] as const)),
);

/** The kind of record that a line fills, without parsing it; undefined for one that will be refused. */
export function filledBy(text: string): RecordDefinition | undefined {
  return recordsByKind.get(/"resource_kind"\s*:\s*"([^"]*)"/.exec(text)?.[1] ?? "");
}

/** Members of a line that is a JSON object. Throws RecordError, which tells a line that was cut. */
export function parseLine(text: string): Record<string, unknown> {
  const line = parseJson(text);
  if (!isMembers(line)) throw new RecordError("is no JSON object");
  requireStorable(text, line);
  return line;
}

/** The resource of a line. `isGone`: it may lack its data. Throws RecordError. */
export function readResource(line: Record<string, unknown>, isGone = false): ReadResource {
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

// The two escapes that may stand for such a character; nearly no line has one, so that few values are looked through.
const DOUBTFUL = /\\u(?:0000|d[89a-f])/i;

/**
 * Throws RecordError, with the member, when a text in a parsed line holds a NUL or half a character (a surrogate
 * that stands alone): one store would refuse the whole batch, the other would keep a replacement character.
 */
export function requireStorable(line: string, value: unknown): void {
  if (DOUBTFUL.test(line)) requireTexts(value, "");
}

function requireTexts(value: unknown, path: string): void {
  if (typeof value === "string") {
    if (value.includes("\0")) throw new RecordError("holds a NUL character (\\u0000)", path);
    if (/\p{Surrogate}/u.test(value))
      throw new RecordError("holds half a character (a surrogate without its other half)", path);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      requireTexts(name, path);
      requireTexts(member, path === "" ? name : `${path}.${name}`);
    }
  }
}
