/** Owns what is asked of a store now and then, and known meanwhile. */
import { within } from "./deadlines.ts";

/**
 * Makes the function that fetches: by one question for all who ask at a time, and again once the answer is older than
 * `trustedMs`. After the first answer it does not throw, nor wait for longer than `patienceMs`: what was said last counts then.
 */
export function openKnown<T>(
  fetch: () => Promise<T>,
  { trustedMs, patienceMs, now }: { trustedMs: number; patienceMs: number; now: () => number },
): () => Promise<T> {
  let known: { value: T } | undefined;
  let askedAt = -Infinity;
  let asking: Promise<{ value: T }> | undefined;
  // It is kept also where nobody has waited for it.
  const ask = async () => (known = { value: await fetch() });
  return async () => {
    const last = known;
    // Either way, since the clock may be set back.
    if (last && Math.abs(now() - askedAt) < trustedMs) return last.value;
    askedAt = now();
    asking ??= ask().finally(() => (asking = undefined));
    return (await (last ? within(patienceMs, asking).catch(() => last) : asking)).value;
  };
}
