/** Owns the three stores together: opened from the configuration, measured, traced, pinged and closed as one. */
import type { Config } from "../settings/config.ts";
import { CommandError, messageOf, UnavailableError } from "../runtime/errors.ts";
import type { Recorder } from "../metrics/metrics.ts";
import { openElasticsearch, type ElasticsearchStore } from "./elasticsearch/elasticsearch.ts";
import { gateStore, type GateOptions } from "./gate.ts";
import { openMongo, type MongoStore } from "./mongodb/mongo.ts";
import { openRedis, type RedisStore } from "./redis/redis.ts";
import { CallerGoneError } from "../runtime/budget.ts";
import { isTracing } from "../tracing/tracing.ts";
import { mapOperations, type Operation } from "./operations.ts";
import { traceStore } from "./traces.ts";

/** The open stores of a process. */
export interface Stores {
  mongo: MongoStore;
  elasticsearch: ElasticsearchStore;
  redis: RedisStore;
}

/** What the API asks of its stores. */
export interface ForRequests {
  /** Longest wait for one answer, in milliseconds, where no budget ends it before. */
  timeoutMs: number;
  /** Receives the reason when a store becomes unavailable, and `null` when it is available again. */
  onChange: GateOptions["onChange"];
}

/** How stores are opened. */
export interface OpenOptions {
  /** Given: waits are short, and while a store is unavailable its operations are refused at once. */
  forRequests?: ForRequests;
  /** Commands to Redis wait for it to come back, as a BullMQ worker needs. */
  forWorker?: boolean;
  /** Called with the time of every operation. */
  metrics?: Recorder;
}

/** Opens every store; nothing is sent until the first operation. Throws CommandError for an address that is none. */
export function openStores(config: Config, options: OpenOptions = {}): Stores {
  const { forRequests, metrics } = options;
  const opened = openAll(config, options);
  const stores = forRequests ? gateAll(opened, forRequests) : opened;
  const measured = metrics ? measureAll(stores, metrics) : stores;
  return isTracing() ? traceAll(measured) : measured;
}

function openAll(config: Config, { forWorker = false, forRequests }: OpenOptions): Stores {
  const timeoutMs = forRequests?.timeoutMs ?? config.STORE_TIMEOUT_MS;
  const mongo = openAt(config, "MONGODB_URL", (url) =>
    openMongo({ url, database: config.DATABASE_NAME, timeoutMs }),
  );
  const elasticsearch = openAt(config, "ELASTICSEARCH_URL", (url) =>
    openElasticsearch({ url, prefix: config.INDEX_PREFIX, timeoutMs }),
  );
  const redis = openAt(config, "REDIS_URL", (url) =>
    openRedis({ url, prefix: config.QUEUE_PREFIX, timeoutMs, lockMs: config.LOCK_MS, forWorker }),
  );
  return { mongo, elasticsearch, redis };
}

function gateAll({ mongo, elasticsearch, redis }: Stores, { onChange }: ForRequests): Stores {
  return {
    mongo: gateStore(mongo, { store: "mongodb", onChange }),
    elasticsearch: gateStore(elasticsearch, { store: "elasticsearch", onChange }),
    redis: gateStore(redis, { store: "redis", onChange }),
  };
}

function measureAll({ mongo, elasticsearch, redis }: Stores, metrics: Recorder): Stores {
  return {
    mongo: measureStore(mongo, "mongodb", metrics),
    elasticsearch: measureStore(elasticsearch, "elasticsearch", metrics),
    redis: measureStore(redis, "redis", metrics),
  };
}

function traceAll({ mongo, elasticsearch, redis }: Stores): Stores {
  return {
    mongo: traceStore(mongo, "mongodb"),
    elasticsearch: traceStore(elasticsearch, "elasticsearch"),
    redis: traceStore(redis, "redis"),
  };
}

/** What the clients say of an address may hold its password: it is shown only if there is none. */
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

/** Closes every store; one that fails to close does not keep the others open. */
export async function closeStores(stores: Stores): Promise<void> {
  await Promise.allSettled([stores.mongo.close(), stores.elasticsearch.close(), stores.redis.close()]);
}

/** Called with each operation that has ended. */
type Observe = (operation: string, seconds: number, error: unknown) => void;

/** A store whose operations are measured; what is no operation (connections, generators) is passed on as it is. */
export function measureStore<Store extends object>(
  store: Store,
  name: "mongodb" | "elasticsearch" | "redis",
  metrics: Recorder,
): Store {
  const observe: Observe = (operation, seconds, error) => {
    const labels = { store: name, operation };
    metrics.observe("store_operation_seconds", labels, seconds);
    if (error === undefined) return;
    metrics.count("store_faults_total", { ...labels, kind: kindOf(error) });
  };
  return mapOperations(store, (operation, path) => measure(operation, path, observe));
}

function kindOf(error: unknown): string {
  if (error instanceof CallerGoneError) return "abandoned";
  return error instanceof UnavailableError ? "unavailable" : "other";
}

function measure(operation: Operation, name: string, observe: Observe): Operation {
  return (...args) => {
    const startedAt = performance.now();
    const result = operation(...args);
    if (result instanceof Promise) {
      const end = (error?: unknown) => observe(name, (performance.now() - startedAt) / 1000, error);
      // The caller gets the store's own promise, so that measuring delays nothing and hides no failure.
      result.then(
        () => end(),
        (error: unknown) => end(error ?? new Error(name)),
      );
    }
    return result;
  };
}
