/** Owns the numbers under which a load writes: those of its batches, and of the replays of what they refused. Pure. */

/** Numbers of a batch: the first is its own, the others those of the replays of its groups. */
export const REVISIONS_PER_BATCH = 20;

/**
 * Numbers that a load takes for its batches, so that two loads begun in the same moment share none.
 *
 * Limit: half a million batches; the whole register makes forty thousand. A load that makes more is refused.
 */
export const REVISIONS_PER_LOAD = 10_000_000;

/**
 * The revision under which groups of a batch are run again for the n-th time, from 1: each overwrites the one before.
 *
 * Limit: from the nineteenth time on nothing of it is written that the nineteenth has written otherwise.
 */
export function replayRevision(batchRevision: number, replay: number): number {
  return batchRevision + Math.min(replay, REVISIONS_PER_BATCH - 1);
}
