/** Owns the question who calls: the one chain from what a request carries to a principal. */
import { isIP } from "node:net";
import type { Middleware } from "koa";
import { hashSecret } from "../../core/access/secrets.ts";
import { ApiError, AuthenticationError } from "../../core/errors.ts";
import { foreignOrigin, withdrawOrigin } from "../cors.ts";
import { serviceError } from "../error-response.ts";
import type { AppContext, RequestState } from "../request-context.ts";
import { parseCredentials } from "./credentials.ts";
import type { KnownCaller } from "./known-caller.ts";
import type { Principal } from "./principal.ts";
import type { Remembered } from "./remembered.ts";

/** What callers are found by. */
export interface IdentifyOptions {
  /** By what kind of secret, and where those of that kind are looked up. */
  lookups: Record<"key" | "bearer", Remembered<KnownCaller>>;
  /** Most calls in five minutes of an address without a key, or with wrong ones. */
  anonymousLimit: number;
  /** True when a caller is known to have used up its calls: told from memory. */
  isUsedUp: (principal: Principal) => boolean;
  /** In milliseconds. */
  now: () => number;
}

/**
 * Sets the principal of each request; somebody without a key, or with a wrong one, is the address that the request comes
 * from. Why it may not go on is set beside it and thrown further in, behind the limit: a refusal is a call, too.
 */
export function identify(options: IdentifyOptions): Middleware<RequestState> {
  return async (ctx, next) => {
    const { principal, refusal } = await findCaller(ctx, options);
    ctx.state.principal = principal;
    if (principal.application) ctx.state.caller = principal.application.name;
    if (refusal) ctx.state.refusal = refusal;
    await next();
  };
}

interface Found {
  principal: Principal;
  refusal?: Error;
}

/** The principal of a request, and why it may not go on, if so. */
export async function findCaller(ctx: AppContext, options: IdentifyOptions): Promise<Found> {
  const credentials = parseCredentials(ctx.get("Authorization"), ctx.get("api_key"));
  const nobody = { countedAs: `address:${networkOf(ctx.ip)}`, limit: options.anonymousLimit, scopes: [] };
  if (credentials.kind === "none") {
    return { principal: nobody, refusal: new AuthenticationError("Empty Authorization header") };
  }
  const isBearer = credentials.kind === "bearer";
  // Made only where it is needed: an error costs its stack.
  const unknown = () => ({
    principal: nobody,
    refusal: new AuthenticationError("Invalid Authorization", isBearer),
  });
  if (credentials.kind === "malformed") return unknown();
  const lookup = options.lookups[credentials.kind];
  const hash = hashSecret(credentials.secret);
  // An address that has sent too many wrong ones is heard no further, but for secrets that are known to be right.
  if (!lookup.isRemembered(hash) && options.isUsedUp(nobody)) return unknown();
  const caller = await lookup.find(hash);
  if (!caller || (caller.expiresAt !== undefined && caller.expiresAt <= options.now())) return unknown();
  const { principal, isAllowedFrom } = caller;
  const origin = foreignOrigin(ctx);
  const isHome = origin === null || principal.application?.origins?.includes(origin) === true;
  if (isHome && (!isAllowedFrom || isAllowedFrom(ctx.ip))) return { principal };
  withdrawOrigin(ctx);
  // Compat: the original refuses a key that is used from another address or web page with 403 and this word.
  return { principal, refusal: new ApiError(403, [serviceError("access-denied")]) };
}

/** By what an address is counted: of IPv6 the /64, as nobody has less. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (isIP(plain) !== 6) return plain;
  const [head = "", tail = ""] = plain.split("%", 1)[0]?.split("::") ?? [];
  const front = head === "" ? [] : head.split(":");
  const back = tail === "" ? [] : tail.split(":");
  const zeros = plain.includes("::")
    ? Array<string>(Math.max(0, 8 - front.length - back.length)).fill("0")
    : [];
  return `${[...front, ...zeros, ...back].slice(0, 4).join(":")}::`;
}
