/**
 * The rate limit. It counts the calls of limited callers, in Redis for all processes, and in this process while Redis
 * is unavailable. It sets the headers of answers, and refuses callers that have used up their calls.
 */
import type { Next } from "koa";
import { LRUCache } from "lru-cache";
import { ApiError } from "../../shared/runtime/errors.ts";
import type { Logger } from "../../shared/runtime/logger.ts";
import type { Counters } from "../../shared/stores/redis/numbers.ts";
import { openSlowDown } from "../error-response.ts";
import type { AppContext, Principal } from "../request-context.ts";
import { openRedisCounts } from "./redis-counts.ts";

/** Whose calls are counted, in which windows of time. */
export interface Counted {
  /** Name of the count: the caller's, or that of the guessed secret, such as `sign-in:<hash of the address>`. */
  name: string;
  windowMs: number;
  /** Most calls in a window; above it the exact number does not matter. */
  limit: number;
}

export type CallCounter = ReturnType<typeof openCallCounter>;

// Limit: callers counted in memory; beyond it the one that has not called for longest is removed first.
const MOST_CALLERS = 10_000;

/** Opens the counter of calls, which all processes share through Redis. `now`, in milliseconds, decides the window. */
export function openCallCounter({ add }: Pick<Counters, "add">, log: Logger, now: () => number) {
  const counts = new LRUCache<string, number>({ max: MOST_CALLERS });
  const ask = openRedisCounts(log);
  const nameOf = ({ name, windowMs }: Counted) => `calls:${name}:${Math.floor(now() / windowMs)}`;
  return {
    /** True when this process knows, without a call to Redis, that the limit is exceeded. */
    isAbove: (counted: Counted): boolean => (counts.get(nameOf(counted)) ?? 0) > counted.limit,
    /** Adds so many calls and returns the sum in the current window. Never throws. */
    count: async (counted: Counted, calls = 1): Promise<number> => {
      const name = nameOf(counted);
      const before = counts.get(name) ?? 0;
      // Added before the call to Redis, so that concurrent calls count each other.
      counts.set(name, before + calls);
      // A count never decreases: a caller above the limit costs Redis nothing until the window ends.
      if (before > counted.limit) return before + calls;
      const shared = (await ask(() => add(name, counted.windowMs, calls))) ?? 0;
      const sum = Math.max(before + calls, shared);
      // The calls counted by other processes stay known if Redis becomes unavailable.
      counts.set(name, Math.max(sum, counts.get(name) ?? 0));
      return sum;
    },
  };
}

// Compat: clients of the original read these headers after every call, and some fail without them.
const WINDOW = "5m";
const WINDOW_MS = 300_000;
// For callers without a limit: a number so large that no client waits.
const UNLIMITED = "1000000";

// Limit: rows of a table, or items of a page, that cost one call; the request itself pays for the first of them.
const ROWS_OF_A_CALL = 1_000;

/** How many calls so many rows or items cost; 0 for none. */
export function callsOf(rows: number): number {
  return Math.ceil(rows / ROWS_OF_A_CALL);
}

/**
 * Sets the four headers on every later answer, refusals included. Each call of a limited caller is counted. Calls above
 * the limit get 429 until the window ends, with a delay for callers without a key. `now` in milliseconds.
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
