/** Owns escaped addresses: one that a client escapes as a whole is repaired, one with a broken escape is refused. */
import type { Middleware } from "koa";
import { ApiError } from "../shared/runtime/errors.ts";
import { serviceError } from "./error-response.ts";
import type { RequestState } from "./request-context.ts";

// `/%2Fadvanced-search%2Fcompanies%3F=&size=20`: path and question mark became the first key of the query.
const ESCAPED = /^\/%2Fadvanced-search%2Fcompanies%3F=(?:&|$)/i;

/**
 * Compat: the vendor's own SDK builds the address of its advanced search so. No other path is taken in that form: a proxy
 * that reserves some of them would not recognise it. Throws ApiError 400 for a path that cannot be decoded.
 */
export function repairAddress(): Middleware<RequestState> {
  return async (ctx, next) => {
    const escaped = ESCAPED.exec(ctx.url);
    if (escaped) ctx.url = `/advanced-search/companies?${ctx.url.slice(escaped[0].length)}`;
    if (!isDecodable(ctx.path)) throw new ApiError(400, [serviceError("bad-request")]);
    await next();
  };
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
