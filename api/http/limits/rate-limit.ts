/** Owns the rate limit: the headers of answers, and the refusal of a caller that has used up its calls. */
import type { Next } from "koa";
import { ApiError } from "../../shared/runtime/errors.ts";
import type { CallCounter, Counted } from "./call-counter.ts";
import type { AppContext, Principal } from "../request-context.ts";
import { openSlowDown } from "../error-response.ts";

// Compat: clients of the original read these headers after every call, and some fail without them.
const WINDOW = "5m";
const WINDOW_MS = 300_000;
// For callers without a limit: a number so large that no client waits.
const UNLIMITED = "1000000";

/**
 * Sets the four headers on every answer behind it, refusals included. Each call of a limited caller is counted, and calls above
 * the limit get 429 until the window ends; an address without a key waits for its refusal. `now` in milliseconds.
 */
export function openRateLimit(counter: CallCounter, now: () => number, anonymousLimit: number) {
  const slowDown = openSlowDown(0);
  const countedOf = ({ countedAs }: Principal, limit: number): Counted => {
    return { name: countedAs, windowMs: WINDOW_MS, limit };
  };
  return {
    /** Sets the headers of an address without a key, for answers sent before the caller is known. */
    announce: async (ctx: AppContext, next: Next): Promise<void> => {
      setHeaders(ctx, String(anonymousLimit), String(anonymousLimit), now());
      await next();
    },
    /** True when this process knows, without a call to Redis, that the caller has used up its calls. */
    isUsedUp: (principal: Principal): boolean =>
      principal.limit !== undefined && counter.isAbove(countedOf(principal, principal.limit)),
    middleware: async (ctx: AppContext, next: Next): Promise<void> => {
      const { principal } = ctx.state;
      setHeaders(ctx, UNLIMITED, UNLIMITED, now());
      if (principal?.limit !== undefined) {
        const { limit } = principal;
        const counted = countedOf(principal, limit);
        const count = async (more?: number) => {
          const calls = await counter.count(counted, more);
          setHeaders(ctx, String(limit), String(Math.max(0, limit - calls)), now());
          return calls;
        };
        if ((await count()) > limit) {
          if (!principal.application) await slowDown();
          // Compat: the original does not document the body; the headers say when to retry.
          throw new ApiError(429, []);
        }
        ctx.state.charge = async (more) => void (await count(more));
      }
      await next();
    },
  };
}

function setHeaders(ctx: AppContext, limit: string, remain: string, now: number): void {
  // The headers of an answer in progress have been sent.
  if (ctx.headerSent) return;
  ctx.set({
    "X-Ratelimit-Limit": limit,
    "X-Ratelimit-Remain": remain,
    "X-Ratelimit-Reset": String(((Math.floor(now / WINDOW_MS) + 1) * WINDOW_MS) / 1000),
    "X-Ratelimit-Window": WINDOW,
  });
}
