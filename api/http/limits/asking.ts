/** Owns how a request asks Redis for a count: it waits for a short time. A Redis that is away refuses at once (`gateStore`). */
import { within } from "../../shared/runtime/deadlines.ts";
import { UnavailableError } from "../../shared/runtime/errors.ts";
import type { Logger } from "../../shared/runtime/logger.ts";
import { isOutage, openOutageLog } from "../error-response.ts";

// A request must not wait a second for Redis; each process then counts for itself. The time is long because a Redis that
// answers late, on a busy machine, still counts correctly.
export const WITHIN_MS = 500;
// Of a Redis that is slow, but answers those who ask whether it is there, nobody else waits for a while.
const LEFT_ALONE_MS = 5_000;

/** Makes the function that asks: it returns what Redis answers, or undefined where it does not in time, and never throws. */
export function openAsking(log: Logger): <T>(question: () => Promise<T>) => Promise<T | undefined> {
  const logOutage = openOutageLog();
  let askAgainAt = 0;
  return async (question) => {
    if (performance.now() < askAgainAt) return undefined;
    return within(WITHIN_MS, question()).catch((error: unknown) => {
      askAgainAt = performance.now() + LEFT_ALONE_MS;
      logOutage(log, isOutage(error) ? error : new UnavailableError("redis", error));
      return undefined;
    });
  };
}
