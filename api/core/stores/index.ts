/** Owns the three stores together: opened from the configuration, pinged and closed as one. */
import type { Config } from "../config.ts";
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

/** Opens every store; nothing is sent until the first operation. */
export function openStores(config: Config, { forWorker = false, metrics }: OpenOptions = {}): Stores {
  const timeoutMs = config.STORE_TIMEOUT_MS;
  const mongo = openMongo({ url: config.MONGODB_URL, database: config.DATABASE_NAME, timeoutMs });
  const elasticsearch = openElasticsearch({
    url: config.ELASTICSEARCH_URL,
    prefix: config.INDEX_PREFIX,
    timeoutMs,
  });
  const redis = openRedis({
    url: config.REDIS_URL,
    prefix: config.QUEUE_PREFIX,
    lockMs: config.LOCK_MS,
    forWorker,
  });
  if (!metrics) return { mongo, elasticsearch, redis };
  return {
    mongo: measureStore(mongo, "mongodb", metrics),
    elasticsearch: measureStore(elasticsearch, "elasticsearch", metrics),
    redis: measureStore(redis, "redis", metrics),
  };
}

/** Closes every store; one that fails to close does not keep the others open. */
export async function closeStores(stores: Stores): Promise<void> {
  await Promise.allSettled([stores.mongo.close(), stores.elasticsearch.close(), stores.redis.close()]);
}
