/** Owns what binds the forms of OAuth 2.0 to one browser: a cookie, and a form token derived from it. */
import { timingSafeEqual } from "node:crypto";
import { generateToken, hashSecret } from "../../core/access/secrets.ts";
import type { AppContext } from "../request-context.ts";

/** The cookie's name. Over TLS the prefix prevents every other host, even a subdomain of ours, from setting it. */
function cookieName(base: string): string {
  return isSecure(base) ? "__Host-register" : "register";
}

/** The cookie that the browser sent; an empty text when it sent none. */
export function browserOf(ctx: AppContext, base: string): string {
  return ctx.cookies.get(cookieName(base)) ?? "";
}

/** Gives the browser a new session cookie and returns it. `base`: the service's address. */
export function nameBrowser(ctx: AppContext, base: string): string {
  const browser = generateToken();
  const secure = isSecure(base);
  // A proxy may terminate TLS for us.
  ctx.cookies.secure = secure;
  ctx.cookies.set(cookieName(base), browser, {
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    secure,
    overwrite: true,
  });
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

/** The browser's own header about where a form comes from; older browsers send none. */
function isSameOrigin(ctx: AppContext, base: string): boolean {
  const site = ctx.get("Sec-Fetch-Site");
  if (site !== "" && site !== "same-origin") return false;
  const origin = ctx.get("Origin");
  if (origin === "") return true;
  return URL.canParse(origin) && [ctx.host, new URL(base).host].includes(new URL(origin).host);
}

function isSecure(base: string): boolean {
  return base.startsWith("https:");
}
