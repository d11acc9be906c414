/**
 * Batches that a load has left to the workers: one that was stopped while they wrote, or killed. A load that was checked
 * against the register would have them write beside it, with what is no longer true of its records.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import { fetchLoad, loadLock } from "../history/loads.ts";
import { closeLeft } from "../log/changes.ts";
import {
  hasWorkers,
  listWriting,
  NO_WORKER,
  QUEUED,
  removeBatches,
  type BatchQueue,
} from "../queue/queue.ts";
import type { LoadRun } from "./open-file.ts";

const LOOK_MS = 250;

type WaitingRun = Pick<LoadRun, "context" | "stores" | "record"> & { queue: BatchQueue };

/**
 * Waits until no other load has a batch of these collections; call it under their locks. Those that no worker has begun are
 * removed: their load makes them again when it is resumed. Throws CommandError once the user has asked to stop.
 */
export async function waitForLeft(run: WaitingRun, collections: readonly string[]): Promise<void> {
  const { isStopping, tell } = run.context;
  for (let wait = 1; ; wait += 1) {
    const [load] = await removeLeft(run, collections);
    if (load === undefined) return;
    if (wait === 1)
      tell(
        (await hasWorkers(run.stores.redis, run.queue))
          ? `workers still write batches of load ${load}, which has ended; this load waits for them`
          : `${NO_WORKER}, then the load continues by itself: it waits for those of load ${load}, which has ended`,
      );
    if (isStopping())
      throw new CommandError(`stopped while it waited for batches of load ${load}; nothing was loaded`);
    await sleep(LOOK_MS);
  }
}

/** Removes what can be removed; returns the loads of which something is left. */
async function removeLeft(run: WaitingRun, collections: readonly string[]): Promise<string[]> {
  const { stores, record, queue } = run;
  const { redis } = stores;
  const left: string[] = [];
  for (const load of await listWriting(redis, queue)) {
    if (load === record._id || !(await isFilling(run, load, collections))) continue;
    // A killed load keeps its own lock a little longer than those of its kinds; a frozen one that wakes takes it again.
    const isAlive = (await redis.locks.list()).includes(loadLock(load));
    if (isAlive || (await removeBatches(redis, queue, load, QUEUED)) > 0) left.push(load);
    // Nobody runs them again, so followers would wait for what a worker that died had begun.
    else await closeLeft(stores.mongo.documents, { load });
  }
  return left;
}

async function isFilling({ stores }: WaitingRun, load: string, collections: readonly string[]) {
  const found = await fetchLoad(stores.mongo.documents, load);
  // Of a load that is not in MongoDB, which was restored meanwhile: its batches would bring back what the register had.
  if (!found) return true;
  return (found.surveyed ?? []).some(({ fills = [] }) => fills.some((name) => collections.includes(name)));
}
