/** Owns the numbers under which a load writes: those of its batches, and of the replays of what they refused. Pure. */

/**
 * Numbers of a batch: the first is its own, the others those of the replays of its groups. They are microseconds of the clock
 * from the one that the load drew as it began. None is reserved: a batch takes longer than its numbers last, so that a load
 * that begins later is ahead of all of them.
 */
export const REVISIONS_PER_BATCH = 20;

/**
 * The revision under which groups of a batch are run again for the n-th time, from 1: each overwrites the one before.
 *
 * Limit: from the nineteenth time on nothing of it is written that the nineteenth has written otherwise.
 */
export function replayRevision(batchRevision: number, replay: number): number {
  return batchRevision + Math.min(replay, REVISIONS_PER_BATCH - 1);
}
