/** Owns the API's metrics: what is counted of requests, and the page of its private port. */
import type { Metrics } from "../core/metrics/metrics.ts";
import { createReadings, type Reading } from "../core/metrics/readings.ts";
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

/**
 * `/metrics`. `countReaders`: connections by the stream that is read on them. `keptMs`: longest age of what was asked of the
 * stores; some seconds unless told.
 */
export function buildMetricsPages(
  { mongo: mongodb, elasticsearch, redis }: Stores,
  metrics: Metrics,
  { countReaders, ...kept }: { countReaders?: () => Record<string, number>; keptMs?: number } = {},
): PrivatePages {
  const readReaders: Reading = {
    gauges: ["stream_readers"],
    read: () => {
      const counts = Object.entries(countReaders?.() ?? {});
      return Promise.resolve(
        counts.map(([stream, value]) => ({ metric: "stream_readers", labels: { stream }, value })),
      );
    },
  };
  const readings = [readStoreHealth({ mongodb, elasticsearch, redis }), readReaders];
  const refresh = createReadings(metrics, readings, kept);
  return {
    pages: {
      "/metrics": async () => {
        await refresh();
        return { type: metrics.contentType, body: await metrics.write() };
      },
    },
  };
}
