/**
 * What goes to and from a person's browser: pages with their headers, redirects, and what binds forms to one browser, a
 * cookie and a form token derived from it.
 */
import { timingSafeEqual } from "node:crypto";
import { generateToken, hashSecret } from "../../shared/access/secrets.ts";
import { contentPolicy } from "../../shared/html/files.ts";
import { isSameOrigin, readCookie, writeCookie } from "../own-cookies.ts";
import type { AppContext } from "../request-context.ts";
import { faultPage } from "./pages.tsx";
import { fieldOf, readForm } from "./parameters.ts";
import type { Parameters } from "./server.ts";

const COOKIE = "register";

/** The cookie that the browser sent; an empty text when it sent none. `base`: the service's address. */
export function readBrowserCookie(ctx: AppContext, base: string): string {
  return readCookie(ctx, base, COOKIE);
}

/** Gives the browser a new session cookie and returns it. */
export function setBrowserCookie(ctx: AppContext, base: string): string {
  const browser = generateToken();
  writeCookie(ctx, base, COOKIE, browser);
  return browser;
}

/**
 * The form token of the browser, which gets a cookie if it has none. Another site can make a browser send a form, but
 * can neither read the cookie nor derive this token.
 */
export function formToken(ctx: AppContext, base: string): string {
  return tokenOf(readBrowserCookie(ctx, base) || setBrowserCookie(ctx, base));
}

function tokenOf(browser: string): string {
  return hashSecret(`form:${browser}`);
}

/** True when a form of our own came without our cookie. With forms of other sites browsers leave it out on purpose. */
export function lacksCookie(ctx: AppContext, base: string): boolean {
  return readBrowserCookie(ctx, base) === "" && isSameOrigin(ctx, base);
}

/** True when the form comes from one of our pages in this browser. */
export function isOwnForm(ctx: AppContext, base: string): boolean {
  const browser = readBrowserCookie(ctx, base);
  if (browser === "" || !isSameOrigin(ctx, base)) return false;
  const expected = Buffer.from(tokenOf(browser));
  const given = Buffer.from(fieldOf(readForm(ctx), "word"));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Answers a form that does not come from one of our pages in this browser. */
export function refuseForm(ctx: AppContext): void {
  answerPage(ctx, 403, faultPage("This page was out of date", "Go back, and try again."));
}

/** Answers with a page. `directives`: further directives of its content security policy. */
export function answerPage(ctx: AppContext, status: number, page: string, ...directives: string[]): void {
  setPageHeaders(ctx);
  ctx.set("Content-Security-Policy", contentPolicy("frame-ancestors 'none'", ...directives));
  ctx.set("Content-Type", "text/html; charset=utf-8");
  ctx.body = page;
  ctx.status = status;
}

/** Redirects the browser: to one of our pages by a relative address, or back to the client. */
export function answerRedirect(ctx: AppContext, address: string): void {
  setPageHeaders(ctx);
  ctx.status = 303;
  ctx.set("Location", address);
  ctx.body = "";
}

/** The error that a client gets when the person refuses (RFC 6749, 4.1.2.1). */
export const REFUSED = { error: "access_denied", error_description: "The person refused" };

/** The client's address, exactly as registered, with the outcome of its request. `base`: the service's address. */
export function buildClientAddress(
  { redirect_uri = "", state }: Parameters,
  base: string,
  outcome: Parameters,
): string {
  const query = new URLSearchParams({ ...outcome, ...(state !== undefined && { state }), iss: base });
  return `${redirect_uri}${redirect_uri.includes("?") ? "&" : "?"}${query.toString()}`;
}

function setPageHeaders(ctx: AppContext): void {
  ctx.set({
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    // The address contains a sign-in's token or a client's code: other sites must not see either.
    "Referrer-Policy": "same-origin",
  });
}
