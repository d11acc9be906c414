/**
 * Entry of the API process: reads settings, opens stores, checks name rules, listens, and closes in order on a signal.
 */
import type { IncomingMessage, RequestListener } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { buildApp } from "./app.ts";
import { readProcessConfig } from "./shared/settings/config.ts";
import { messageOf } from "./shared/runtime/errors.ts";
import { createLogger } from "./shared/runtime/logger.ts";
import { createMetrics } from "./shared/metrics/metrics.ts";
import { openPrivatePort } from "./shared/runtime/private-port.ts";
import { exitWith, onStopSignal, orExit } from "./shared/runtime/process.ts";
import { closeStores, openStores } from "./shared/stores/index.ts";
import { startTracing, stopTracing } from "./shared/tracing/tracing.ts";
import { buildMetricsPages, countRequests, countStreamRequests } from "./http/ops.ts";
import { HttpServer, silentMsFor } from "./http/server.ts";
import { buildStreams } from "./streams/app.ts";
import { fetchStartRefusal } from "../index-mappings/name-rules.ts";

const config = orExit(readProcessConfig);
const log = createLogger(config.LOG_LEVEL, "api");
// Without a port for metrics nobody can read them, so none are kept.
const metrics = config.METRICS_PORT > 0 ? createMetrics("api") : undefined;
const forRequests = {
  onChange: (store: string, reason: unknown) =>
    reason === null
      ? log.info({ store }, "store available again")
      : log.error({ store, reason: messageOf(reason) }, "store unavailable"),
};
await startTracing({
  ...{ config, component: "api" },
  onFault: (reason) => log.warn({ reason }, "traces not sent"),
});
const stores = orExit(() => openStores(config, { forRequests, ...(metrics && { metrics }) }));
const refusal = await fetchStartRefusal(stores.elasticsearch);
if (refusal) {
  await closeStores(stores);
  exitWith(refusal);
}
let isEnding = false;
const app = buildApp({
  config,
  stores,
  log,
  clock: () => new Date(),
  isEnding: () => isEnding,
  ...(metrics && { onEnd: countRequests(metrics) }),
});
const streams = buildStreams({
  config,
  stores,
  log,
  clock: () => new Date(),
  ...(metrics && {
    onSent: (stream, bytes) => metrics.count("stream_bytes_total", { stream }, bytes),
    onEnd: countStreamRequests(metrics),
  }),
});
const [answer, stream] = [app.callback(), streams.app.callback()];
const isForStreams = ({ headers: { host = "" } }: IncomingMessage) =>
  config.STREAM_HOST !== "" && host.replace(/:\d+$/, "").toLowerCase() === config.STREAM_HOST;
const silentMs = silentMsFor(config.REQUEST_TIMEOUT_MS);
const open = (answered: RequestListener) => new HttpServer(answered, config.KEEP_ALIVE_MS, silentMs);
const main = open((request, response) => void (isForStreams(request) ? stream : answer)(request, response));
const streaming = config.STREAM_PORT > 0 && open((request, response) => void stream(request, response));
const servers = [main, ...(streaming ? [streaming] : [])];
if (metrics) {
  const address = { host: config.PRIVATE_HOST, port: config.METRICS_PORT, setting: "METRICS_PORT" };
  const pages = buildMetricsPages(stores, metrics, {
    ...streams,
    countUnderWay: () => servers.reduce((sum, server) => sum + server.count(), 0),
  });
  await openPrivatePort(address, pages, log).catch((error: unknown) => exitWith(messageOf(error)));
  log.info({ host: config.PRIVATE_HOST, port: config.METRICS_PORT }, "metrics listening");
}
onStopSignal(log, async () => {
  isEnding = true;
  for (const server of servers) server.beginEnd();
  // Requests still arrive until every proxy has seen that `/readyz` answers 503.
  await sleep(config.DRAIN_MS);
  streams.end();
  await Promise.all(servers.map((server) => server.close(config.SHUTDOWN_MS)));
  await closeStores(stores);
  await stopTracing();
});

await listen("PORT", main);
if (streaming) await listen("STREAM_PORT", streaming);

async function listen(setting: "PORT" | "STREAM_PORT", server: HttpServer): Promise<void> {
  const { HOST: host } = config;
  try {
    const port = await server.listen(config[setting], host);
    log.info({ host, port }, setting === "PORT" ? "listening" : "streams listening");
  } catch (error) {
    exitWith(
      `${setting}: cannot listen on ${host}:${config[setting]} (${messageOf(error)}); set HOST to an address of this machine, and ${setting} to a free port`,
    );
  }
}
