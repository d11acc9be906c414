/**
 * The worker process. It starts threads that take batches from the queue, each with its own connections, so that all
 * processors are used. It also opens the private port.
 */
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { isMainThread, parentPort, threadId, Worker, type MessagePort } from "node:worker_threads";
import { readProcessConfig } from "../api/shared/settings/config.ts";
import { messageOf } from "../api/shared/runtime/errors.ts";
import { createLogger } from "../api/shared/runtime/logger.ts";
import { createMetrics, type Metrics, type Recorder } from "../api/shared/metrics/metrics.ts";
import { openPrivatePort } from "../api/shared/runtime/private-port.ts";
import { exitWith, onStopSignal, orExit } from "../api/shared/runtime/process.ts";
import { closeStores, openStores, type Stores } from "../api/shared/stores/index.ts";
import { LateError, within } from "../api/shared/runtime/deadlines.ts";
import { startTracing, stopTracing } from "../api/shared/tracing/tracing.ts";
import { fetchStartRefusal } from "../index-mappings/name-rules.ts";
import { buildPrivatePages } from "./private-pages.ts";
import { openQueue } from "./queue/queue.ts";
import { startWorker } from "./worker.ts";

// Tuned: with more, MongoDB is the bottleneck. In a container Node.js may count the whole machine's processors.
const MOST_THREADS = 4;
const READY = "ready";
const STOP = "stop";

/** A metrics call that a thread sends to the main thread, which serves the metrics of all threads. */
type Recorded = [operation: keyof Recorder, ...given: unknown[]];

const config = orExit(readProcessConfig);
const log = createLogger(config.LOG_LEVEL, "worker");
if (isMainThread) await runProcess();
else if (parentPort) await runThread(parentPort);

async function runProcess(): Promise<void> {
  // No metrics without a port that serves them.
  const metrics = config.WORKER_PORT > 0 ? createMetrics("worker") : undefined;
  const stores = orExit(() => openStores(config, { forWorker: true, ...(metrics && { metrics }) }));
  const refusal = await fetchStartRefusal(stores.elasticsearch);
  if (refusal || !metrics) await closeStores(stores);
  if (refusal) exitWith(refusal);
  if (metrics) await openPages(metrics, stores);
  const count = config.WORKER_THREADS || Math.min(availableParallelism(), MOST_THREADS);
  const threads = Array.from({ length: count }, () => new Worker(import.meta.filename));
  const ended = threads.map((thread) => once(thread, "exit"));
  const ready = threads.map((thread) => untilReady(thread, metrics));
  onStopSignal(log, async () => {
    for (const thread of threads) thread.postMessage(STOP);
    // The private port stays open: a worker that finishes its batches is alive.
    await within(config.SHUTDOWN_MS, Promise.all(ended)).catch((error: unknown) => {
      if (!(error instanceof LateError)) throw error;
      // The process ends anyway: another worker takes over its batches, and running a batch again is safe.
      log.warn(
        { shutdownMs: config.SHUTDOWN_MS },
        "stopped before all threads had ended; batches that they have not finished will run again",
      );
    });
  });
  await Promise.all(ready);
  log.info({ threads: count, concurrency: config.WORKER_CONCURRENCY }, "taking batches");
}

async function openPages(metrics: Metrics, stores: Stores): Promise<void> {
  const queue = openQueue(stores.redis, config.QUEUE_PREFIX);
  const pages = buildPrivatePages({ stores, queue, metrics });
  const { PRIVATE_HOST: host, WORKER_PORT: port } = config;
  const opened = openPrivatePort({ host, port, setting: "WORKER_PORT" }, pages, log);
  await opened.catch((error: unknown) => exitWith(messageOf(error)));
  log.info({ host, port }, "private port open");
}

/** Resolves when the thread takes batches. If the thread fails, the process ends and its supervisor starts it again. */
function untilReady(thread: Worker, metrics: Recorder | undefined): Promise<void> {
  return new Promise((resolve) => {
    thread.on("error", (error) => {
      log.fatal({ err: error }, "thread failed");
      process.exit(1);
    });
    thread.on("message", (message: Recorded | typeof READY) => {
      if (message === READY) return resolve();
      const [operation, ...given] = message;
      // The cast: `runThread` sends the arguments of this very operation.
      (metrics?.[operation] as ((...given: unknown[]) => void) | undefined)?.(...given);
    });
  });
}

/** Takes batches in this thread until the process tells it to stop. */
async function runThread(port: MessagePort): Promise<void> {
  const relay: Recorder = {
    count: (...given) => port.postMessage(["count", ...given] satisfies Recorded),
    observe: (...given) => port.postMessage(["observe", ...given] satisfies Recorded),
  };
  const metrics = config.WORKER_PORT > 0 ? relay : undefined;
  await startTracing({
    ...{ config, component: "worker" },
    onFault: (reason) => log.warn({ reason, thread: threadId }, "traces not sent"),
  });
  const stores = openStores(config, { forWorker: true, ...(metrics && { metrics }) });
  const stop = startWorker(config, stores, log.child({ thread: threadId }), metrics);
  port.on("message", () => {
    void stop()
      .finally(() => closeStores(stores))
      .finally(stopTracing)
      // Another worker takes over the batches that have not ended.
      .catch((error: unknown) =>
        log.error({ reason: messageOf(error), thread: threadId }, "stopped with an error"),
      )
      .finally(() => port.close());
  });
  port.postMessage(READY);
}
