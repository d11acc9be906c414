/**
 * Owns the key that a visitor enters where pages need one: a cookie keeps it until the browser is closed, and with each page
 * it counts as the key of HTTP Basic. The browser's own dialog for HTTP Basic says neither what to enter nor how to leave.
 */
import { isSameOrigin, readCookie, writeCookie } from "../http/own-cookies.ts";
import type { AppContext } from "../http/request-context.ts";
import { isPage, START } from "./addresses.ts";

const COOKIE = "register-key";
// Limit: no key is longer, and none has other characters.
const KEY = /^[\x21-\x7e]{1,256}$/;

export type BaseOf = (ctx: AppContext) => string;

/** True when the request has the visitor's key now, from the cookie. A program's own key comes first. */
export function takeVisitorKey(ctx: AppContext, baseOf: BaseOf): boolean {
  const isRead = ctx.method === "GET" || ctx.method === "HEAD";
  if (!isRead || !isPage(ctx.path) || ctx.headers.authorization !== undefined) return false;
  const key = Buffer.from(readCookie(ctx, baseOf(ctx), COOKIE), "base64url").toString();
  if (!KEY.test(key)) return false;
  ctx.req.headers.authorization = `Basic ${Buffer.from(`${key}:`).toString("base64")}`;
  return true;
}

/** Deletes the cookie. */
export function forgetVisitorKey(ctx: AppContext, baseOf: BaseOf): void {
  writeCookie(ctx, baseOf(ctx), COOKIE, null);
}

/** Answers the form: keeps the key, or forgets it when the field is empty, and goes back to the page. */
export function answerKeyForm(ctx: AppContext, baseOf: BaseOf): void {
  ctx.state.route = "page-key";
  // The cast: what the body parser makes of a form.
  const { key, to } = (ctx.request.body ?? {}) as Record<string, unknown>;
  const given = typeof key === "string" ? key.trim() : "";
  const base = baseOf(ctx);
  // Another site must not leave its own key here.
  if (isSameOrigin(ctx, base)) {
    writeCookie(ctx, base, COOKIE, KEY.test(given) ? Buffer.from(given).toString("base64url") : null);
  }
  ctx.set("Cache-Control", "no-store");
  ctx.status = 303;
  // Relative, so that it works below any prefix of a proxy.
  ctx.set("Location", `..${pageIn(to)}`);
  ctx.body = "";
}

/** The page that was asked for, with its query; the start page for anything else. */
function pageIn(to: unknown): string {
  const ours = "http://register.invalid";
  if (typeof to !== "string" || !URL.canParse(to, ours)) return START;
  const { origin, pathname, search } = new URL(to, ours);
  return origin === ours && isPage(pathname) ? pathname + search : START;
}
