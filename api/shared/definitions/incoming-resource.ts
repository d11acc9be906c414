/**
 * API-shaped input: a resource from the public API or its streams, its address, and helpers that normalise its members.
 */
import { parseCompanyNumber } from "../values/company-number.ts";
import { RecordError } from "../runtime/errors.ts";
import { DERIVED } from "../schemas/read-members.ts";
import { isMembers, type Members } from "../values/members.ts";

/** The resource of an API-shaped line or a streaming event (bulk formats 5 and 6.1). */
export interface ResourceAddress {
  /** `resource_kind`: `company-charges`. */
  kind: string;
  /** `resource_uri`, with its leading slash: `/company/99000025/charges/5zgl…`. */
  uri: string;
  /** `resource_id`. */
  id: string;
}

/** The checked envelope of an API-shaped line or a streaming event. */
export interface IncomingResource extends ResourceAddress {
  /** The resource in the form of the API's answer, without members that are null. */
  data: Record<string, unknown>;
}

/** The company number in the resource's address; many kinds have it nowhere else. Throws RecordError if it has none. */
export function companyNumberOf({ uri }: IncomingResource): string {
  const given = /^\/company\/([^/]+)/.exec(uri)?.[1] ?? "";
  const number = parseCompanyNumber(given);
  if (!number) throw new RecordError(`names no company: "${uri}"`, "resource_uri");
  return number;
}

/** The id of a resource whose address ends with it. Throws RecordError if the envelope has another id. */
export function idOf({ uri, id }: ResourceAddress): string {
  if (uri.endsWith(`/${id}`)) return id;
  throw new RecordError("differs from the id in the address of the resource", "resource_id");
}

/** How to find the record of a resource. */
export interface RecordLocation {
  /** `_id`, or the key that has the API's id if `_id` is derived from the content. */
  field: string;
  value: string;
  /** The company in the address, for resources below a company. */
  companyNumber?: string;
}

/** Locates a resource that a company has once; its record is stored under the company's number. Throws RecordError. */
export function locateByCompany(resource: IncomingResource): RecordLocation {
  const companyNumber = companyNumberOf(resource);
  return { field: "_id", value: companyNumber, companyNumber };
}

/** Locates a resource below a company whose record has the API's id in `field`. Throws RecordError. */
export function locateById(resource: IncomingResource, field = "_id"): RecordLocation {
  return { field, value: idOf(resource), companyNumber: companyNumberOf(resource) };
}

/** A schema for `known` that accepts a resource's link to itself, which is never stored. */
export const SELF_LINK = { properties: { links: { properties: { self: DERIVED } } } };

/** The value, which must be an object. Throws RecordError if it is not. */
export function asMembers(value: unknown, field: string): Members {
  if (!isMembers(value)) throw new RecordError("is not an object", field);
  return value;
}

/** The value as text if it is a number: some programs write digits, such as those of a SIC code, as a number. */
export function asDigits(value: unknown): unknown {
  return typeof value === "number" ? String(value) : value;
}

/** The members without one whose value the address has. Throws RecordError if its value differs from `values`. */
export function dropDerived(members: Members, member: string, values: readonly string[]): Members {
  const { [member]: value, ...rest } = members;
  if (value === undefined || values.includes(value as string)) return rest;
  throw new RecordError(`must be ${values.join(" or ")}`, member);
}

/** The members with one of them converted, if it is present. */
export function convert(members: Members, member: string, form: (value: unknown) => unknown): Members {
  return members[member] === undefined ? members : { ...members, [member]: form(members[member]) };
}
