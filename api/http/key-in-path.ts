/** Owns the key in an address, for programs that can send no header: it is taken out before anything is logged. */
import type { Middleware } from "koa";
import { RECONCILE } from "../matching/reconciliation/manifest.ts";
import type { RequestState } from "./request-context.ts";

const KEYED = new RegExp(`^(${RECONCILE}/key/([\\w.~%-]+))(?=/|$)`);

/**
 * Reads `/reconcile/key/KEY/…` as `/reconcile/…` with the key as HTTP Basic has it. Of the reconciliation service alone: its
 * best-known client sends no header of its own, and opens suggestions and previews in a browser.
 */
export function takeKeyFromPath(): Middleware<RequestState> {
  return async (ctx, next) => {
    const [, prefix, key = ""] = KEYED.exec(ctx.path) ?? [];
    if (prefix !== undefined) {
      ctx.path = RECONCILE + ctx.path.slice(prefix.length);
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
