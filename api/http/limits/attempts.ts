/**
 * Limits guessing: how many passwords or codes may be wrong in a window of time. Redis counts them for all processes;
 * while it is unavailable, each process counts alone. An attempt is taken before its check, so that guesses sent at the
 * same time cannot exceed the limit. It is given back, to the window that it came from, unless the guess was wrong.
 */
import { LRUCache } from "lru-cache";
import { within } from "../../shared/runtime/deadlines.ts";
import type { Logger } from "../../shared/runtime/logger.ts";
import type { Counters } from "../../shared/stores/redis/numbers.ts";
import { openRedisCounts, WITHIN_MS } from "./redis-counts.ts";
import type { Counted } from "./rate-limit.ts";

export type Attempts = ReturnType<typeof openAttempts>;

type SharedCounts = Pick<Counters, "addBelow" | "takeBack">;

// Limit: names counted in memory; beyond it the one that was not attempted for longest is removed first.
const MOST_NAMES = 10_000;

/** Opens the count of attempts, which all processes share through Redis. `now` in milliseconds. */
export function openAttempts({ addBelow, takeBack }: SharedCounts, log: Logger, now: () => number) {
  // Attempts of this process that were not given back: wrong ones, and those that are being checked.
  const own = new LRUCache<string, number>({ max: MOST_NAMES });
  const addOwn = (name: string, change: 1 | -1) => own.set(name, Math.max(0, (own.get(name) ?? 0) + change));
  const ask = openRedisCounts(log);
  return {
    /** Takes one attempt; returns the function that gives it back, or null when none is left. Neither throws. */
    take: async ({ name: counted, windowMs, limit }: Counted): Promise<(() => Promise<void>) | null> => {
      const name = `attempts:${counted}:${Math.floor(now() / windowMs)}`;
      if ((own.get(name) ?? 0) >= limit) return null;
      addOwn(name, 1);
      let shared: Promise<boolean> | undefined;
      const isLeft = await ask(() => (shared = addBelow(name, windowMs, limit)));
      if (isLeft === false) {
        addOwn(name, -1);
        return null;
      }
      // Redis may have counted the attempt although its answer was late.
      const giveBackShared = async () => ((await shared) ? takeBack(name) : undefined);
      return async () => {
        addOwn(name, -1);
        // It may end later, in the background. If it fails, the attempt stays counted: one attempt too few does less harm
        // than one too many.
        await within(WITHIN_MS, giveBackShared()).catch(() => undefined);
      };
    },
  };
}
