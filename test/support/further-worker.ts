/** Workers in addition to the one that a test's register has. */
import type { Recorder } from "../../api/shared/metrics/metrics.ts";
import { createLogger } from "../../api/shared/runtime/logger.ts";
import { closeStores, openStores, type Stores } from "../../api/shared/stores/index.ts";
import { startWorker } from "../../ingest/worker.ts";
import type { TestRegister } from "./register.ts";
import { waitUntil } from "./wait-until.ts";

/**
 * Starts a worker with stores of its own, so that to the engines it looks like another process. `change` can replace
 * the stores that it uses. Returns a function that stops it.
 */
export function addWorker(
  { config }: TestRegister,
  change: (stores: Stores) => Stores = (stores) => stores,
  metrics?: Recorder,
): () => Promise<void> {
  const stores = openStores(config, { forWorker: true });
  const stop = startWorker(config, change(stores), createLogger("silent", "worker"), metrics);
  return async () => {
    await stop();
    await closeStores(stores);
  };
}

/** Starts a worker whose first write waits until the test calls `open`. */
export function addPausedWorker(register: TestRegister) {
  let isOpen = false;
  const wait = (call: number) =>
    call === 1 ? waitUntil(() => isOpen, "the test opens it", 120_000) : undefined;
  return { ...addWaitingWorker(register, wait), open: () => void (isOpen = true) };
}

/** Starts a worker that calls `wait` before it inserts records, with the number of such writes so far. */
export function addWaitingWorker(
  register: TestRegister,
  wait: (call: number) => Promise<unknown> | undefined,
) {
  let calls = 0;
  const close = addWorker(register, (stores) => {
    const { writer } = stores.mongo;
    const insertMissing: typeof writer.insertMissing = async (...given) => {
      await wait((calls += 1));
      return writer.insertMissing(...given);
    };
    return { ...stores, mongo: { ...stores.mongo, writer: { ...writer, insertMissing } } };
  });
  return { hasBegun: () => calls > 0, close };
}
