/** Media-type versioning: finds the version of a definition that an Accept header asks for. */
import Negotiator from "negotiator";
import { ApiError, serviceError } from "../shared/runtime/errors.ts";
import type { Deprecation } from "../resources/define-resource.ts";

/** What versioning must know of a definition. */
interface Versioned<V extends NumberedVersion> {
  /** The media type's resource name. */
  name: string;
  /** Other resource names that an Accept header may have in its place. */
  aliases?: readonly string[] | undefined;
  /** Newest first. */
  versions: readonly V[];
  /** Numbers that are no longer answered: 410. */
  expired: readonly number[];
}

export interface NumberedVersion {
  version: number;
  deprecation?: Deprecation | undefined;
}

/** What a request and a definition agree on. */
export interface Agreement<V extends NumberedVersion> {
  version: V;
  /** The Content-Type of the answer. */
  mediaType: string;
  /** Headers that belong to the version. */
  headers: Record<string, string>;
}

// The specification has both prefixes. The first is the one in documents and answers, and the one that wildcards get.
const PREFIXES = ["vnd", "x"] as const;
const JSON_TYPE = "application/json";
// Parameters other than the version and the weight (`charset=utf-8`, `odata=verbose`) do not concern the version. They
// are removed, or every request of a client that always sends its charset would be refused.
const OTHER_PARAMETER =
  /;\s*(?!(?:version|q)\s*=)[\w!#$%&'*+.^`|~-]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*)/gi;

/** The media type of one version: `application/vnd.company-register.company-profile+json; version=1`. */
export function mediaTypeOf(
  vendor: string,
  name: string,
  version: number,
  prefix: (typeof PREFIXES)[number] = "vnd",
): string {
  return `application/${prefix}.${vendor}.${name}+json; version=${version}`;
}

/**
 * Makes the function that negotiates the version of one definition. Given the Accept header and the day, it throws
 * ApiError 406 for an unknown type or version, and 410 for an expired one. Throws at once if the versions are out of
 * order.
 */
export function createNegotiation<V extends NumberedVersion>(
  vendor: string,
  { name, aliases = [], versions, expired }: Versioned<V>,
): (accept: string | undefined, today: string) => Agreement<V> {
  requireOrder(name, versions);
  const names = [name, ...aliases];
  const offers = versions.flatMap((version) => offersOf(vendor, names, version));
  const former = expired.flatMap((version) => offersOf(vendor, names, { version }));
  return (accept, today) => {
    const served = offers.filter(({ version }) => isServed(version, today));
    const negotiator = readAccept(accept);
    const chosen = negotiator?.mediaType(served.map(({ accepted }) => accepted));
    const offer = negotiator ? served.find(({ accepted }) => accepted === chosen) : served[0];
    if (offer) return agree(vendor, name, offer);
    const isExpired = negotiator?.mediaType([...offers, ...former].map(({ accepted }) => accepted));
    throw isExpired ? new ApiError(410, [serviceError("media-type-version-expired")]) : notAcceptable();
  };
}

/** Throws ApiError 406 when an Accept header excludes the one available type: a download has no versions. */
export function requireAccepted(accept: string | undefined, mediaType: string): void {
  const negotiator = readAccept(accept);
  if (negotiator && !negotiator.mediaType([mediaType])) throw notAcceptable();
}

/** The accepted types; null when the header is missing or accepts any type, which is what most programs send. */
function readAccept(accept: string | undefined): Negotiator | null {
  const header = accept?.replace(OTHER_PARAMETER, "") ?? "";
  return header === "" || header === "*/*" ? null : new Negotiator({ headers: { accept: header } });
}

function notAcceptable(): ApiError {
  return new ApiError(406, [serviceError("invalid-media-type")]);
}

interface Offer<V> {
  version: V;
  /** The type in the Accept header. */
  accepted: string;
  /** The Content-Type that answers it. */
  mediaType: string;
}

/**
 * A version under each of its names, and as plain JSON: `application/json; version=1` means the same as
 * `*\/*; version=1`. Wildcards get the first offer.
 */
function offersOf<V extends NumberedVersion>(
  vendor: string,
  names: readonly string[],
  version: V,
): Offer<V>[] {
  const number = version.version;
  const types = names.flatMap((name) => PREFIXES.map((prefix) => mediaTypeOf(vendor, name, number, prefix)));
  const named = types.map((mediaType) => ({ version, accepted: mediaType, mediaType }));
  const json = { version, accepted: `${JSON_TYPE}; version=${number}`, mediaType: types[0] ?? JSON_TYPE };
  return [...named, json];
}

/** False for a deprecated version from its expiry day on: it ends without a change of the code. */
function isServed({ deprecation }: NumberedVersion, today: string): boolean {
  return !deprecation || today < deprecation.expiresOn;
}

function agree<V extends NumberedVersion>(vendor: string, name: string, offer: Offer<V>): Agreement<V> {
  const { deprecation, version: number } = offer.version;
  const headers: Record<string, string> = deprecation
    ? { "Service-Expiry-Date": `${deprecation.expiresOn}; rel=${mediaTypeOf(vendor, name, number)}` }
    : {};
  return { version: offer.version, mediaType: offer.mediaType, headers };
}

function requireOrder(name: string, versions: readonly NumberedVersion[]): void {
  if (versions[0]?.deprecation) throw new Error(`the newest version of ${name} cannot be deprecated`);
  const numbers = versions.map(({ version }) => version);
  if (numbers.some((number, i) => i > 0 && number >= (numbers[i - 1] ?? 0))) {
    throw new Error(`the versions of ${name} must be listed newest first, each once`);
  }
}
