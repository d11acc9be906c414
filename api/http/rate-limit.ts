/** Owns the rate limit: the headers on every answer to a key, and the refusal of a key that has used up its calls. */
import type { Middleware } from "koa";
import { ApiError } from "../core/errors.ts";
import type { CallCounter } from "./call-counter.ts";
import type { RequestState } from "./request-context.ts";

// Compat: clients of the original read these headers after every call, and some fail without them.
const WINDOW = "5m";
const WINDOW_MS = 300_000;
// Of a key without a limit: a number this large keeps every client from waiting.
const UNLIMITED = "1000000";

/**
 * Sets the four headers on every answer to a key that was let in. Of one that has a limit each call is counted, and
 * those above it are refused with 429 until the window ends. `now` in milliseconds.
 */
export function rateLimit(counter: CallCounter, now: () => number): Middleware<RequestState> {
  return async (ctx, next) => {
    const window = Math.floor(now() / WINDOW_MS);
    const { key } = ctx.state;
    ctx.set({
      "X-Ratelimit-Limit": UNLIMITED,
      "X-Ratelimit-Remain": UNLIMITED,
      "X-Ratelimit-Reset": String(((window + 1) * WINDOW_MS) / 1000),
      "X-Ratelimit-Window": WINDOW,
    });
    if (key?.limit !== undefined) {
      const calls = await counter.count(key._id, window, WINDOW_MS);
      ctx.set("X-Ratelimit-Limit", String(key.limit));
      ctx.set("X-Ratelimit-Remain", String(Math.max(0, key.limit - calls)));
      // Compat: the body is not documented; the headers say when to come back.
      if (calls > key.limit) throw new ApiError(429, []);
    }
    await next();
  };
}
