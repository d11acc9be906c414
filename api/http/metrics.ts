/** Owns the API's metrics: what is counted of requests, and the page of its private port. */
import type { Metrics } from "../shared/metrics/metrics.ts";
import { createReadings, type Reading } from "../shared/metrics/readings.ts";
import { readStoreHealth } from "../shared/metrics/store-health.ts";
import type { PrivatePages } from "../shared/runtime/private-port.ts";
import type { Stores } from "../shared/stores/index.ts";
import type { EndedRequest } from "./request-context.ts";

/** Makes the function that counts each finished request. */
export function countRequests(metrics: Metrics): (request: EndedRequest) => void {
  return ({ route = "none", status, isWhole, isLate, seconds }) => {
    metrics.observe("request_seconds", { route, status: isWhole ? String(status) : "aborted" }, seconds);
    if (isLate) metrics.count("deadlines_missed_total", { route });
  };
}

/**
 * `/metrics`. `countReaders`: connections by the stream they read; `countUnderWay`: requests in progress.
 * `keptMs`: how long readings of the stores stay cached; default: some seconds.
 */
export function buildMetricsPages(
  { mongo: mongodb, elasticsearch, redis }: Stores,
  metrics: Metrics,
  {
    countReaders,
    countUnderWay,
    ...kept
  }: { countReaders?: () => Record<string, number>; countUnderWay?: () => number; keptMs?: number } = {},
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
  const readUnderWay: Reading = {
    gauges: ["requests_under_way"],
    read: () =>
      Promise.resolve([{ metric: "requests_under_way", labels: {}, value: countUnderWay?.() ?? 0 }]),
  };
  const readings = [readStoreHealth({ mongodb, elasticsearch, redis }), readReaders, readUnderWay];
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
