/** Entry point of the worker process: threads that take batches, and the private port. */
import { availableParallelism } from "node:os";
import { isMainThread } from "node:worker_threads";
import { readProcessConfig } from "../api/shared/settings/config.ts";
import { messageOf } from "../api/shared/runtime/errors.ts";
import { createLogger } from "../api/shared/runtime/logger.ts";
import { createMetrics, type Metrics } from "../api/shared/metrics/metrics.ts";
import { openPrivatePort } from "../api/shared/runtime/private-port.ts";
import { exitWith, onStopSignal, orExit } from "../api/shared/runtime/process.ts";
import { closeStores, openStores } from "../api/shared/stores/index.ts";
import { LateError, within } from "../api/shared/runtime/within.ts";
import { fetchStartRefusal } from "../index-mappings/name-rules.ts";
import { buildPrivatePages } from "./metrics/private-pages.ts";
import { openQueue } from "./queue/queue.ts";
import { runThread, startThreads } from "./threads.ts";

// Tuned: MongoDB is the bottleneck of more. In a container the processors of the whole machine may be counted.
const MOST_THREADS = 4;

const config = orExit(readProcessConfig);
const log = createLogger(config.LOG_LEVEL, "worker");
if (isMainThread) await runProcess();
else await runThread(config, log);

async function runProcess(): Promise<void> {
  // No metrics without a port that serves them.
  const metrics = config.WORKER_PORT > 0 ? createMetrics("worker") : undefined;
  const stores = orExit(() => openStores(config, { forWorker: true, ...(metrics && { metrics }) }));
  const refusal = await fetchStartRefusal(stores.elasticsearch);
  if (refusal || !metrics) await closeStores(stores);
  if (refusal) exitWith(refusal);
  if (metrics) await openPages(metrics, stores);
  const count = config.WORKER_THREADS || Math.min(availableParallelism(), MOST_THREADS);
  const threads = startThreads({ count, file: import.meta.filename, log, metrics });
  onStopSignal(log, async () => {
    // The private port stays open: a worker that finishes its batches is alive.
    await within(config.SHUTDOWN_MS, threads.stop()).catch((error: unknown) => {
      if (!(error instanceof LateError)) throw error;
      // The process ends anyway: another worker takes over its batches, and running a batch again is safe.
      log.warn({ shutdownMs: config.SHUTDOWN_MS }, "batches or their stores were interrupted");
    });
  });
  await threads.ready;
  log.info({ threads: count, concurrency: config.WORKER_CONCURRENCY }, "taking batches");
}

async function openPages(metrics: Metrics, stores: ReturnType<typeof openStores>): Promise<void> {
  const queue = openQueue(stores.redis, config.QUEUE_PREFIX);
  const pages = buildPrivatePages({ config, stores, queue, metrics });
  const { PRIVATE_HOST: host, WORKER_PORT: port, BOARD_KEY } = config;
  const opened = openPrivatePort({ host, port, setting: "WORKER_PORT" }, pages, log);
  await opened.catch((error: unknown) => exitWith(messageOf(error)));
  log.info({ host, port, hasBoard: BOARD_KEY !== "" }, "private port open");
}
