/** Owns the patience of loads and reindexes: what they ask of a store that is away is asked again until it is back. */
import { setTimeout } from "node:timers/promises";
import { UnavailableError } from "../api/core/errors.ts";
import type { Stores } from "../api/core/stores/index.ts";

/** How long, and who is told. */
export interface Patience {
  /** How long a store may be away, in milliseconds. */
  patienceMs: number;
  /** True once the person has asked to stop: the next fault counts. */
  isStopping: () => boolean;
  /** Told the first fault of each outage. */
  onAway: (fault: UnavailableError) => void;
}

// Pauses between two tries grow up to this; each is jittered, so that several processes do not come back as one.
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** Tries an operation again until the store has answered. */
type Wait = <T>(operation: () => Promise<T>) => Promise<T>;

/** Waits for one store as long as the patience lasts; after that nothing waits before it has answered: a load ends soon then. */
export function openPatience({ patienceMs, isStopping, onAway }: Patience): Wait {
  let awaySince: number | undefined;
  return async (operation) => {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        const result = await operation();
        awaySince = undefined;
        return result;
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
        if (awaySince === undefined) onAway(error);
        awaySince ??= Date.now();
        if (Date.now() - awaySince > patienceMs || isStopping()) throw error;
      }
      await setTimeout(pause * (0.5 + Math.random()));
    }
  };
}

/**
 * The stores as patient work asks them: MongoDB's documents and records, Elasticsearch, and of Redis its numbers and its
 * locks; a lock whose answer was lost is free again after its time. A scan is waited for by its reader, by the scanner's
 * `patiently`, since another one must begin then. Walks through indices, builds, and what an operator asks are not waited for.
 */
export function patientStores(stores: Stores, patience: Patience): Stores {
  const { mongo, elasticsearch, redis } = stores;
  const { nextRevision, nextPosition, raisePosition, fetchPosition } = redis;
  const [waitForMongo, waitForRedis] = [openPatience(patience), openPatience(patience)];
  const { walkIds, close } = elasticsearch;
  return {
    ...stores,
    mongo: {
      ...mongo,
      documents: patientAll(mongo.documents, waitForMongo),
      records: patientAll(mongo.records, waitForMongo),
      writer: patientAll(mongo.writer, waitForMongo),
      scanner: { ...mongo.scanner, patiently: waitForMongo },
    },
    elasticsearch: { ...patientAll(elasticsearch, openPatience(patience)), walkIds, close },
    redis: {
      ...redis,
      ...patientAll({ nextRevision, nextPosition, raisePosition, fetchPosition }, waitForRedis),
      locks: patientAll(redis.locks, waitForRedis),
    },
  };
}

/** Every function of a store, made patient; what is none (parts such as `builds` and `health`) is passed on as it is. */
function patientAll<T extends object>(store: T, wait: Wait): T {
  const members = Object.entries(store).map(([name, member]: [string, unknown]) => {
    if (typeof member !== "function") return [name, member] as const;
    const operate = member as (...given: unknown[]) => Promise<unknown>;
    return [name, (...given: unknown[]) => wait(() => operate(...given))] as const;
  });
  // The cast: the same members, of the same types.
  return Object.fromEntries(members) as T;
}
