/**
 * Owns what a worker tells of itself: the pages of its private port, and what it measures for them: its batches, and what it
 * asks the stores: the queue, the last loads, the live indices.
 */
import type { Config } from "../../api/core/config.ts";
import type { Metrics, Sample } from "../../api/core/metrics/metrics.ts";
import { createReadings, type Reading } from "../../api/core/metrics/readings.ts";
import { readStoreHealth } from "../../api/core/metrics/store-health.ts";
import { jsonPage, type PrivatePages } from "../../api/core/private-port.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { IndexName } from "../../index-mappings/define-index.ts";
import { indices } from "../../index-mappings/index.ts";
import { describeLiveIndex } from "../../index-mappings/live-index.ts";
import { fetchRulesFault } from "../../index-mappings/name-rules.ts";
import { openReadiness, requireIndices } from "../../index-mappings/readiness.ts";
import { countDeadLetters } from "../dead-letters/dead-letters.ts";
import { fetchLastLoads, loadLock } from "../history/loads.ts";
import { BOARD_PATH, buildBoard } from "../queue/board.ts";
import { fetchCounts, fetchOldestWaiting } from "../queue/queue-state.ts";
import type { BatchQueue } from "../queue/queue.ts";
import { sources } from "../sources/index.ts";
import type { BatchTry } from "../worker.ts";

const OUTCOMES = ["written", "removed", "unchanged", "refused", "skipped"] as const;

/** Makes what is told of each try of a batch. */
export function countBatches(metrics: Metrics): (batch: BatchTry) => void {
  return ({ source: given, seconds, counts, isPassing }) => {
    // A batch of another release may name what this one does not know; labels come from definitions alone.
    const source = sources.some(({ name }) => name === given) ? given : "unknown";
    const outcome = counts ? "done" : isPassing ? "retried" : "failed";
    metrics.observe("batch_seconds", { source, outcome }, seconds);
    if (!counts) return;
    metrics.count("rows_read_total", { source }, counts.read);
    for (const outcome of OUTCOMES) metrics.count("rows_total", { source, outcome }, counts[outcome]);
  };
}

/** What the pages need. */
export interface PagesDependencies {
  config: Pick<Config, "BOARD_KEY">;
  stores: Stores;
  queue: BatchQueue;
  metrics: Metrics;
  /** Longest age of what was read for metrics, in milliseconds; some seconds unless told. */
  keptMs?: number;
}

/** Builds the pages. `/healthz` touches no store; all but the board are for whoever reaches the port. */
export function buildPrivatePages({
  config,
  stores,
  queue,
  metrics,
  ...kept
}: PagesDependencies): PrivatePages {
  const { mongo, elasticsearch, redis } = stores;
  // Each asks one store, so that one that is away leaves the others' gauges standing.
  const readings = [
    readStoreHealth({ mongodb: mongo, elasticsearch, redis }),
    readQueue(stores, queue),
    readRefused(stores),
    readSources(stores),
    readIndices(stores),
  ];
  const refresh = createReadings(metrics, readings, kept);
  const askReadiness = openReadiness({
    mongodb: mongo.ping,
    elasticsearch: elasticsearch.ping,
    redis: redis.ping,
    indices: () => requireIndices(elasticsearch, () => fetchRulesFault(elasticsearch)),
  });
  return {
    pages: {
      "/healthz": () => jsonPage({ status: "ok" }),
      "/readyz": async () => {
        const { status, body } = await askReadiness();
        return jsonPage(body, status);
      },
      "/metrics": async () => {
        await refresh();
        return { type: metrics.contentType, body: await metrics.write() };
      },
    },
    below: { [BOARD_PATH]: buildBoard(queue, config.BOARD_KEY) },
  };
}

function readQueue({ redis }: Pick<Stores, "redis">, queue: BatchQueue): Reading {
  return {
    gauges: ["queue_batches", "queue_oldest_batch_age_seconds", "loads_running"],
    read: async () => {
      const [counts, oldestMs, locks] = await Promise.all([
        fetchCounts(redis, queue),
        fetchOldestWaiting(redis, queue, Date.now()),
        redis.locks.list(),
      ]);
      const loads_running = locks.filter((name) => name.startsWith(loadLock(""))).length;
      return [
        ...Object.entries(counts).flatMap(([state, count]) => toSamples({ state }, { queue_batches: count })),
        ...toSamples({}, { queue_oldest_batch_age_seconds: (oldestMs ?? 0) / 1000, loads_running }),
      ];
    },
  };
}

// Counting reads every one of them.
const REFUSED_MS = 60_000;

function readRefused({ mongo }: Pick<Stores, "mongo">): Reading {
  let countedAt = -Infinity;
  let refused_rows = 0;
  return {
    gauges: ["refused_rows"],
    read: async () => {
      if (performance.now() - countedAt > REFUSED_MS) {
        const counts = await countDeadLetters(mongo.documents);
        refused_rows = counts.reduce((sum, { count }) => sum + count, 0);
        countedAt = performance.now();
      }
      return toSamples({}, { refused_rows });
    },
  };
}

function readSources({ mongo }: Pick<Stores, "mongo">): Reading {
  return {
    gauges: ["source_loaded_timestamp_seconds", "source_production_timestamp_seconds"],
    read: async () =>
      [...(await fetchLastLoads(mongo.documents))].flatMap(([source, { finishedAt, productionDate }]) =>
        toSamples(
          { source },
          {
            source_loaded_timestamp_seconds: toSeconds(finishedAt),
            source_production_timestamp_seconds: toSeconds(productionDate),
          },
        ),
      ),
  };
}

function readIndices({ elasticsearch }: Pick<Stores, "elasticsearch">): Reading {
  const read = async (index: IndexName) => {
    const [live] = await elasticsearch.fetchLiveIndices([index]);
    if (!live) return [];
    const { createdAt, version: index_version, namesVersion: index_names_version } = describeLiveIndex(live);
    const index_created_timestamp_seconds = toSeconds(createdAt);
    return toSamples({ index }, { index_created_timestamp_seconds, index_version, index_names_version });
  };
  return {
    gauges: ["index_created_timestamp_seconds", "index_version", "index_names_version"],
    read: async () => (await Promise.all(indices.map(({ name }) => read(name)))).flat(),
  };
}

/** A sample of each gauge that there is a value for. */
function toSamples<Name extends Sample["metric"]>(
  labels: Extract<Sample, { metric: Name }>["labels"],
  values: Record<Name, number | null>,
): Sample[] {
  const known = Object.entries<number | null>(values).filter(([, value]) => value !== null);
  // The cast: names and labels come from entries of the list that have the same labels.
  return known.map(([metric, value]) => ({ metric, labels, value }) as Sample);
}

function toSeconds(moment: string | null | undefined): number | null {
  return moment ? Date.parse(moment) / 1000 : null;
}
