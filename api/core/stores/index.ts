/** Owns the three stores together: opened from the configuration, pinged and closed as one. */
import type { Config } from "../config.ts";
import { CommandError, messageOf } from "../errors.ts";
import { measureStore } from "../metrics/measure-stores.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { openElasticsearch, type ElasticsearchStore } from "./elasticsearch.ts";
import { openMongo, type MongoStore } from "./mongo.ts";
import { openRedis, type RedisStore } from "./redis.ts";

/** The open stores of a process. */
export interface Stores {
  mongo: MongoStore;
  elasticsearch: ElasticsearchStore;
  redis: RedisStore;
}

/** How stores are opened. */
export interface OpenOptions {
  /** Commands to Redis wait for it to come back, as a BullMQ worker needs. */
  forWorker?: boolean;
  /** Told the time of every operation. */
  metrics?: Metrics;
}

/** Opens every store; nothing is sent until the first operation. Throws CommandError for an address that is none. */
export function openStores(config: Config, { forWorker = false, metrics }: OpenOptions = {}): Stores {
  const timeoutMs = config.STORE_TIMEOUT_MS;
  const mongo = openAt(config, "MONGODB_URL", (url) =>
    openMongo({ url, database: config.DATABASE_NAME, timeoutMs }),
  );
  const elasticsearch = openAt(config, "ELASTICSEARCH_URL", (url) =>
    openElasticsearch({ url, prefix: config.INDEX_PREFIX, timeoutMs }),
  );
  const redis = openAt(config, "REDIS_URL", (url) =>
    openRedis({ url, prefix: config.QUEUE_PREFIX, timeoutMs, lockMs: config.LOCK_MS, forWorker }),
  );
  if (!metrics) return { mongo, elasticsearch, redis };
  return {
    mongo: measureStore(mongo, "mongodb", metrics),
    elasticsearch: measureStore(elasticsearch, "elasticsearch", metrics),
    redis: measureStore(redis, "redis", metrics),
  };
}

/** What the clients say of an address may hold its password: it is told only where there is none. */
function openAt<Store>(
  config: Config,
  setting: "MONGODB_URL" | "ELASTICSEARCH_URL" | "REDIS_URL",
  open: (url: string) => Store,
): Store {
  const url = config[setting];
  try {
    return open(url);
  } catch (error) {
    const reason = url.includes("@")
      ? "signs such as # / : @ in user and password must be written as %23 %2F %3A %40"
      : messageOf(error);
    throw new CommandError(`${setting} is not a right address: ${reason}`);
  }
}

/** Closes every store; one that fails to close does not keep the others open. */
export async function closeStores(stores: Stores): Promise<void> {
  await Promise.allSettled([stores.mongo.close(), stores.elasticsearch.close(), stores.redis.close()]);
}
