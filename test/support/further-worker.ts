/** Owns workers beside the one that a register has. */
import { createLogger } from "../../api/shared/runtime/logger.ts";
import { closeStores, openStores } from "../../api/shared/stores/index.ts";
import { startWorker } from "../../ingest/worker.ts";
import type { TestRegister } from "./register.ts";

/** Starts one with stores of its own: another process, as far as the engines can tell. Gives what stops it. */
export function addWorker({ config }: TestRegister): () => Promise<void> {
  const stores = openStores(config, { forWorker: true });
  const stop = startWorker(config, stores, createLogger("silent", "worker"));
  return async () => {
    await stop();
    await closeStores(stores);
  };
}
