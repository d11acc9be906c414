/** Owns CORS: which web pages may call from a browser, decided before the caller is identified. */
import cors from "@koa/cors";
import type { Middleware } from "koa";
import { applications } from "../shared/access/applications.ts";
import { ApiError, serviceError } from "../shared/runtime/errors.ts";
import type { DocumentStore } from "../shared/stores/mongodb/mongo.ts";
import { openKnown } from "../shared/runtime/known.ts";
import { RECONCILE } from "../matching/reconciliation/manifest.ts";
import type { AppContext, BaseOf, RequestState } from "./request-context.ts";

// Compat: the original's lists (api.md part 4); If-None-Match and our own headers beside them, in no client's way.
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
// How long after registration or removal of an origin the change takes effect.
const TRUSTED_MS = 5_000;
// When origins are cached, a page does not wait longer for a store that does not answer.
const PATIENCE_MS = 400;

/**
 * Answers preflight requests, which carry no key, by the origins of all applications, and sets the headers of the others.
 * Whether the origin belongs to the caller's own application is checked later, when the caller is known. `now` in milliseconds.
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
    // The answer to an error is made from the same headers.
    keepHeadersOnError: false,
  });
  return async (ctx, next) => {
    await allow(ctx, async () => {
      if (isPreflight(ctx)) throw new ApiError(403, [serviceError("access-denied")]);
      await next();
    });
    // The reconciliation service alone takes forms.
    if (ctx.path === RECONCILE && ctx.response.get(METHODS_HEADER))
      ctx.set(METHODS_HEADER, `${METHODS},POST`);
  };
}

/** The origin of the calling page, in a browser; null when there is none or it is this server's own. `base`: the service's address. */
export function foreignOrigin(ctx: Pick<AppContext, "get" | "host">, base: string): string | null {
  const origin = ctx.get("Origin");
  if (origin === "") return null;
  // A proxy may terminate TLS for us, so only the host shows that a page is ours; or send a Host of its own, so the base counts too.
  return URL.canParse(origin) && [ctx.host, hostOf(base)].includes(new URL(origin).host) ? null : origin;
}

/** Undefined for an address that is none: it may have the Host of the request, which a stranger may fill with anything. */
function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).host : undefined;
}

/** Removes the permission from a page whose origin belongs to another application. */
export function withdrawOrigin(ctx: AppContext): void {
  for (const name of ["Origin", "Credentials"]) ctx.remove(`Access-Control-Allow-${name}`);
  ctx.remove("Access-Control-Expose-Headers");
}

function isPreflight(ctx: Pick<AppContext, "method" | "get">): boolean {
  return (
    ctx.method === "OPTIONS" && ctx.get("Access-Control-Request-Method") !== "" && ctx.get("Origin") !== ""
  );
}

/** Whether an application has the origin. */
function openOrigins(documents: DocumentStore, now: () => number): (origin: string) => Promise<boolean> {
  const fetchOrigins = async () => {
    const all = await applications.fetchAll(documents);
    return new Set(all.flatMap(({ origins = [] }) => origins));
  };
  const fetchKnown = openKnown(fetchOrigins, { trustedMs: TRUSTED_MS, now });
  return async (origin) => (await fetchKnown(PATIENCE_MS)).has(origin);
}
