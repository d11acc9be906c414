/** Owns authentication by API key: HTTP Basic with the key as user name and any password, or the bare key. */
import type { Middleware } from "koa";
import { allowAddresses } from "../../core/allowed-addresses.ts";
import { fetchKey, isExpired, type ApiKey } from "../../core/api-keys.ts";
import { ApiError, AuthenticationError } from "../../core/errors.ts";
import type { DocumentStore } from "../../core/stores/mongo.ts";
import { serviceError } from "../error-response.ts";
import type { RequestState } from "../request-context.ts";

// A key looked up once is trusted this long: a revoked one stops working within the same time.
const CACHE_MS = 10_000;
// Limit: known keys held in memory; past it the oldest goes first. Unknown keys are never held.
const CACHE_SIZE = 10_000;

/** A key that has been looked up. */
interface KnownKey {
  key: ApiKey;
  /** When it is looked up again, in milliseconds. */
  until: number;
  /** Absent: it may be used from anywhere. */
  isAllowedFrom?: (address: string) => boolean;
}

/**
 * Lets only known keys through that have not expired, and only from where they may be used: 401 for the others, 403 for
 * a key used elsewhere. `now` in milliseconds.
 */
export function authenticateByKey(documents: DocumentStore, now: () => number): Middleware<RequestState> {
  const cache = new Map<string, KnownKey>();
  const look = async (text: string): Promise<KnownKey> => {
    // Counted from before the question: its answer may be as old as that.
    const until = now() + CACHE_MS;
    const key = await fetchKey(documents, text);
    cache.delete(text);
    if (!key) throw new AuthenticationError("Invalid Authorization");
    if (cache.size >= CACHE_SIZE) cache.delete(cache.keys().next().value ?? "");
    const isAllowedFrom = key.addresses && allowAddresses(key.addresses);
    const known = { key, until, ...(isAllowedFrom && { isAllowedFrom }) };
    cache.set(text, known);
    return known;
  };
  return async (ctx, next) => {
    const text = parseKey(ctx.get("Authorization"), ctx.get("api_key"));
    const cached = cache.get(text);
    const { key, isAllowedFrom } = cached && cached.until >= now() ? cached : await look(text);
    if (isExpired(key, now())) throw new AuthenticationError("Invalid Authorization");
    ctx.state.caller = key.name;
    // Compat: the original refuses a key that is used elsewhere with 403 and this word.
    if (isAllowedFrom && !isAllowedFrom(ctx.ip)) throw new ApiError(403, [serviceError("access-denied")]);
    ctx.state.key = key;
    await next();
  };
}

/**
 * The key that a request carries: as the user name of Basic authentication, or bare, in `Authorization` or in
 * the header `api_key`. Throws AuthenticationError when there is none.
 * Compat: the vendor's own SDK sends the bare key, and the interface definition declares `api_key`
 * (specification 5.3).
 */
export function parseKey(authorization: string, apiKeyHeader: string): string {
  const given = authorization.trim() || apiKeyHeader.trim();
  if (given === "") throw new AuthenticationError("Empty Authorization header");
  const [scheme = "", encoded, ...rest] = given.split(/\s+/);
  const key = encoded === undefined ? scheme : isBasic(scheme) ? userOf(encoded) : "";
  // A scheme alone is no key; neither is one of another kind, or one with several parts.
  if (key === "" || rest.length > 0 || (encoded === undefined && isBasic(scheme))) {
    throw new AuthenticationError("Invalid Authorization");
  }
  return key;
}

function isBasic(scheme: string): boolean {
  return scheme.toLowerCase() === "basic";
}

/** The user name of `user:password` in base64. */
function userOf(encoded: string): string {
  return Buffer.from(encoded, "base64").toString("utf8").split(":", 1)[0] ?? "";
}
