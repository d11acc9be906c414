/**
 * Reads the address of a request. It refuses invalid ones and repairs two unusual forms of well-known clients: a key in
 * the path, which is removed before anything is logged, and an escaped path and question mark.
 */
import type { Middleware } from "koa";
import { RECONCILE } from "../matching/reconciliation/manifest.ts";
import { ApiError, serviceError } from "../shared/runtime/errors.ts";
import type { AppContext, RequestState } from "./request-context.ts";

// Ignores case, as the router does: a path in capitals must not bring its key into the log.
const KEYED = new RegExp(`^/*(${RECONCILE}/key/([^/]+))(?=/|$)`, "i");

/**
 * Reads `/reconcile/key/KEY/…` as `/reconcile/…` with the key in HTTP Basic. Only the reconciliation service takes keys
 * in the path: OpenRefine, its best-known client, sends no headers of its own, and opens suggestions and previews in a
 * browser.
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

// `/%2Fadvanced-search%2Fcompanies%3F=&size=20`: the path and question mark were escaped as the first key of a query.
const ESCAPED = /^\/%2Fadvanced-search%2Fcompanies%3F=(?:&|$)/i;

// A name, IPv4 or IPv6 address, and a port. It may be empty: a client that knows no host sends an empty one.
const HOST = /^(?:[\w.-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

// Limit: parameters of a query. The time Koa takes to parse them grows with the square of their number, key or no key.
const MOST_PARAMETERS = 200;

/**
 * Compat: the vendor's own SDK escapes the path of its advanced search this way. No other path is accepted in that
 * form: a proxy that blocks certain paths would not recognise them. Throws ApiError 400 for a path that cannot be
 * decoded, an invalid or repeated host, and a query of too many parameters.
 */
export function repairAddress(): Middleware<RequestState> {
  return async (ctx, next) => {
    const escaped = ESCAPED.exec(ctx.url);
    if (escaped) ctx.url = `/advanced-search/companies?${ctx.url.slice(escaped[0].length)}`;
    const isLong = ctx.querystring.split("&").length > MOST_PARAMETERS;
    // Emptied, because the error page parses the query again.
    if (isLong) ctx.querystring = "";
    if (isLong || !hasHost(ctx) || !isDecodable(ctx.path))
      throw new ApiError(400, [serviceError("bad-request")]);
    await next();
  };
}

/** False for several Host headers, and for an invalid host, of the request or as a proxy names it (RFC 9112, 3.2). */
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
