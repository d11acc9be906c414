/** Our own cookies, and the check that a form comes from one of our own pages. */
import { foreignOrigin } from "./cors.ts";
import type { AppContext } from "./request-context.ts";

/** Reads a cookie; an empty text if none was sent. `base`: the service's address; with https, cookies need TLS. */
export function readCookie(ctx: AppContext, base: string, name: string): string {
  return ctx.cookies.get(fullName(base, name)) ?? "";
}

/** Sets a cookie for this host until the browser is closed, hidden from scripts; null deletes it. */
export function writeCookie(ctx: AppContext, base: string, name: string, value: string | null): void {
  const secure = isSecure(base);
  // Koa would refuse a secure cookie on a connection without TLS, but a proxy may terminate TLS for us.
  ctx.cookies.secure = secure;
  const options = { httpOnly: true, sameSite: "lax", path: "/", secure, overwrite: true } as const;
  ctx.cookies.set(fullName(base, name), value, options);
}

/**
 * True when a form comes from our own origin, as the browser states in Sec-Fetch-Site, whatever Host a proxy sends.
 * Older browsers, and all browsers without TLS, send only Origin. Very old ones send neither, and are believed.
 */
export function isSameOrigin(ctx: AppContext, base: string): boolean {
  const site = ctx.get("Sec-Fetch-Site");
  return site === "" ? foreignOrigin(ctx, base) === null : site === "same-origin";
}

/** Over TLS the prefix prevents all other hosts, even our own subdomains, from setting the cookie. */
function fullName(base: string, name: string): string {
  return isSecure(base) ? `__Host-${name}` : name;
}

function isSecure(base: string): boolean {
  return base.startsWith("https:");
}
