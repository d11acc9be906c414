/** Owns what binds the forms of OAuth 2.0 to one browser: a cookie, and a form token derived from it. */
import { timingSafeEqual } from "node:crypto";
import { generateToken, hashSecret } from "../../shared/access/secrets.ts";
import { isSameOrigin, readCookie, writeCookie } from "../own-cookies.ts";
import type { AppContext } from "../request-context.ts";

const COOKIE = "register";

/** The cookie that the browser sent; an empty text when it sent none. `base`: the service's address. */
export function browserOf(ctx: AppContext, base: string): string {
  return readCookie(ctx, base, COOKIE);
}

/** Gives the browser a new session cookie and returns it. */
export function nameBrowser(ctx: AppContext, base: string): string {
  const browser = generateToken();
  writeCookie(ctx, base, COOKIE, browser);
  return browser;
}

/** The form token. Another site can make a browser send a form, but it can neither read the cookie nor derive this token. */
export function formWord(browser: string): string {
  return hashSecret(`form:${browser}`);
}

/** True when the form comes from a page of ours in this browser. */
export function isOwnForm(ctx: AppContext, base: string, word: string): boolean {
  const browser = browserOf(ctx, base);
  if (browser === "" || !isSameOrigin(ctx, base)) return false;
  const expected = Buffer.from(formWord(browser));
  const given = Buffer.from(word);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
