/** Owns how a request asks Redis for a count: it waits for a short time, and while Redis is unavailable it does not ask at all. */
import { within } from "../../shared/runtime/deadlines.ts";

// A request must not wait a second for an unavailable Redis; each process then counts for itself. The time is long
// because a Redis that answers late, on a busy machine, still counts correctly.
export const WITHIN_MS = 500;
const AWAY_MS = 5_000;
// A failure so long after the last one is another outage, even if nobody was counted in between.
const SAME_OUTAGE_MS = 300_000;

/**
 * Makes the function that asks: it returns what Redis answers, or undefined while Redis is unavailable, and never throws. `onAway`
 * gets the reason once for each outage.
 */
export function openAsking(
  onAway: (reason: unknown) => void,
): <T>(question: () => Promise<T>) => Promise<T | undefined> {
  let isAway = false;
  let awayUntil = 0;
  return async (question) => {
    if (performance.now() < awayUntil) return undefined;
    try {
      const answer = await within(WITHIN_MS, question());
      // Counts that were under way when another one failed end nothing.
      if (performance.now() >= awayUntil) isAway = false;
      return answer;
    } catch (error) {
      const failedAt = performance.now();
      if (!isAway || failedAt >= awayUntil + SAME_OUTAGE_MS) onAway(error);
      isAway = true;
      awayUntil = failedAt + AWAY_MS;
      return undefined;
    }
  };
}
