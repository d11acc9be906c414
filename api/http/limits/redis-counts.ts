/** Asks Redis for a count, and waits only a short time. When Redis is known to be away, `gateStore` refuses at once. */
import { within } from "../../shared/runtime/deadlines.ts";
import { UnavailableError } from "../../shared/runtime/errors.ts";
import type { Logger } from "../../shared/runtime/logger.ts";
import { isOutage, openOutageLog } from "../error-response.ts";

// A request waits no longer for Redis; after that each process counts for itself. The time is as long as this because
// on a busy machine Redis answers late, and still counts correctly.
export const WITHIN_MS = 500;
// After a late answer Redis is not asked for this long: a slow Redis may still answer the pings of its gate.
const LEFT_ALONE_MS = 5_000;

/** Makes the function that asks. It returns the answer of Redis, or undefined without one in time. It never throws. */
export function openRedisCounts(log: Logger): <T>(question: () => Promise<T>) => Promise<T | undefined> {
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
