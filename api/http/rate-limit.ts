/** Owns the rate-limit headers. Nothing is limited; clients that pace themselves by the headers are told so. */
import type { Middleware } from "koa";
import type { RequestState } from "./request-context.ts";

// Compat: clients of the original read these headers after every call, and some fail without them.
const WINDOW = "5m";
const WINDOW_MS = 300_000;
// No limit is enforced; a number this large keeps every client from waiting.
const UNLIMITED = "1000000";

/** Sets the four headers on every answer. `now` in milliseconds. */
export function rateLimitHeaders(now: () => number): Middleware<RequestState> {
  return async (ctx, next) => {
    const windowEnd = (Math.floor(now() / WINDOW_MS) + 1) * WINDOW_MS;
    ctx.set({
      "X-Ratelimit-Limit": UNLIMITED,
      "X-Ratelimit-Remain": UNLIMITED,
      "X-Ratelimit-Reset": String(windowEnd / 1000),
      "X-Ratelimit-Window": WINDOW,
    });
    await next();
  };
}
