/**
 * A cache of keys and tokens that were looked up. With it a busy caller costs the store few queries, a flood of wrong
 * keys costs two a second, and a key used lately works while the store is unavailable.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { UnavailableError } from "../../shared/runtime/errors.ts";
import { LateError, within } from "../../shared/runtime/deadlines.ts";

/** Looks secrets up by their hash. */
export type SecretCache<T> = ReturnType<typeof openSecretCache<T>>;

/** How secrets are looked up. */
export interface SecretCacheOptions<T> {
  /** Looks up many hashes in the store at once; returns the ones that exist, by hash. */
  fetchMany: (hashes: readonly string[]) => Promise<Map<string, T>>;
  /** The time in milliseconds. */
  now: () => number;
}

// A secret that was found is trusted this long: a revoked key stops working within the same time.
const TRUSTED_MS = 5_000;
// A key that worked this recently still works while the store is unavailable.
const SEEN_LATELY_MS = 3_600_000;
// A request with a key used lately does not wait longer for a store that does not answer.
const PATIENCE_MS = 400;
// A wrong secret is refused without a query for this long. A new key is never among them, because keys are random.
const WRONG_MS = 60_000;
// Limit: cached entries of either kind; beyond it the one that was not used for longest is removed first.
const MOST_CACHED = 10_000;

interface Entry<T> {
  value: T;
  /** When the lookup was sent. */
  seenAt: number;
}

/** Opens an empty cache. */
export function openSecretCache<T>({ fetchMany, now }: SecretCacheOptions<T>) {
  const known = new LRUCache<string, Entry<T>>({ max: MOST_CACHED });
  const wrong = new LRUCache<string, true>({ max: MOST_CACHED, ttl: WRONG_MS });
  const lookUpPaced = openPacedLookups(fetchMany);
  const renewals = new Map<string, Promise<T | null>>();
  const settle = (hash: string, value: T | null, seenAt: number): T | null => {
    known.delete(hash);
    if (value === null) wrong.set(hash, true);
    else known.set(hash, { value, seenAt });
    return value;
  };
  const renew = (hash: string): Promise<T | null> => {
    const askedAt = now();
    const renewal = fetchMany([hash])
      .then((found) => settle(hash, found.get(hash) ?? null, askedAt))
      .finally(() => renewals.delete(hash));
    renewals.set(hash, renewal);
    return renewal;
  };
  const findSeen = async (hash: string, { value, seenAt }: Entry<T>): Promise<T | null> => {
    const isLately = isWithin(SEEN_LATELY_MS, seenAt, now());
    try {
      const renewal = renewals.get(hash) ?? renew(hash);
      return await (isLately ? within(PATIENCE_MS, renewal) : renewal);
    } catch (error) {
      if (isLately && (error instanceof UnavailableError || error instanceof LateError)) return value;
      throw error;
    }
  };
  return {
    /** True when it was found before, however long ago, or is known to be wrong. */
    isRemembered: (hash: string): boolean => known.has(hash) || wrong.has(hash),
    /** The caller, or null. Throws UnavailableError when the store is unavailable and the key was not used lately. */
    find: async (hash: string): Promise<T | null> => {
      const entry = known.get(hash);
      // The age counts from when the lookup was sent, because its answer may be as old as that.
      if (entry) return isWithin(TRUSTED_MS, entry.seenAt, now()) ? entry.value : findSeen(hash, entry);
      if (wrong.get(hash)) return null;
      const askedAt = now();
      return settle(hash, await lookUpPaced(hash), askedAt);
    },
  };
}

/** True for a moment at most `ms` milliseconds ago. One in the future counts as old: the clock was set back. */
function isWithin(ms: number, moment: number, now: number): boolean {
  return moment <= now && now <= moment + ms;
}

// The pause after a query that contained a wrong secret: well below a request's budget.
const PAUSE_MS = 500;

/**
 * Makes the function that looks up unknown secrets. One query at a time is sent, for all secrets that arrived
 * meanwhile: one for each connection at most. It pauses after a wrong secret, so a flood of them causes two queries a
 * second.
 */
function openPacedLookups<T>(
  fetchMany: SecretCacheOptions<T>["fetchMany"],
): (hash: string) => Promise<T | null> {
  let next: { hashes: Set<string>; found: Promise<Map<string, T>> } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const begin = () => {
    const hashes = new Set<string>();
    const found = last.then(() => {
      next = undefined;
      return fetchMany([...hashes]);
    });
    const pause = ({ size }: Map<string, T>) =>
      size < hashes.size ? sleep(PAUSE_MS, undefined, { ref: false }) : undefined;
    last = found.then(pause, () => undefined);
    return { hashes, found };
  };
  return async (hash) => {
    const { hashes, found } = (next ??= begin());
    hashes.add(hash);
    return (await found).get(hash) ?? null;
  };
}
