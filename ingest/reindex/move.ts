/** Owns the step in which a new index goes live: one request moves the alias and deletes what is older than the former index. */
import { CommandError } from "../../api/core/errors.ts";
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import type { AliasMove } from "../../api/core/stores/elasticsearch-builds.ts";
import { fetchBuild, noteState, withdraw, type Announcement } from "../announcements.ts";
import type { ReindexRun, Standing } from "./define-reindex.ts";
import { guardBuild } from "./fill.ts";

/** Moves the alias to the new index; returns the names of the indices that were deleted. */
export async function takeIntoUse(
  run: ReindexRun,
  build: Announcement,
  { live, others }: Standing,
): Promise<string[]> {
  const { stores, index } = run;
  const { documents } = stores.mongo;
  await guardLock(run);
  // Who spoils the build from here on sees that it moves, and waits; who has spoiled it before is seen now.
  await noteState(documents, build._id, "moving");
  const removed = others.map(({ name }) => name);
  try {
    await guardBuild(run, build);
    await moveOnce(run, {
      ...{ index: index.name, from: live?.name, to: build._id, isBuilt: true, remove: removed },
    });
  } catch (error) {
    // What went wrong first is told; a state that could not be put back is by --resume.
    await noteBuilding(documents, build._id).catch(() => undefined);
    throw error;
  }
  await withdraw(documents, build._id);
  return removed;
}

async function noteBuilding(documents: DocumentStore, id: string): Promise<void> {
  if (await fetchBuild(documents, id)) await noteState(documents, id, "building");
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
