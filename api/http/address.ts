/**
 * Owns the address of a request: which one is refused, and how the two unusual ones of well-known clients are read: with a key
 * in the path, which is taken out before anything is logged, and with an escaped path and question mark.
 */
import type { Middleware } from "koa";
import { RECONCILE } from "../matching/reconciliation/manifest.ts";
import { ApiError, serviceError } from "../shared/runtime/errors.ts";
import type { AppContext, RequestState } from "./request-context.ts";

// The router takes paths in any case as well, and a log must not have the key of a mistyped one either.
const KEYED = new RegExp(`^/*(${RECONCILE}/key/([^/]+))(?=/|$)`, "i");

/**
 * Reads `/reconcile/key/KEY/…` as `/reconcile/…` with the key as HTTP Basic has it. Of the reconciliation service alone: its
 * best-known client sends no header of its own, and opens suggestions and previews in a browser.
 */
export function takeKeyFromPath(): Middleware<RequestState> {
  return async (ctx, next) => {
    const [whole = "", prefix, key = ""] = KEYED.exec(ctx.path) ?? [];
    if (prefix !== undefined) {
      ctx.path = RECONCILE + ctx.path.slice(whole.length);
      ctx.state.keyedPath = prefix;
      ctx.req.headers.authorization = `Basic ${Buffer.from(`${decode(key)}:`).toString("base64")}`;
    }
    await next();
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// `/%2Fadvanced-search%2Fcompanies%3F=&size=20`: path and question mark became the first key of the query.
const ESCAPED = /^\/%2Fadvanced-search%2Fcompanies%3F=(?:&|$)/i;

// A name, IPv4 or IPv6 address, and a port; a client that knows no host sends none of it.
const HOST = /^(?:[\w.-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

// Limit: parameters of a query. Koa takes time by the square of their number to read them, also for callers without a key.
const MOST_PARAMETERS = 200;

/**
 * Compat: the vendor's own SDK builds the address of its advanced search so. No other path is taken in that form: a proxy
 * that reserves some of them would not recognise it. Throws ApiError 400 for a path that cannot be decoded, a host that no
 * request may have, and a query of too many parameters.
 */
export function repairAddress(): Middleware<RequestState> {
  return async (ctx, next) => {
    const escaped = ESCAPED.exec(ctx.url);
    if (escaped) ctx.url = `/advanced-search/companies?${ctx.url.slice(escaped[0].length)}`;
    const isLong = ctx.querystring.split("&").length > MOST_PARAMETERS;
    // The page that shows the refusal reads what is left.
    if (isLong) ctx.querystring = "";
    if (isLong || !hasHost(ctx) || !isDecodable(ctx.path))
      throw new ApiError(400, [serviceError("bad-request")]);
    await next();
  };
}

/** False for more than one host, or one that is none, in the request or as a proxy names it (RFC 9112, 3.2). */
function hasHost({ req, host }: AppContext): boolean {
  const { host: given = [] } = req.headersDistinct;
  return given.length <= 1 && [...given, host].every((one) => HOST.test(one));
}

function isDecodable(path: string): boolean {
  if (!path.includes("%")) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
