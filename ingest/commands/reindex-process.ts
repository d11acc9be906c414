/** Owns a reindex as one process runs it: under the lock, patient with engines that are away, telling how far it is. */
import { setTimeout as pause } from "node:timers/promises";
import type { CommandContext, CommandResult, GivenOptions } from "../../api/core/define-command.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { Lock } from "../../api/core/stores/redis-locks.ts";
import { patientStores } from "../patient-stores.ts";
import { REINDEX_LOCK, type ReindexObserver, type ReindexRun } from "../reindex/define-reindex.ts";
import { heldElsewhere, lockSeconds, patienceOf, showDocuments } from "./long-work.ts";

const LOCK_LOOK_MS = 500;

/** Runs the work while no other process reindexes. Throws CommandError when one does. */
export async function withReindexLock(
  context: CommandContext,
  stores: Stores,
  given: GivenOptions,
  work: (run: Omit<ReindexRun, "index">) => Promise<CommandResult>,
): Promise<CommandResult> {
  const lock = await acquire(context, stores, given.resume !== undefined);
  try {
    return await work({
      stores: patientStores(stores, patienceOf(context, "reindex")),
      lock,
      observer: observe(context),
      minPercent: context.config.COMPLETE_MIN_PERCENT,
      isForced: given.force !== undefined,
    });
  } finally {
    await lock.release().catch(() => undefined);
  }
}

/** Who goes on with a build that was killed waits as long as the one that was killed may still hold the lock. */
async function acquire({ config, tell }: CommandContext, { redis }: Stores, mayWait: boolean): Promise<Lock> {
  const until = performance.now() + config.LOCK_MS + LOCK_LOOK_MS;
  for (let isTold = false; ; isTold = true) {
    const lock = await redis.locks.acquire(REINDEX_LOCK);
    if (lock) return lock;
    if (!mayWait || performance.now() > until) throw heldElsewhere(config, "a reindex");
    if (!isTold)
      tell(
        `another reindex holds the lock; waiting ${lockSeconds(config)} s for it, should it have been killed`,
      );
    await pause(LOCK_LOOK_MS);
  }
}

function observe(context: CommandContext): ReindexObserver {
  return {
    onNote: context.tell,
    isStopping: context.isStopping,
    watch: (what, total) => showDocuments(context, what, total),
  };
}
