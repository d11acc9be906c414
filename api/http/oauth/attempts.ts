/** Owns the count of attempts to guess a password or code: in Redis, shared by all processes, like the count of calls. */
import type { CallCounter } from "../limits/call-counter.ts";

/** The limit of attempts at one thing. */
export interface Bound {
  /** The thing: `sign-in:<hash of the address>`. */
  name: string;
  limit: number;
  windowMs: number;
}

/** Counts attempts. */
export interface Attempts {
  /** Counts one more attempt for each; true while none of them has too many. Call it before checking a password. */
  begin: (bounds: readonly Bound[]) => Promise<boolean>;
  /** Takes one attempt back, because it was right. */
  forget: (bounds: readonly Bound[]) => Promise<void>;
  /** True when this process knows, without a call to Redis, that there were too many. */
  isAbove: (bound: Bound) => boolean;
}

/** Opens the count. `now` in milliseconds. */
export function openAttempts(counter: CallCounter, now: () => number): Attempts {
  const countedOf = ({ name, limit, windowMs }: Bound) => {
    return { name, limit, windowMs, window: Math.floor(now() / windowMs) };
  };
  return {
    begin: async (bounds) => {
      const counts = await Promise.all(
        bounds.map(async (bound) => (await counter.count(countedOf(bound))) <= bound.limit),
      );
      return !counts.includes(false);
    },
    forget: async (bounds) =>
      void (await Promise.all(bounds.map((bound) => counter.count(countedOf(bound), -1)))),
    isAbove: (bound) => counter.isAbove(countedOf(bound)),
  };
}
