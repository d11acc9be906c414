/** Owns the following of the change log by an index that is being built, and by the live ones when it takes their place. */
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, RefusedDocumentError } from "../../api/core/errors.ts";
import { nextOf } from "../../index-mappings/define-index.ts";
import { fetchLastPosition } from "../log/changes.ts";
import { FOLLOW_LOCK, openLive } from "../log/follow-live.ts";
import { Following } from "../log/follow.ts";
import { fetchBuild } from "../log/followers.ts";
import { projectChanges } from "../projection/project.ts";
import { guardStop, type ReindexRun } from "./define-reindex.ts";

// Between two looks whether a batch that was being written is.
const LOOK_MS = 100;

/** Brings what has changed up to now to the index that is being built. Throws CommandError when it refuses some of it. */
export async function catchUp(run: ReindexRun): Promise<void> {
  const { stores, index } = run;
  const { documents } = stores.mongo;
  const next = nextOf(index);
  const following = new Following(
    stores,
    () => fetchBuild(documents, index.name),
    (changes) =>
      projectChanges(
        stores,
        next,
        changes.filter(({ ids }) => ids[index.record.collection]),
      ),
  );
  try {
    await followTo(run, following);
  } catch (error) {
    if (!(error instanceof RefusedDocumentError)) throw error;
    throw new CommandError(`the new index cannot be built: ${error.message}; the live index is untouched`);
  }
}

/**
 * Does something while nobody follows for the live indices: what they have, the build has then once it has caught up.
 */
export async function whileLiveRest<T>(run: ReindexRun, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const lock = await run.stores.redis.locks.acquire(FOLLOW_LOCK);
    if (lock) return work().finally(() => lock.release().catch(() => undefined));
    guardStop(run);
    await sleep(LOOK_MS);
  }
}

/** Brings what has changed to the live indices. */
export async function catchUpLive(run: ReindexRun): Promise<void> {
  await followTo(run, openLive(run.stores));
}

async function followTo(run: ReindexRun, following: Following): Promise<void> {
  const until = await fetchLastPosition(run.stores.mongo.documents);
  for (;;) {
    const position = await following.run();
    // Nothing to follow for: the build was given up.
    if (position === "" || position >= until) return;
    guardStop(run);
    await sleep(LOOK_MS);
  }
}
