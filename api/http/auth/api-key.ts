/** Owns authentication by API key: HTTP Basic with the key as user name and any password, or the bare key. */
import type { Middleware } from "koa";
import { fetchKey, type ApiKey } from "../../core/api-keys.ts";
import { AuthenticationError } from "../../core/errors.ts";
import type { DocumentStore } from "../../core/stores/mongo.ts";
import type { RequestState } from "../request-context.ts";

// A key looked up once is trusted this long: a revoked one stops working within the same time.
const CACHE_MS = 10_000;
// Limit: known keys held in memory; past it the oldest goes first. Unknown keys are never held.
const CACHE_SIZE = 10_000;

/** Lets only known keys through. `now` in milliseconds. */
export function authenticateByKey(documents: DocumentStore, now: () => number): Middleware<RequestState> {
  const cache = new Map<string, { key: ApiKey; until: number }>();
  return async (ctx, next) => {
    const text = parseKey(ctx.get("Authorization"), ctx.get("api_key"));
    const cached = cache.get(text);
    if (!cached || cached.until < now()) {
      const key = await fetchKey(documents, text);
      cache.delete(text);
      if (!key) throw new AuthenticationError("Invalid Authorization");
      if (cache.size >= CACHE_SIZE) cache.delete(cache.keys().next().value ?? "");
      cache.set(text, { key, until: now() + CACHE_MS });
    }
    ctx.state.caller = cache.get(text)?.key.name ?? "";
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
