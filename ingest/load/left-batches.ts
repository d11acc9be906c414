/**
 * Handles batches that a load has left in the queue or with workers, because it was stopped while they wrote, or
 * killed. Such a batch relies on the register as it was when its load began, so it must not be written beside a later
 * load.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import { fetchLoad, loadLock } from "../history/loads.ts";
import { closeUnfinishedChanges } from "../log/changes.ts";
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
 * Waits until no other load has a batch of these collections; call it while holding their locks. Batches that no worker
 * has begun are removed; their load makes them again when it is resumed. Throws CommandError once the user has asked to
 * stop.
 */
export async function waitForLeftBatches(run: WaitingRun, collections: readonly string[]): Promise<void> {
  const { isStopping, tell } = run.context;
  for (let wait = 1; ; wait += 1) {
    const [load] = await removeLeft(run, collections);
    if (load === undefined) return;
    if (wait === 1)
      tell(
        (await hasWorkers(run.stores.redis, run.queue))
          ? `workers still write batches of load ${load}, which has ended; this load waits for them`
          : `${NO_WORKER}, then the load continues by itself: it waits for batches of load ${load}, which has ended`,
      );
    if (isStopping())
      throw new CommandError(`stopped while it waited for batches of load ${load}; nothing was loaded`);
    await sleep(LOOK_MS);
  }
}

/** Removes batches that no worker has begun. Returns the loads with batches left, or whose process may be alive. */
async function removeLeft(run: WaitingRun, collections: readonly string[]): Promise<string[]> {
  const { stores, record, queue } = run;
  const { redis } = stores;
  const left: string[] = [];
  for (const load of await listWriting(redis, queue)) {
    if (load === record._id || !(await isFilling(run, load, collections))) continue;
    // The own lock of a killed load may expire after those of its kinds. A frozen process that wakes takes it again.
    const isAlive = (await redis.locks.list()).includes(loadLock(load));
    if (isAlive || (await removeBatches(redis, queue, load, QUEUED)) > 0) left.push(load);
    // Followers would wait for the changes that a dead worker left open, since nobody runs these batches again.
    else await closeUnfinishedChanges(stores.mongo.documents, { load });
  }
  return left;
}

async function isFilling({ stores }: WaitingRun, load: string, collections: readonly string[]) {
  const found = await fetchLoad(stores.mongo.documents, load);
  // Counts, too, if a restored MongoDB lacks the load: its batches would bring back data from before the restore.
  if (!found) return true;
  return (found.surveyed ?? []).some(({ fills = [] }) => fills.some((name) => collections.includes(name)));
}
