/** Owns workers beside the one that a register has. */
import { createLogger } from "../../api/shared/runtime/logger.ts";
import { closeStores, openStores, type Stores } from "../../api/shared/stores/index.ts";
import { startWorker } from "../../ingest/worker.ts";
import type { TestRegister } from "./register.ts";
import { waitUntil } from "./wait-until.ts";

/**
 * Starts one with stores of its own: another process, as far as the engines can tell. Gives what stops it. `change`: gives the
 * stores that it writes through.
 */
export function addWorker(
  { config }: TestRegister,
  change: (stores: Stores) => Stores = (stores) => stores,
): () => Promise<void> {
  const stores = openStores(config, { forWorker: true });
  const stop = startWorker(config, change(stores), createLogger("silent", "worker"));
  return async () => {
    await stop();
    await closeStores(stores);
  };
}

/** A worker whose first batch waits at its first write until the test opens it. */
export function addHeldWorker(register: TestRegister) {
  let isOpen = false;
  const wait = (call: number) =>
    call === 1 ? waitUntil(() => Promise.resolve(isOpen), "the test opens it", 120_000) : undefined;
  return { ...addWaitingWorker(register, wait), open: () => void (isOpen = true) };
}

/** A worker that waits for something before it writes records; `wait` gets how many such writes it has begun. */
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
