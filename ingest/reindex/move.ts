/** Owns the step in which a new index goes live: one request moves the alias and deletes what is older than the former index. */
import { CommandError } from "../../api/core/errors.ts";
import type { AliasMove } from "../../api/core/stores/elasticsearch-builds.ts";
import { removeBuild, type Build } from "../log/followers.ts";
import type { ReindexRun, Standing } from "./define-reindex.ts";
import { catchUp, catchUpLive, whileLiveRest } from "./catch-up.ts";
import { guardBuild } from "./fill.ts";

/**
 * Moves the alias to the new index; returns the names of the indices that were deleted. What batches write into the former
 * index in this very moment the live indices follow afterwards.
 *
 * Limit: until they have, which takes as long as a batch, a search does not find it.
 */
export async function takeIntoUse(run: ReindexRun, build: Build, standing: Standing): Promise<string[]> {
  await guardLock(run);
  await catchUp(run);
  return whileLiveRest(run, () => moveTo(run, build, standing));
}

async function moveTo(run: ReindexRun, build: Build, { live, others }: Standing): Promise<string[]> {
  await catchUp(run);
  await guardBuild(run, build);
  const removed = others.map(({ name }) => name);
  await moveOnce(run, {
    ...{ index: run.index.name, from: live?.name, to: build._id, isBuilt: true, remove: removed },
  });
  await catchUpLive(run);
  await removeBuild(run.stores.mongo.documents, build._id);
  return removed;
}

/** An answer that was lost on the way is no failure: what counts is where the alias leads. */
export async function moveOnce({ stores }: Pick<ReindexRun, "stores">, move: AliasMove): Promise<void> {
  try {
    await stores.elasticsearch.builds.move(move);
  } catch (error) {
    const indices = await stores.elasticsearch.builds.list(move.index);
    if (!indices.some(({ name, isLive }) => isLive && name === move.to)) throw error;
  }
}

/** Throws CommandError when the lock is not ours any more: Redis has lost its data, or this process stood still for long. */
export async function guardLock({ lock }: Pick<ReindexRun, "lock">): Promise<void> {
  if (await lock.isHeld()) return;
  throw new CommandError("another reindex has begun meanwhile; nothing was moved");
}
