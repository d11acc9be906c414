/** Entry of the worker process: settings, stores, name rules, worker; stops in order on a signal. */
import { readProcessConfig } from "../api/core/config.ts";
import { createLogger } from "../api/core/logger.ts";
import { exitWith, onStopSignal, orExit } from "../api/core/process.ts";
import { closeStores, openStores } from "../api/core/stores/index.ts";
import { fetchStartRefusal } from "../index-mappings/name-rules.ts";
import { endsWithin } from "./shutdown.ts";
import { startWorker } from "./worker.ts";

const config = orExit(readProcessConfig);
const log = createLogger(config.LOG_LEVEL, "worker");
const stores = openStores(config, { forWorker: true });
const refusal = await fetchStartRefusal(stores.elasticsearch);
if (refusal) {
  await closeStores(stores);
  exitWith(refusal);
}
const stop = startWorker(config, stores, log);
log.info({ concurrency: config.WORKER_CONCURRENCY }, "taking batches");
onStopSignal(log, async () => {
  const isOrderly = await endsWithin(config.SHUTDOWN_MS, async () => {
    await stop();
    await closeStores(stores);
  });
  // The process ends all the same: a batch broken off is taken over by another worker, and its rerun does no harm.
  if (!isOrderly) log.warn({ shutdownMs: config.SHUTDOWN_MS }, "batches in work or their stores broken off");
});
