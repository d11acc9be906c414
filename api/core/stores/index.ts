/** Owns the three stores together: opened from the configuration, pinged and closed as one. */
import type { Config } from "../config.ts";
import { openElasticsearch, type ElasticsearchStore } from "./elasticsearch.ts";
import { openMongo, type MongoStore } from "./mongo.ts";
import { openRedis, type RedisStore } from "./redis.ts";

/** The open stores of a process. */
export interface Stores {
  mongo: MongoStore;
  elasticsearch: ElasticsearchStore;
  redis: RedisStore;
}

/** Opens every store; nothing is sent until the first operation. */
export function openStores(config: Config, options: { forWorker?: boolean } = {}): Stores {
  const timeoutMs = config.STORE_TIMEOUT_MS;
  return {
    mongo: openMongo({ url: config.MONGODB_URL, database: config.DATABASE_NAME, timeoutMs }),
    elasticsearch: openElasticsearch({
      url: config.ELASTICSEARCH_URL,
      prefix: config.INDEX_PREFIX,
      timeoutMs,
    }),
    redis: openRedis({
      url: config.REDIS_URL,
      prefix: config.QUEUE_PREFIX,
      lockMs: config.LOCK_MS,
      ...options,
    }),
  };
}

/** Closes every store; one that fails to close does not keep the others open. */
export async function closeStores(stores: Stores): Promise<void> {
  await Promise.allSettled([stores.mongo.close(), stores.elasticsearch.close(), stores.redis.close()]);
}
