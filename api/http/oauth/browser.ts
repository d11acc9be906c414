/** Owns what ties the forms of OAuth 2.0 to the browser that was shown them: a cookie, and a word in each form made of it. */
import { timingSafeEqual } from "node:crypto";
import { generateToken, hashSecret } from "../../core/access/secrets.ts";
import type { AppContext } from "../request-context.ts";

/** The cookie's name: with the prefix over TLS no other host, not even one below ours, can set it. */
function cookieName(base: string): string {
  return isSecure(base) ? "__Host-register" : "register";
}

/** The cookie that the browser has brought; an empty text when it has none. */
export function browserOf(ctx: AppContext, base: string): string {
  return ctx.cookies.get(cookieName(base)) ?? "";
}

/** Gives the browser a new cookie, for as long as it is open; returns it. `base`: the service's address. */
export function nameBrowser(ctx: AppContext, base: string): string {
  const browser = generateToken();
  const secure = isSecure(base);
  // A proxy may speak TLS for us.
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

/** The word that a form carries. Who can make a browser send a form cannot read its cookie, nor make this of it. */
export function formWord(browser: string): string {
  return hashSecret(`form:${browser}`);
}

/** True when a form comes from a page of ours in this browser. */
export function isOwnForm(ctx: AppContext, base: string, word: string): boolean {
  const browser = browserOf(ctx, base);
  if (browser === "" || !isSameOrigin(ctx, base)) return false;
  const expected = Buffer.from(formWord(browser));
  const given = Buffer.from(word);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** What browsers say by themselves of where a form comes from; older ones say nothing. */
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
