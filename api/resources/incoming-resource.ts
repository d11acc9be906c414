/** Owns API-shaped input: a resource as the public API or its streams give it, on its way to a stored record. */
import { parseCompanyNumber } from "../core/company-number.ts";
import { RecordError } from "../core/errors.ts";

/** The envelope of API-shaped JSON lines and of streaming events (bulk formats 5 and 6.1), checked. */
export interface IncomingResource {
  /** `resource_kind`: `company-charges`. */
  kind: string;
  /** `resource_uri`, with its leading slash: `/company/99000025/charges/5zgl…`. */
  uri: string;
  /** `resource_id`. */
  id: string;
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

/** Throws RecordError for the first member that is not among those known. */
export function refuseUnknownMembers({ data }: IncomingResource, known: ReadonlySet<string>): void {
  const unknown = Object.keys(data).find((member) => !known.has(member));
  if (unknown !== undefined) throw new RecordError("is no member of this resource", unknown);
}
