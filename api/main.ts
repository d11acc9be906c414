/** Entry of the API process: settings, stores, name rules, app, listen, metrics; closes in order on a signal. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { buildApp } from "./app.ts";
import { readProcessConfig, type Config } from "./shared/settings/config.ts";
import { messageOf } from "./shared/runtime/errors.ts";
import { createLogger } from "./shared/runtime/logger.ts";
import { createMetrics } from "./shared/metrics/metrics.ts";
import { openPrivatePort } from "./shared/runtime/private-port.ts";
import { exitWith, onStopSignal, orExit } from "./shared/runtime/process.ts";
import { closeStores, openStores } from "./shared/stores/index.ts";
import { startTracing, stopTracing } from "./shared/tracing/tracing.ts";
import { buildMetricsPages, countRequests } from "./http/ops.ts";
import { buildStreams } from "./streams/app.ts";
import { fetchStartRefusal } from "../index-mappings/name-rules.ts";

const config = orExit(readProcessConfig);
const log = createLogger(config.LOG_LEVEL, "api");
// Nothing is measured where nobody can ask.
const metrics = config.METRICS_PORT > 0 ? createMetrics("api") : undefined;
const forRequests = {
  timeoutMs: Math.min(config.REQUEST_TIMEOUT_MS, config.STORE_TIMEOUT_MS),
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
let underWay = 0;
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
  ...(metrics && { onSent: (stream, bytes) => metrics.count("stream_bytes_total", { stream }, bytes) }),
});
if (metrics) {
  const address = { host: config.PRIVATE_HOST, port: config.METRICS_PORT, setting: "METRICS_PORT" };
  const pages = buildMetricsPages(stores, metrics, { ...streams, countUnderWay: () => underWay });
  await openPrivatePort(address, pages, log).catch((error: unknown) => exitWith(messageOf(error)));
  log.info({ host: config.PRIVATE_HOST, port: config.METRICS_PORT }, "metrics shown");
}
const [answer, stream] = [app.callback(), streams.app.callback()];
const isForStreams = ({ headers: { host = "" } }: IncomingMessage) =>
  config.STREAM_HOST !== "" && host.replace(/:\d+$/, "").toLowerCase() === config.STREAM_HOST;
const servers = [
  listen("PORT", (request, response) => void (isForStreams(request) ? stream : answer)(request, response)),
  ...(config.STREAM_PORT > 0
    ? [listen("STREAM_PORT", (request, response) => void stream(request, response))]
    : []),
];
onStopSignal(log, async () => {
  isEnding = true;
  // Until every proxy has seen that, requests still come.
  await sleep(config.DRAIN_MS);
  streams.end();
  await Promise.all(servers.map((server) => closeServer(server, config)));
  await closeStores(stores);
  await stopTracing();
});

function listen(setting: "PORT" | "STREAM_PORT", answer: RequestListener): Server {
  const server = createServer(answer);
  server.on("request", (_request, response) => {
    underWay += 1;
    response.once("close", () => (underWay -= 1));
  });
  server.once("error", (error) => {
    log.fatal(
      { err: error, host: config.HOST, port: config[setting] },
      `cannot listen: set HOST to an address of this machine and ${setting} to a free port`,
    );
    process.exit(1);
  });
  // Of a connection that both sides think idle, a proxy must be the one that closes it.
  server.keepAliveTimeout = config.KEEP_ALIVE_MS;
  return server.listen(config[setting], config.HOST, () => {
    const { port } = server.address() as AddressInfo;
    log.info({ host: config.HOST, port }, setting === "PORT" ? "listening" : "streams open");
  });
}

/** Lets requests in work finish, up to the time that the settings grant. */
async function closeServer(running: Server, { SHUTDOWN_MS }: Config): Promise<void> {
  const closed = new Promise((resolve) => running.close(resolve));
  running.closeIdleConnections();
  const timer = setTimeout(() => running.closeAllConnections(), SHUTDOWN_MS);
  await closed;
  clearTimeout(timer);
}
