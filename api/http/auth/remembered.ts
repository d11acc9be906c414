/**
 * Owns the cache of secrets that were looked up. A busy caller costs the store few queries, a flood of wrong keys two a
 * second, and a key used lately works while the store is unavailable.
 */
import { LRUCache } from "lru-cache";
import { UnavailableError, ApiError } from "../../shared/runtime/errors.ts";
import { LateError, within } from "../../shared/runtime/deadlines.ts";

/** Looks secrets up by their hash. */
export type Remembered<T> = ReturnType<typeof openRemembered<T>>;

/** What it looks them up with. */
export interface RememberedOptions<T> {
  /** Looks many up in the store at once; returns those that exist, by hash. */
  fetchMany: (hashes: readonly string[]) => Promise<Map<string, T>>;
  /** In milliseconds. */
  now: () => number;
}

// A secret that was found is trusted this long: a revoked key stops working within the same time.
const TRUSTED_MS = 5_000;
// A key that worked this recently still works while the store is unavailable.
const SEEN_LATELY_MS = 3_600_000;
// A request with a key used lately does not wait longer for a store that does not answer.
const PATIENCE_MS = 400;
// A key that was tried before it was created cannot occur: keys are random.
const WRONG_MS = 60_000;
// Limit: cached entries of either kind; beyond it the one that was not used for longest is removed first.
const MOST_CACHED = 10_000;

interface Entry<T> {
  value: T;
  /** When the lookup was sent. */
  seenAt: number;
}

/** Starts with an empty cache. */
export function openRemembered<T>({ fetchMany, now }: RememberedOptions<T>) {
  const memory = openMemory<T>(now);
  const askPaced = openPacedQuestions<T>(fetchMany);
  const renewals = new Map<string, Promise<T | null>>();
  const renew = (hash: string): Promise<T | null> => {
    const askedAt = now();
    const renewal = fetchMany([hash])
      .then((found) => memory.settle(hash, found.get(hash) ?? null, askedAt))
      .finally(() => renewals.delete(hash));
    // Handled here because the caller may have stopped waiting before it fails.
    renewal.catch(() => undefined);
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
    isRemembered: memory.has,
    /**
     * The caller, or null. `from`: the network that sent it. Throws UnavailableError when the store is unavailable and the secret
     * was not used lately, and ApiError 429 when too many wait.
     */
    find: async (hash: string, from: string): Promise<T | null> => {
      const remembered = memory.recall(hash);
      if (remembered !== undefined) return remembered;
      const entry = memory.entryOf(hash);
      if (entry) return findSeen(hash, entry);
      const askedAt = now();
      return memory.settle(hash, await askPaced(hash, from), askedAt);
    },
  };
}

/** True of a moment at most so long ago. A later one than now counts as old: the clock was set back. */
function isWithin(ms: number, moment: number, now: number): boolean {
  return moment <= now && now <= moment + ms;
}

/** The cached secrets by hash: those found, with their age, and those known to be wrong. */
function openMemory<T>(now: () => number) {
  const known = new LRUCache<string, Entry<T>>({ max: MOST_CACHED });
  const wrong = new LRUCache<string, number>({ max: MOST_CACHED });
  return {
    has: (hash: string) => known.has(hash) || wrong.has(hash),
    entryOf: (hash: string) => known.get(hash),
    /** The caller; null: known to be wrong; undefined: must be looked up. */
    recall: (hash: string): T | null | undefined => {
      const entry = known.get(hash);
      // The age counts from before the lookup: its answer may be as old as that.
      if (entry) return isWithin(TRUSTED_MS, entry.seenAt, now()) ? entry.value : undefined;
      const wrongUntil = wrong.get(hash);
      return wrongUntil !== undefined && wrongUntil > now() ? null : undefined;
    },
    settle: (hash: string, value: T | null, askedAt: number): T | null => {
      known.delete(hash);
      wrong.delete(hash);
      if (value === null) wrong.set(hash, now() + WRONG_MS);
      else known.set(hash, { value, seenAt: askedAt });
      return value;
    },
  };
}

// The pause after a query that contained a wrong secret: well below a request's budget.
const PAUSE_MS = 500;
// Limits: secrets in one query, and of one network that wait, so that it delays the others by one query; secrets that wait.
const MOST_ASKED = 500;
const MOST_WAITING = 5_000;

interface Waiting<T> {
  from: string;
  resolve: (value: T | null) => void;
  reject: (error: unknown) => void;
}

/**
 * Looks up unknown secrets: one query at a time, for all that arrived meanwhile. A query that contained a wrong secret is
 * followed by a pause, so a flood of wrong secrets causes two queries a second.
 */
function openPacedQuestions<T>(
  fetchMany: (hashes: readonly string[]) => Promise<Map<string, T>>,
): (hash: string, from: string) => Promise<T | null> {
  const waiting = new Map<string, Waiting<T>[]>();
  let inWork = new Map<string, Waiting<T>[]>();
  let isBusy = false;
  const askNext = async (): Promise<void> => {
    const batch = [...waiting].slice(0, MOST_ASKED);
    if (batch.length === 0) return void (isBusy = false);
    for (const [hash] of batch) waiting.delete(hash);
    inWork = new Map(batch);
    let pauseMs = 0;
    try {
      const found = await fetchMany(batch.map(([hash]) => hash));
      for (const [hash, all] of batch) all.forEach(({ resolve }) => resolve(found.get(hash) ?? null));
      if (found.size < batch.length) pauseMs = PAUSE_MS;
    } catch (error) {
      for (const [, all] of batch) all.forEach(({ reject }) => reject(error));
    }
    inWork.clear();
    if (pauseMs > 0) setTimeout(() => void askNext(), pauseMs).unref();
    else setImmediate(() => void askNext());
  };
  const countOf = (from: string) => [...waiting.values()].filter(([first]) => first?.from === from).length;
  return (hash, from) =>
    new Promise((resolve, reject) => {
      const all = waiting.get(hash) ?? inWork.get(hash);
      // The caller is refused instead of waiting for minutes.
      if (!all && (waiting.size >= MOST_WAITING || countOf(from) >= MOST_ASKED))
        return reject(new ApiError(429, []));
      if (all) all.push({ from, resolve, reject });
      else waiting.set(hash, [{ from, resolve, reject }]);
      if (isBusy) return;
      isBusy = true;
      void askNext();
    });
}
