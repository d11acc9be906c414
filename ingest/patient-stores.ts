/** Retries the store operations of loads and reindexes while a store is unavailable. */
import { setTimeout } from "node:timers/promises";
import { isPassing } from "../api/shared/runtime/errors.ts";
import type { Stores } from "../api/shared/stores/index.ts";
import { mapOperations } from "../api/shared/stores/operations.ts";

export interface Patience {
  /** How long a store may be unavailable before its operations fail. */
  patienceMs: number;
  /** True once the user has asked to stop: no more retries. */
  isStopping: () => boolean;
  /** Called with the first fault of each outage. */
  onUnavailable: (fault: Error) => void;
}

// Pauses double up to the longest. Each is jittered, so that processes do not all try again at once.
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

type Wait = <T>(operation: () => Promise<T>) => Promise<T>;

/**
 * Returns a function that retries an operation after passing faults until the store answers. Once an outage has lasted
 * `patienceMs`, operations fail after one try.
 */
export function openPatience({ patienceMs, isStopping, onUnavailable }: Patience): Wait {
  let awaySince: number | undefined;
  return async (operation) => {
    const startedAt = performance.now();
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        const result = await operation();
        awaySince = undefined;
        return result;
      } catch (error) {
        if (!isPassing(error)) throw error;
        if (awaySince === undefined) onUnavailable(error);
        awaySince ??= startedAt;
        if (performance.now() - awaySince > patienceMs || isStopping()) throw error;
      }
      await setTimeout(pause * (0.5 + Math.random()));
    }
  };
}

/**
 * Adds retries to store operations, except to index walks, steps of index builds and health checks. A scan must start
 * again after a fault, so its reader retries it, through the scanner's `patiently`. If the answer to `acquire` is lost,
 * the lock stays taken until it expires.
 */
export function patientStores(stores: Stores, patience: Patience): Stores {
  const { mongo, elasticsearch, redis } = stores;
  const { nextRevision, nextRevisionIfKnown, nextPosition, raisePosition, fetchPosition } = redis;
  const numbers = { nextRevision, nextRevisionIfKnown, nextPosition, raisePosition, fetchPosition };
  const [waitForMongo, waitForRedis] = [openPatience(patience), openPatience(patience)];
  const waitForElasticsearch = openPatience(patience);
  const { walkIds, close, words, builds } = elasticsearch;
  const { list, isMerged, waitForCopies, countDocuments, countOperations } = builds;
  const readBuilds = { list, isMerged, waitForCopies, countDocuments, countOperations };
  return {
    ...stores,
    mongo: {
      ...mongo,
      documents: patientAll(mongo.documents, waitForMongo),
      records: patientAll(mongo.records, waitForMongo),
      persons: patientAll(mongo.persons, waitForMongo),
      writer: patientAll(mongo.writer, waitForMongo),
      scanner: { ...mongo.scanner, patiently: waitForMongo },
    },
    elasticsearch: {
      ...patientAll(elasticsearch, waitForElasticsearch),
      // `forgetKnown` sends nothing to Elasticsearch, so it needs no retry.
      words: { ...patientAll(words, waitForElasticsearch), forgetKnown: words.forgetKnown },
      builds: { ...builds, ...patientAll(readBuilds, waitForElasticsearch) },
      walkIds,
      close,
    },
    redis: {
      ...redis,
      ...patientAll(numbers, waitForRedis),
      guard: (operation) => waitForRedis(() => redis.guard(operation)),
      locks: {
        ...patientAll(redis.locks, waitForRedis),
        acquire: async (name) => {
          const lock = await waitForRedis(() => redis.locks.acquire(name));
          return lock && { ...lock, isKept: () => waitForRedis(lock.isKept) };
        },
      },
    },
  };
}

/** Adds retries to the functions of a store, but not to those of its members, such as `builds` and `health`. */
function patientAll<T extends object>(store: T, wait: Wait): T {
  return mapOperations(store, (operation, name) =>
    // The cast: every function returns a promise, except those that `patientStores` restores afterwards.
    name.includes(".") ? operation : (...given) => wait(() => operation(...given) as Promise<unknown>),
  );
}
