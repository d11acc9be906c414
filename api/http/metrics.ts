/** Owns the API's metrics: what is counted of requests, and the page of its private port. */
import type { Metrics } from "../core/metrics/metrics.ts";
import { createReadings } from "../core/metrics/readings.ts";
import { readStoreHealth } from "../core/metrics/store-health.ts";
import type { PrivatePages } from "../core/private-port.ts";
import type { Stores } from "../core/stores/index.ts";
import type { EndedRequest } from "./request-context.ts";

/** Makes what is told of each request that has ended. */
export function countRequests(metrics: Metrics): (request: EndedRequest) => void {
  return ({ route = "none", status, isWhole, seconds }) => {
    const kind = isWhole ? `${Math.floor(status / 100)}xx` : "aborted";
    metrics.observe("request_seconds", { route, status: kind }, seconds);
  };
}

/** `/metrics`. `keptMs`: longest age of what was asked of the stores; some seconds unless told. */
export function buildMetricsPages(
  { mongo: mongodb, elasticsearch, redis }: Stores,
  metrics: Metrics,
  kept: { keptMs?: number } = {},
): PrivatePages {
  const refresh = createReadings(metrics, [readStoreHealth({ mongodb, elasticsearch, redis })], kept);
  return {
    pages: {
      "/metrics": async () => {
        await refresh();
        return { type: metrics.contentType, body: await metrics.write() };
      },
    },
  };
}
