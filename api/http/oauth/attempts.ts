/** Owns the count of attempts to guess a password or code: in Redis, shared by all processes, like the count of calls. */
import type { CallCounter } from "../limits/call-counter.ts";

/** The limit of attempts at one thing. */
export interface Bound {
  /** The thing: `sign-in:<hash of the address>`. */
  name: string;
  limit: number;
  windowMs: number;
}

export type Attempts = ReturnType<typeof openAttempts>;

/** Opens the count. `now` in milliseconds. */
export function openAttempts(counter: CallCounter, now: () => number) {
  const countedOf = ({ name, limit, windowMs }: Bound) => {
    return { name, limit, windowMs, window: Math.floor(now() / windowMs) };
  };
  return {
    /** Counts one more attempt for each; true while none of them has too many. Call it before checking a password. */
    begin: async (bounds: readonly Bound[]): Promise<boolean> => {
      const counts = await Promise.all(bounds.map((bound) => counter.count(countedOf(bound))));
      return bounds.every(({ limit }, at) => (counts[at] ?? 0) <= limit);
    },
    /** Takes one attempt back, because it was right. */
    forget: async (bounds: readonly Bound[]): Promise<void> => {
      await Promise.all(bounds.map((bound) => counter.count(countedOf(bound), -1)));
    },
    /** True when this process knows, without a call to Redis, that there were too many. */
    isAbove: (bound: Bound): boolean => counter.isAbove(countedOf(bound)),
  };
}
