/** Owns the repair of addresses that a client has escaped as a whole. */
import type { Middleware } from "koa";
import type { RequestState } from "./request-context.ts";

// `/%2Fadvanced-search%2Fcompanies%3F=&size=20`: path and question mark became the first key of the query.
const ESCAPED = /^\/(%2F[^&?]*?)%3F=(?:&|$)/i;

/** Compat: the vendor's own SDK builds the address of its advanced search so. */
export function repairAddress(): Middleware<RequestState> {
  return async (ctx, next) => {
    const escaped = ESCAPED.exec(ctx.url);
    if (escaped) ctx.url = `${decodeURIComponent(escaped[1] ?? "")}?${ctx.url.slice(escaped[0].length)}`;
    await next();
  };
}
