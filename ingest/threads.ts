/** Owns the threads of a worker process: each takes batches on connections of its own, so that all processors are used. */
import { once } from "node:events";
import { parentPort, threadId, Worker } from "node:worker_threads";
import type { Config } from "../api/shared/settings/config.ts";
import type { Logger } from "../api/shared/runtime/logger.ts";
import type { Recorder } from "../api/shared/metrics/metrics.ts";
import { closeStores, openStores } from "../api/shared/stores/index.ts";
import { startTracing, stopTracing } from "../api/shared/tracing/tracing.ts";
import { startWorker } from "./worker.ts";

/** An operation on metrics that a thread sends to its process, whose port shows them. */
type Recorded = [operation: keyof Recorder, ...given: unknown[]];

const READY = "ready";
const STOP = "stop";

interface ThreadOptions {
  /** How many threads. */
  count: number;
  /** The file that each runs, which calls `runThread`. */
  file: string;
  log: Logger;
  metrics: Recorder | undefined;
}

/** Threads that run. */
export interface Threads {
  /** Resolves when each takes batches. */
  ready: Promise<unknown>;
  /** Resolves when all have written the batches in work, and have ended. */
  stop: () => Promise<void>;
}

/** Starts threads. A thread that fails ends the process, whose supervisor starts it again. */
export function startThreads({ count, file, log, metrics }: ThreadOptions): Threads {
  const threads = Array.from({ length: count }, () => new Worker(file));
  const ended = threads.map((thread) => once(thread, "exit"));
  const ready = threads.map(
    (thread) =>
      new Promise<void>((resolve) => {
        thread.on("error", (error) => {
          log.fatal({ err: error }, "thread failed");
          process.exit(1);
        });
        thread.on("message", (message: Recorded | typeof READY) => {
          if (message === READY) resolve();
          else record(metrics, message);
        });
      }),
  );
  return {
    ready: Promise.all(ready),
    stop: async () => {
      for (const thread of threads) thread.postMessage(STOP);
      await Promise.all(ended);
    },
  };
}

function record(metrics: Recorder | undefined, [operation, ...given]: Recorded): void {
  // The cast: what was given to this operation in a thread.
  (metrics?.[operation] as ((...given: unknown[]) => void) | undefined)?.(...given);
}

/** Takes batches in this thread until the process tells it to stop. */
export async function runThread(config: Config, log: Logger): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error("not a thread");
  const metrics = config.WORKER_PORT > 0 ? relayTo((recorded) => port.postMessage(recorded)) : undefined;
  await startTracing({
    ...{ config, component: "worker" },
    onFault: (reason) => log.warn({ reason, thread: threadId }, "traces not sent"),
  });
  const stores = openStores(config, { forWorker: true, ...(metrics && { metrics }) });
  const stop = startWorker(config, stores, log.child({ thread: threadId }), metrics);
  port.on("message", () => {
    void stop()
      .then(() => closeStores(stores))
      .then(stopTracing)
      .finally(() => port.close());
  });
  port.postMessage(READY);
}

/** Sends what a thread records to its process. */
function relayTo(send: (recorded: Recorded) => void): Recorder {
  return {
    count: (...given) => send(["count", ...given]),
    observe: (...given) => send(["observe", ...given]),
  };
}
