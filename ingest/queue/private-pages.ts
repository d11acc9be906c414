/** Owns the pages of the worker's private port: alive, ready, metrics, the queue's board. */
import type { Config } from "../../api/core/config.ts";
import type { Metrics } from "../../api/core/metrics/metrics.ts";
import { createReadings } from "../../api/core/metrics/readings.ts";
import { jsonPage, type PrivatePages } from "../../api/core/private-port.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { fetchRulesFault } from "../../index-mappings/name-rules.ts";
import { openReadiness, requireIndices } from "../../index-mappings/readiness.ts";
import { BOARD_PATH, buildBoard } from "./board.ts";
import { buildWorkerReadings } from "../metrics/readings.ts";
import type { BatchQueue } from "./queue.ts";

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
  const refresh = createReadings(metrics, buildWorkerReadings(stores, queue), kept);
  const { mongo, elasticsearch, redis } = stores;
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
