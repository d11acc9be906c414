/** Reads what raw persons with significant control and raw statements have in common: texts, links, ids. Pure. */
import { RecordError } from "../../shared/runtime/errors.ts";
import { compileReader } from "../../shared/schemas/read-members.ts";
import { compileCheck, type JsonSchema } from "../../shared/schemas/validate.ts";
import { parseCompanyNumber } from "../../shared/values/company-number.ts";
import { isMembers, type Members } from "../../shared/values/members.ts";
import { asText, leaveOut, type Read } from "../../shared/schemas/read-values.ts";

/** A raw record, its company and its address. */
export interface RawRecord {
  companyNumber: string;
  /** The address of the resource, used where `links.self` is absent. */
  uri?: string;
  /** The id that the envelope states. */
  statedId?: string;
  data: Members;
}

/**
 * Makes the function that reads raw records by this schema. Each text becomes one line, without space at its ends.
 * `optional`: schemas of members for which no record is refused: a value that does not fit is left out with a warning.
 */
export function compileRawReader(schema: JsonSchema, optional: readonly JsonSchema[] = []) {
  const readOn = new Map(optional.map((one) => [one, fittingReader(one)]));
  const read = compileReader([schema], readOn, (value) =>
    typeof value === "string" ? asText(value) : value,
  );
  return ({ data }: RawRecord, warnings: string[]): { links: Members; members: Members } => {
    const isLinked = isMembers(data.links ?? {});
    if (!isLinked) warnings.push("links: is not an object, dropped");
    const linked = isLinked ? data : { ...data, links: {} };
    // The cast: the schema has an object of links.
    const { links = {}, ...members } = read(linked, (warning) => warnings.push(warning)) as {
      links?: Members;
    };
    return { links, members };
  };
}

function fittingReader(schema: JsonSchema): Read {
  const check = compileCheck(schema);
  return (value, field, warn) => {
    const fault = check(value);
    return fault ? leaveOut(field, fault.reason, warn) : value;
  };
}

/**
 * The id in the resource's link to itself, or else in its address. Throws RecordError if there is none, if it is of
 * another company, and if it differs from the stated id.
 */
export function readOwnId(
  { companyNumber, uri, statedId }: RawRecord,
  self: unknown,
  pattern: RegExp,
): string {
  const [, company, id] = pattern.exec(textOf(self ?? uri)) ?? [];
  if (!company || !id)
    throw new RecordError("has no link to the resource itself, so its id is unknown", "links.self");
  if (parseCompanyNumber(company) !== companyNumber)
    throw new RecordError(`is of company ${company}, not of ${companyNumber}`, "links.self");
  if (statedId !== undefined && statedId !== id)
    throw new RecordError("differs from the id of the resource", "resource_id");
  return id;
}

/** The value if it is a text, else an empty text. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
