/** Caches an answer that is fetched again when it is too old. */
import { within } from "./deadlines.ts";

/**
 * Returns the cached answer, or fetches a new one. With `patienceMs`, a caller gets the last answer, however old,
 * instead of an error or a wait of more than so many milliseconds.
 */
export type Cached<T> = (patienceMs?: number) => Promise<T>;

/**
 * Makes the cache. Simultaneous callers share one fetch, and an answer is fetched again once it is older than
 * `trustedMs` by the clock `now`, both in milliseconds.
 */
export function openCached<T>(
  fetch: () => Promise<T>,
  { trustedMs, now }: { trustedMs: number; now: () => number },
): Cached<T> {
  let known: { value: T } | undefined;
  let fetchedAt = -Infinity;
  let fetching: Promise<{ value: T }> | undefined;
  // The answer is cached even if no caller has waited for it.
  const renew = async () => (known = { value: await fetch() });
  return async (patienceMs) => {
    const last = known;
    const mayBeFormer = patienceMs !== undefined;
    // The absolute difference, because the clock may be set back.
    const isFresh = Math.abs(now() - fetchedAt) < trustedMs;
    // While a fetch is under way, the cached answer is the former one.
    if (last && isFresh && (mayBeFormer || !fetching)) return last.value;
    fetchedAt = now();
    fetching ??= renew().finally(() => (fetching = undefined));
    return (await (last && mayBeFormer ? within(patienceMs, fetching).catch(() => last) : fetching)).value;
  };
}
