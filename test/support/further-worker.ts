/** Owns workers beside the one that a register has. */
import { createLogger } from "../../api/shared/runtime/logger.ts";
import { closeStores, openStores, type Stores } from "../../api/shared/stores/index.ts";
import { startWorker } from "../../ingest/worker.ts";
import type { TestRegister } from "./register.ts";
import { waitUntil } from "./wait-until.ts";

/** Starts one with stores of its own: another process, as far as the engines can tell. Gives what stops it. */
export function addWorker({ config }: TestRegister): () => Promise<void> {
  const stores = openStores(config, { forWorker: true });
  const stop = startWorker(config, stores, createLogger("silent", "worker"));
  return async () => {
    await stop();
    await closeStores(stores);
  };
}

/** A worker whose first batch waits at its first write until the test opens it. */
export function addHeldWorker({ config }: TestRegister) {
  const stores = openStores(config, { forWorker: true });
  let calls = 0;
  let isOpen = false;
  const insertMissing: Stores["mongo"]["writer"]["insertMissing"] = async (...given) => {
    if ((calls += 1) === 1) await waitUntil(() => Promise.resolve(isOpen), "the test opens it", 120_000);
    return stores.mongo.writer.insertMissing(...given);
  };
  const writer = { ...stores.mongo.writer, insertMissing };
  const slow: Stores = { ...stores, mongo: { ...stores.mongo, writer } };
  const stop = startWorker(config, slow, createLogger("silent", "worker"));
  const close = async () => {
    await stop();
    await closeStores(stores);
  };
  return { hasBegun: () => calls > 0, open: () => void (isOpen = true), close };
}
