/** Opens MongoDB, Elasticsearch and Redis from the configuration, adds metrics and traces to them, and closes them. */
import type { Config } from "../settings/config.ts";
import { CommandError, messageOf } from "../runtime/errors.ts";
import type { Recorder } from "../metrics/metrics.ts";
import { openElasticsearch } from "./elasticsearch/elasticsearch.ts";
import { openMongo } from "./mongodb/mongo.ts";
import { openRedis } from "./redis/redis.ts";
import { isTracing } from "../tracing/tracing.ts";
import { type GateOptions, gateStore, measureStore, traceStore, type StoreName } from "./operations.ts";

export type Stores = ReturnType<typeof openAll>;

interface ForRequests {
  /** Receives the reason when a store becomes unavailable, and `null` when it is available again. */
  onChange: GateOptions["onChange"];
}

interface OpenOptions {
  /**
   * Set in the API: an operation waits at most REQUEST_TIMEOUT_MS instead of STORE_TIMEOUT_MS, and the operations of an
   * unavailable store are refused at once.
   */
  forRequests?: ForRequests;
  /** BullMQ's commands wait until Redis is back, as its worker requires. */
  forWorker?: boolean;
  /** Receives the time and outcome of every operation. */
  metrics?: Recorder;
}

/** Opens every store; nothing is sent until the first operation. Throws CommandError for an invalid address. */
export function openStores(config: Config, options: OpenOptions = {}): Stores {
  const { forRequests, metrics } = options;
  let stores = openAll(config, options);
  if (forRequests) {
    const { onChange } = forRequests;
    stores = mapStores(stores, (opened, store) => gateStore(opened, { store, onChange }));
  }
  if (metrics) stores = mapStores(stores, (opened, store) => measureStore(opened, store, metrics));
  return isTracing() ? mapStores(stores, traceStore) : stores;
}

function openAll(config: Config, { forWorker = false, forRequests }: OpenOptions) {
  const timeoutMs = forRequests ? config.REQUEST_TIMEOUT_MS : config.STORE_TIMEOUT_MS;
  return {
    mongo: openAt(config, "MONGODB_URL", (url) =>
      openMongo({ url, database: config.DATABASE_NAME, timeoutMs }),
    ),
    elasticsearch: openAt(config, "ELASTICSEARCH_URL", (url) =>
      openElasticsearch({ url, prefix: config.INDEX_PREFIX, timeoutMs }),
    ),
    redis: openAt(config, "REDIS_URL", (url) =>
      openRedis({ url, prefix: config.QUEUE_PREFIX, timeoutMs, lockMs: config.LOCK_MS, forWorker }),
    ),
  };
}

function mapStores(
  { mongo, elasticsearch, redis }: Stores,
  map: <Store extends Stores[keyof Stores]>(store: Store, name: StoreName) => Store,
): Stores {
  return {
    mongo: map(mongo, "mongodb"),
    elasticsearch: map(elasticsearch, "elasticsearch"),
    redis: map(redis, "redis"),
  };
}

/** A client's error message may quote the password of the address, so it is shown only for an address without one. */
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
      ? "write characters such as # / : @ in user and password as %23 %2F %3A %40"
      : messageOf(error);
    throw new CommandError(`${setting} is not a valid address: ${reason}`);
  }
}

/** Closes every store, even if one of them fails to close. */
export async function closeStores(stores: Stores): Promise<void> {
  await Promise.allSettled([stores.mongo.close(), stores.elasticsearch.close(), stores.redis.close()]);
}
