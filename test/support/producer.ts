/** Opens the producer of a load, which puts its batches into the queue, for tests that run no load. */
import type { RedisStore } from "../../api/shared/stores/redis/redis.ts";
import { openProducer } from "../../ingest/queue/producer.ts";

type Options = Parameters<typeof openProducer>[1];

/** Opens a producer that is not stopped, finds no batch written before, and reports to nobody, unless `options` say so. */
export function openTestProducer(
  redis: RedisStore,
  prefix: string,
  options: Partial<Options> = {},
): ReturnType<typeof openProducer> {
  return openProducer(redis, {
    ...{ prefix, depth: 10, patienceMs: 60_000, isStopping: () => false },
    ...{ onUnavailable: () => undefined, onWritten: () => undefined, fetchDone: () => Promise.resolve(null) },
    ...options,
  });
}
