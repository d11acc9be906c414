/** Owns the count of a limited key's calls: in Redis for all processes together, in this one while Redis is away. */
import type { Counters } from "../core/stores/redis-counters.ts";
import { within } from "../core/within.ts";

/** Counts calls. */
export interface CallCounter {
  /** Counts one more call of a key in a window of time (its number) and returns how many there were. Never throws. */
  count: (key: string, window: number, windowMs: number) => Promise<number>;
}

// A request must not wait for a Redis that is away; the limit is then kept by each process for itself.
const WITHIN_MS = 250;
const AWAY_MS = 5_000;
// Limit: keys counted in memory; past it those of the oldest window go first.
const HELD_KEYS = 10_000;

/** Opens a counter over those that all processes share. `onAway` is told the reason once for each while that Redis is away. */
export function openCallCounter(add: Counters["add"], onAway: (reason: unknown) => void): CallCounter {
  const held = new Map<string, number>();
  let awayUntil = 0;
  const ask = async (name: string, windowMs: number): Promise<number> => {
    if (Date.now() < awayUntil) return 0;
    try {
      return await within(WITHIN_MS, add(name, windowMs));
    } catch (error) {
      if (Date.now() >= awayUntil) onAway(error);
      awayUntil = Date.now() + AWAY_MS;
      return 0;
    }
  };
  return {
    count: async (key, window, windowMs) => {
      const name = `calls:${key}:${window}`;
      const own = (held.get(name) ?? 0) + 1;
      // Held before it is asked: calls at the same time count each other.
      hold(held, name, own);
      const shared = await ask(name, windowMs);
      const calls = Math.max(own, shared);
      // What others have counted stays known should Redis go away.
      hold(held, name, Math.max(calls, held.get(name) ?? 0));
      return calls;
    },
  };
}

function hold(held: Map<string, number>, name: string, calls: number): void {
  if (!held.has(name) && held.size >= HELD_KEYS) held.delete(held.keys().next().value ?? "");
  held.set(name, calls);
}
