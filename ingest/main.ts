/** Entry of the worker process: settings, stores, worker; stops in order on a signal. */
import { readProcessConfig } from "../api/core/config.ts";
import { createLogger } from "../api/core/logger.ts";
import { onStopSignal, orExit } from "../api/core/process.ts";
import { closeStores, openStores } from "../api/core/stores/index.ts";
import { startWorker } from "./worker.ts";

const config = orExit(readProcessConfig);
const log = createLogger(config.LOG_LEVEL, "worker");
const stores = openStores(config, { forWorker: true });
const stop = startWorker(config, stores, log);
log.info({ concurrency: config.WORKER_CONCURRENCY }, "taking batches");
onStopSignal(log, async () => {
  await stop();
  await closeStores(stores);
});
