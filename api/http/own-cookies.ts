/** Owns cookies of ours, and the check that a form comes from a page of ours. */
import { foreignOrigin } from "./cors.ts";
import type { AppContext } from "./request-context.ts";

/** Cookies for a base address: of this host alone, out of reach of scripts, and over TLS alone where the address has it. */
export function readCookie(ctx: AppContext, base: string, name: string): string {
  return ctx.cookies.get(fullName(base, name)) ?? "";
}

/** Sets a cookie until the browser is closed; null deletes it. */
export function writeCookie(ctx: AppContext, base: string, name: string, value: string | null): void {
  const secure = isSecure(base);
  // A proxy may terminate TLS for us.
  ctx.cookies.secure = secure;
  const options = { httpOnly: true, sameSite: "lax", path: "/", secure, overwrite: true } as const;
  ctx.cookies.set(fullName(base, name), value, options);
}

/**
 * What the browser itself says of where a form comes from. Behind a proxy it knows this better than we: the proxy may send a
 * Host of its own. Older browsers, and all of them without TLS, name only the origin, and very old ones say nothing.
 */
export function isSameOrigin(ctx: AppContext, base: string): boolean {
  const site = ctx.get("Sec-Fetch-Site");
  return site === "" ? foreignOrigin(ctx, base) === null : site === "same-origin";
}

/** Over TLS the prefix prevents every other host, even a subdomain of ours, from setting the cookie. */
function fullName(base: string, name: string): string {
  return isSecure(base) ? `__Host-${name}` : name;
}

function isSecure(base: string): boolean {
  return base.startsWith("https:");
}
