/** Owns API-shaped input: a resource from the public API or its streams, to be mapped to a stored record. */
import { parseCompanyNumber } from "../core/company-number.ts";
import { RecordError } from "../core/errors.ts";

/** The resource of an API-shaped line or a streaming event (bulk formats 5 and 6.1). */
export interface ResourceAddress {
  /** `resource_kind`: `company-charges`. */
  kind: string;
  /** `resource_uri`, with its leading slash: `/company/99000025/charges/5zgl…`. */
  uri: string;
  /** `resource_id`. */
  id: string;
}

/** The envelope of an API-shaped line or a streaming event, checked. */
export interface IncomingResource extends ResourceAddress {
  /** The resource as the API answers it, without members that were null. */
  data: Record<string, unknown>;
}

/** The company in the resource's address. For many kinds it occurs nowhere else. Throws RecordError. */
export function companyNumberOf({ uri }: IncomingResource): string {
  const given = /^\/company\/([^/]+)/.exec(uri)?.[1] ?? "";
  const number = parseCompanyNumber(given);
  if (!number) throw new RecordError(`names no company: "${uri}"`, "resource_uri");
  return number;
}

/** The place of a resource's record. */
export interface RecordLocation {
  /** `_id`, or the key with the API's id where `_id` is derived from the content. */
  field: string;
  value: string;
  /** The company in the address, for resources below a company. */
  companyNumber?: string;
}

/** For a resource that a company has once: its record is stored under the company's number. Throws RecordError. */
export function locateByCompany(resource: IncomingResource): RecordLocation {
  const companyNumber = companyNumberOf(resource);
  return { field: "_id", value: companyNumber, companyNumber };
}

/** For a resource below a company whose record has the API's id in `field`. Throws RecordError. */
export function locateById(resource: IncomingResource, field = "_id"): RecordLocation {
  return { field, value: resource.id, companyNumber: companyNumberOf(resource) };
}

/** The link to the resource itself: every resource with one may have it, and none stores it. */
export const SELF_LINK = { properties: { links: { properties: { self: {} } } } };
