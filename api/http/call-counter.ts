/** Owns the count of a limited caller's calls: in Redis for all processes together, in this one while Redis is unavailable. */
import type { Counters } from "../core/stores/redis-counters.ts";
import { withinOwnLag } from "../core/within.ts";

/** Whose calls are counted, and in which window of time. */
export interface Counted {
  /** By what the caller is counted. */
  name: string;
  /** Number of the window. */
  window: number;
  windowMs: number;
  /** Most calls in the window: above it nobody needs to know exactly. */
  limit: number;
}

/** Counts calls. */
export interface CallCounter {
  /** Counts so many calls more, one unless told, and returns how many there were. Never throws. */
  count: (counted: Counted, calls?: number) => Promise<number>;
  /** True when this process knows without asking that more than the limit were counted. */
  isAbove: (counted: Counted) => boolean;
}

// A request must not wait a second for a Redis that is unavailable; the limit is then kept by each process for itself. Long,
// because a Redis that answers late, on a machine that is busy with something else, still counts right.
const WITHIN_MS = 500;
const AWAY_MS = 5_000;
// Limit: callers counted in memory; past it the one that came first goes first.
const HELD_CALLERS = 10_000;

/** Opens a counter over those that all processes share. `onAway` is told the reason once for each while that Redis is unavailable. */
export function openCallCounter(add: Counters["add"], onAway: (reason: unknown) => void): CallCounter {
  const held = new Map<string, number>();
  let awayUntil = 0;
  const ask = async (name: string, windowMs: number, calls: number): Promise<number> => {
    if (Date.now() < awayUntil) return 0;
    try {
      return await withinOwnLag(WITHIN_MS, add(name, windowMs, calls));
    } catch (error) {
      if (Date.now() >= awayUntil) onAway(error);
      awayUntil = Date.now() + AWAY_MS;
      return 0;
    }
  };
  const nameOf = ({ name, window }: Counted) => `calls:${name}:${window}`;
  return {
    isAbove: (counted) => (held.get(nameOf(counted)) ?? 0) > counted.limit,
    count: async (counted, calls = 1) => {
      const name = nameOf(counted);
      const before = held.get(name) ?? 0;
      // Held before it is asked: calls at the same time count each other.
      hold(held, name, before + calls);
      // A count never goes down: who is above the limit costs Redis nothing until the window ends.
      if (before > counted.limit) return before + calls;
      const shared = await ask(name, counted.windowMs, calls);
      const sum = Math.max(before + calls, shared);
      // What others have counted stays known should Redis go away.
      hold(held, name, Math.max(sum, held.get(name) ?? 0));
      return sum;
    },
  };
}

function hold(held: Map<string, number>, name: string, calls: number): void {
  if (!held.has(name) && held.size >= HELD_CALLERS) held.delete(held.keys().next().value ?? "");
  held.set(name, calls);
}
