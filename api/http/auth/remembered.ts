/**
 * Owns what is remembered of secrets that have been looked up, so that neither a busy caller nor a flood of wrong keys
 * costs the store more than a question now and then, and so that a key seen lately works while the store is unavailable.
 */
import { UnavailableError } from "../../core/errors.ts";
import { LateError, within } from "../../core/within.ts";
import { openPacedQuestions } from "./paced-questions.ts";

/** Looks secrets up by their hash. */
export interface Remembered<T> {
  /** True when it has been found before, however long ago, or is known to be wrong. */
  isRemembered: (hash: string) => boolean;
  /** What is found of it, or null. Throws UnavailableError where the store is unavailable and it was not seen lately. */
  find: (hash: string) => Promise<T | null>;
}

/** How long what is remembered; all but the sizes in milliseconds. */
export interface RememberedOptions<T> {
  /** Asks the store for many at once; those that there are, by hash. */
  fetchMany: (hashes: readonly string[]) => Promise<Map<string, T>>;
  now: () => number;
}

// What was found is trusted so long: a revoked key stops working within the same time.
const TRUSTED_MS = 5_000;
// A key that worked so lately goes on working while the store cannot be asked.
const SEEN_LATELY_MS = 3_600_000;
// A request of a key seen lately does not wait longer for a store that does not answer.
const PATIENCE_MS = 400;
// After that the store is left alone for a while, by those who need no answer.
const AWAY_MS = 2_000;
// Nobody is given a key that was tried before it was made: keys are random.
const WRONG_MS = 60_000;
// Limit: entries held of either kind, past which the oldest goes first.
const MOST_HELD = 10_000;

interface Entry<T> {
  value: T;
  /** When the question was sent whose answer it is. */
  seenAt: number;
}

/** Starts with nothing remembered. */
export function openRemembered<T>({ fetchMany, now }: RememberedOptions<T>): Remembered<T> {
  const memory = openMemory<T>(now);
  const askPaced = openPacedQuestions<T>(fetchMany);
  const renewals = new Map<string, Promise<T | null>>();
  let awayUntil = 0;
  const renew = (hash: string): Promise<T | null> => {
    const askedAt = now();
    const renewal = fetchMany([hash])
      .then((found) => memory.settle(hash, found.get(hash) ?? null, askedAt))
      .finally(() => renewals.delete(hash));
    // Nobody may be waiting for it any longer when it fails.
    renewal.catch(() => undefined);
    renewals.set(hash, renewal);
    return renewal;
  };
  const findSeen = async (hash: string, { value, seenAt }: Entry<T>): Promise<T | null> => {
    const isLately = seenAt + SEEN_LATELY_MS >= now();
    if (isLately && Date.now() < awayUntil) return value;
    try {
      const renewal = renewals.get(hash) ?? renew(hash);
      return await (isLately ? within(PATIENCE_MS, renewal) : renewal);
    } catch (error) {
      if (!isLately || !(error instanceof UnavailableError || error instanceof LateError)) throw error;
      awayUntil = Date.now() + AWAY_MS;
      return value;
    }
  };
  return {
    isRemembered: memory.has,
    find: async (hash) => {
      const remembered = memory.recall(hash);
      if (remembered !== undefined) return remembered;
      const entry = memory.entryOf(hash);
      if (entry) return findSeen(hash, entry);
      const askedAt = now();
      return memory.settle(hash, await askPaced(hash), askedAt);
    },
  };
}

/** What is held of secrets by their hashes: those found, with their age, and those known to be wrong. */
function openMemory<T>(now: () => number) {
  const known = new Map<string, Entry<T>>();
  const wrong = new Map<string, number>();
  return {
    has: (hash: string) => known.has(hash) || wrong.has(hash),
    entryOf: (hash: string) => known.get(hash),
    /** Found lately, known to be wrong (null), or to be asked for. */
    recall: (hash: string): T | null | undefined => {
      const entry = known.get(hash);
      // Counted from before the question: its answer may be as old as that.
      if (entry) return entry.seenAt + TRUSTED_MS >= now() ? entry.value : undefined;
      const wrongUntil = wrong.get(hash);
      return wrongUntil !== undefined && wrongUntil > now() ? null : undefined;
    },
    settle: (hash: string, value: T | null, askedAt: number): T | null => {
      known.delete(hash);
      wrong.delete(hash);
      if (value === null) hold(wrong, hash, now() + WRONG_MS);
      else hold(known, hash, { value, seenAt: askedAt });
      return value;
    },
  };
}

function hold<V>(held: Map<string, V>, name: string, value: V): void {
  held.delete(name);
  if (held.size >= MOST_HELD) held.delete(held.keys().next().value ?? "");
  held.set(name, value);
}
