/** Owns the brake on floods: a caller that is refused again and again waits for each refusal, and takes no time from others. */
import { setTimeout as sleep } from "node:timers/promises";

// Too short for a person to notice, and long enough that a thousand callers in a loop cost little.
const SLOW_MS = 500;
// Limit: refusals that wait; those above it are sent at once, because each waiting one occupies a connection.
const MOST_WAITING = 1_000;

/** Delays a refusal; this many a second are sent at once. */
export function openSlowDown(atOnceASecond: number): () => Promise<void> {
  let waiting = 0;
  let second = 0;
  let refused = 0;
  return async () => {
    const now = Math.floor(performance.now() / 1_000);
    if (now !== second) [second, refused] = [now, 0];
    refused += 1;
    if (refused <= atOnceASecond || waiting >= MOST_WAITING) return;
    waiting += 1;
    await sleep(SLOW_MS);
    waiting -= 1;
  };
}
