/** CORS: decides which web pages may call from a browser, before the caller is identified. */
import cors from "@koa/cors";
import type { Middleware } from "koa";
import { applications } from "../shared/access/applications.ts";
import { ApiError, serviceError } from "../shared/runtime/errors.ts";
import type { DocumentStore } from "../shared/stores/mongodb/mongo.ts";
import { openCached } from "../shared/runtime/cached.ts";
import { RECONCILE } from "../matching/reconciliation/manifest.ts";
import type { AppContext, BaseOf, RequestState } from "./request-context.ts";

// Compat: the original's lists (api.md part 4), with If-None-Match and our own headers added, which disturb no client.
const ALLOWED =
  "origin, content-type, content-length, user-agent, host, accept, authorization, X-RateLimit-Query, api_key, " +
  "if-none-match, x-request-id, traceparent";
const EXPOSED =
  "Location, www-authenticate, cache-control, pragma, content-type, expires, last-modified, X-RateLimit-Limit, " +
  "X-RateLimit-Remain, X-RateLimit-Reset, X-RateLimit-Window, etag, x-request-id, x-register-coverage, " +
  "service-expiry-date";
const METHODS = "GET,HEAD,OPTIONS";
const METHODS_HEADER = "Access-Control-Allow-Methods";
const MAX_AGE_SECONDS = 3_600;
// Origins are cached this long, so the registration or removal of one takes effect within the same time.
const TRUSTED_MS = 5_000;
// With origins in the cache, a request waits no longer than this for a store that does not answer.
const PATIENCE_MS = 400;

/**
 * Answers preflight requests, and sets the CORS headers of all others. A preflight carries no key, so the origins of
 * all applications are allowed here. Whether the origin is that of the caller's application is checked later. `now` in
 * milliseconds.
 */
export function allowOrigins(
  documents: DocumentStore,
  now: () => number,
  baseOf: BaseOf,
): Middleware<RequestState> {
  const isRegistered = openOrigins(documents, now);
  const allow = cors({
    origin: async (ctx) => {
      const origin = foreignOrigin(ctx, baseOf(ctx));
      return origin !== null && (await isRegistered(origin)) ? origin : "";
    },
    allowMethods: METHODS,
    allowHeaders: ALLOWED,
    exposeHeaders: EXPOSED,
    maxAge: MAX_AGE_SECONDS,
    credentials: true,
    // Error answers keep the headers that are set on the response, so the error itself needs none.
    keepHeadersOnError: false,
  });
  return async (ctx, next) => {
    await allow(ctx, async () => {
      if (isPreflight(ctx)) throw new ApiError(403, [serviceError("access-denied")]);
      await next();
    });
    // Only the reconciliation service accepts forms.
    if (ctx.path === RECONCILE && ctx.response.get(METHODS_HEADER))
      ctx.set(METHODS_HEADER, `${METHODS},POST`);
  };
}

/** The origin of the web page that calls; null when there is none or it is our own. `base`: the service's address. */
export function foreignOrigin(ctx: Pick<AppContext, "get" | "host">, base: string): string | null {
  const origin = ctx.get("Origin");
  if (origin === "") return null;
  // Only hosts are compared, since a proxy may terminate TLS. The base's host counts, too: a proxy may change the Host.
  return URL.canParse(origin) && [ctx.host, hostOf(base)].includes(new URL(origin).host) ? null : origin;
}

/** Undefined for an invalid address: it may be made from the request's Host, which may contain anything. */
function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).host : undefined;
}

/** Withdraws the permission to call from a page whose origin belongs to another application. */
export function withdrawOrigin(ctx: AppContext): void {
  for (const name of ["Origin", "Credentials"]) ctx.remove(`Access-Control-Allow-${name}`);
  ctx.remove("Access-Control-Expose-Headers");
}

function isPreflight(ctx: Pick<AppContext, "method" | "get">): boolean {
  return (
    ctx.method === "OPTIONS" && ctx.get("Access-Control-Request-Method") !== "" && ctx.get("Origin") !== ""
  );
}

/** Makes the function that says whether any application has registered an origin. */
function openOrigins(documents: DocumentStore, now: () => number): (origin: string) => Promise<boolean> {
  const fetchOrigins = async () => {
    const all = await applications.fetchAll(documents);
    return new Set(all.flatMap(({ origins = [] }) => origins));
  };
  const fetchKnown = openCached(fetchOrigins, { trustedMs: TRUSTED_MS, now });
  return async (origin) => (await fetchKnown(PATIENCE_MS)).has(origin);
}
