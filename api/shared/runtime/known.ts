/** Owns what is asked of a store now and then, and known meanwhile. */
import { within } from "./deadlines.ts";

/** Returns what is known, or asks. `patienceMs`: who gives it takes what was said last, however old, rather than wait longer or fail. */
export type Known<T> = (patienceMs?: number) => Promise<T>;

/**
 * Makes the function that fetches: by one question for all who ask at a time, and again once the answer is older than
 * `trustedMs`.
 */
export function openKnown<T>(
  fetch: () => Promise<T>,
  { trustedMs, now }: { trustedMs: number; now: () => number },
): Known<T> {
  let known: { value: T } | undefined;
  let askedAt = -Infinity;
  let asking: Promise<{ value: T }> | undefined;
  // It is kept also where nobody has waited for it.
  const ask = async () => (known = { value: await fetch() });
  return async (patienceMs) => {
    const last = known;
    const mayBeFormer = patienceMs !== undefined;
    // Either way, since the clock may be set back.
    const isFresh = Math.abs(now() - askedAt) < trustedMs;
    // While a question is under way what is known is the answer before it.
    if (last && isFresh && (mayBeFormer || !asking)) return last.value;
    askedAt = now();
    asking ??= ask().finally(() => (asking = undefined));
    return (await (last && mayBeFormer ? within(patienceMs, asking).catch(() => last) : asking)).value;
  };
}
