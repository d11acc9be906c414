/**
 * Owns how long the work of each caller takes. A caller whose work takes many times as long as that of the others has a
 * smaller part of the places, because a place is worth what is done in it: the engine's processors are shared by time.
 */
import { LRUCache } from "lru-cache";

// A caller that has had nothing done for so long is not one of the others any more.
const RECENT_MS = 10_000;
// Limits: callers of which a mean is kept; others that are looked at, the latest.
const MOST_CALLERS = 1_000;
const LOOKED_AT = 20;
// Tuned: the last ten or so count.
const WEIGHT = 0.1;
// Tuned: suggestions take a third of the time of searches by name, and neither must hold the other up.
const TOLERATED = 3;

/** Keeps a mean for each caller that had work done lately. */
export class Paces {
  private readonly means: LRUCache<string, number>;

  constructor(recentMs = RECENT_MS) {
    this.means = new LRUCache({ max: MOST_CALLERS, ttl: recentMs });
  }

  /** Some work of this caller took so many milliseconds. */
  note(name: string, ms: number): void {
    const mean = this.means.get(name) ?? ms;
    this.means.set(name, mean + WEIGHT * (ms - mean));
  }

  /** Which part of its places a caller may use: 1, or less while others work whose work takes far less time. */
  shareOf(name: string): number {
    const own = this.means.get(name);
    if (own === undefined) return 1;
    let [sum, count] = [0, 0];
    for (const [other, mean] of this.means.entries()) {
      if (other === name) continue;
      sum += mean;
      count += 1;
      if (count === LOOKED_AT) break;
    }
    return count === 0 ? 1 : Math.min(1, (TOLERATED * sum) / count / own);
  }
}
