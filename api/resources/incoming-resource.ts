/** Owns API-shaped input: a resource as the public API or its streams give it, on its way to a stored record. */
import { parseCompanyNumber } from "../core/company-number.ts";
import { RecordError } from "../core/errors.ts";

/** Which resource an API-shaped line or a streaming event tells of (bulk formats 5 and 6.1). */
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
  /** The resource as the API answers it; members that were null have been left out. */
  data: Record<string, unknown>;
}

/** The company that the resource's address names. For many kinds it stands nowhere else. Throws RecordError. */
export function companyNumberOf({ uri }: IncomingResource): string {
  const given = /^\/company\/([^/]+)/.exec(uri)?.[1] ?? "";
  const number = parseCompanyNumber(given);
  if (!number) throw new RecordError(`names no company: "${uri}"`, "resource_uri");
  return number;
}

/** Where the record of a resource is held. */
export interface RecordLocation {
  /** `_id`, or the key that holds the id the API gives while `_id` is derived from the content. */
  field: string;
  value: string;
  /** The company that the address names, of resources below a company. */
  companyNumber?: string;
}

/** Of a resource that a company has once: its record is held under the company's number. Throws RecordError. */
export function locateByCompany(resource: IncomingResource): RecordLocation {
  const companyNumber = companyNumberOf(resource);
  return { field: "_id", value: companyNumber, companyNumber };
}

/** Of a resource below a company whose record has the id that the API gives in `field`. Throws RecordError. */
export function locateById(resource: IncomingResource, field = "_id"): RecordLocation {
  return { field, value: resource.id, companyNumber: companyNumberOf(resource) };
}

/** The link to the resource itself, which is known of every resource that has one and stored of none. */
export const SELF_LINK = { properties: { links: { properties: { self: {} } } } };
