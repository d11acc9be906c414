/** The pages of a worker's private port, and the gauges that are read from the stores. */
import type { Metrics, Sample } from "../api/shared/metrics/metrics.ts";
import { createReadings, readStoreHealth, type Reading } from "../api/shared/metrics/readings.ts";
import { jsonPage, type PrivatePages } from "../api/shared/runtime/private-port.ts";
import type { Stores } from "../api/shared/stores/index.ts";
import { fetchRuleMismatch } from "../index-mappings/name-rules.ts";
import { openReadiness, requireIndices } from "../index-mappings/readiness.ts";
import { fetchUnfilled } from "../index-mappings/unfilled.ts";
import { estimateKeptRows } from "./refused-rows/refused-rows.ts";
import { delayOf, fetchFollowed } from "./follow/positions.ts";
import { fetchLastLoads, loadLock } from "./history/loads.ts";
import { fetchOpenFailures } from "./history/open-failures.ts";
import { fetchCounts, fetchOldestWaiting } from "./queue/queue-state.ts";
import type { BatchQueue } from "./queue/queue.ts";

interface PagesNeeds {
  stores: Stores;
  queue: BatchQueue;
  metrics: Metrics;
  /** How long gauge values may be reused, in milliseconds; a few seconds by default. */
  keptMs?: number;
}

/** `/healthz` touches no store. */
export function buildPrivatePages({ stores, queue, metrics, ...kept }: PagesNeeds): PrivatePages {
  const { mongo, elasticsearch, redis } = stores;
  const refresh = createReadings(metrics, readingsOf(stores, queue), kept);
  const checks = {
    mongodb: mongo.ping,
    elasticsearch: elasticsearch.ping,
    redis: redis.ping,
    indices: () => requireIndices(elasticsearch, () => fetchRuleMismatch(elasticsearch)),
  };
  const askReadiness = openReadiness(checks);
  return {
    "/healthz": () => jsonPage({ status: "ok" }),
    "/readyz": async () => {
      const { status, body } = await askReadiness();
      return jsonPage(body, status);
    },
    "/metrics": async () => {
      await refresh();
      return { type: metrics.contentType, body: await metrics.write() };
    },
  };
}

/**
 * Each reading asks one store, so that an unavailable store does not affect the other gauges. There are two exceptions:
 * failed loads need two stores, and the health of all stores is one reading, which asks each store separately.
 */
function readingsOf(stores: Stores, queue: BatchQueue): Reading[] {
  const { mongo, elasticsearch, redis } = stores;
  const { documents } = mongo;
  return [
    readStoreHealth({ mongodb: mongo, elasticsearch, redis }),
    toReading(["queue_batches", "queue_oldest_batch_age_seconds", "loads_running"], async () => {
      const [counts, oldestMs, locks] = await Promise.all([
        fetchCounts(redis, queue),
        fetchOldestWaiting(redis, queue, Date.now()),
        redis.locks.list(),
      ]);
      const running = locks.filter((name) => name.startsWith(loadLock("")));
      const batches = Object.entries(counts).map(([state, count]): Row => [{ state }, count]);
      return [[{}, null, (oldestMs ?? 0) / 1000, running.length], ...batches];
    }),
    toReading(["failed_loads"], async () => [[{}, (await fetchOpenFailures(stores)).unmended.length]]),
    toReading(["unfilled_indices"], async () => [[{}, (await fetchUnfilled(elasticsearch)).length]]),
    toReading(["refused_rows"], async () => [[{}, await estimateKeptRows(mongo)]]),
    toReading(["source_loaded_timestamp_seconds", "source_production_timestamp_seconds"], async () => {
      const last = await fetchLastLoads(documents);
      return Array.from(last, ([source, { finishedAt, productionDate }]) => {
        return [{ source }, toSeconds(finishedAt), toSeconds(productionDate)];
      });
    }),
    toReading(["followed_stream_heard_timestamp_seconds", "followed_stream_delay_seconds"], async () =>
      Array.from(await fetchFollowed(documents), ([stream, followed]) => {
        const delayMs = delayOf(followed);
        return [{ stream }, toSeconds(followed.heard_at) ?? 0, delayMs === null ? null : delayMs / 1000];
      }),
    ),
  ];
}

/** Labels, then the value of each gauge of a reading with these labels; null if a gauge has no such value. */
type Row = [labels: object, ...values: (number | null)[]];

function toReading(gauges: Reading["gauges"], readRows: () => Promise<Row[]>): Reading {
  const toSamples = ([labels, ...values]: Row) =>
    values.flatMap((value, at) => (value === null ? [] : { metric: gauges[at], labels, value }));
  // The cast: each gauge is paired with its own labels above.
  return { gauges, read: async () => (await readRows()).flatMap(toSamples) as Sample[] };
}

function toSeconds(moment: string | null | undefined): number | null {
  return moment ? Date.parse(moment) / 1000 : null;
}
