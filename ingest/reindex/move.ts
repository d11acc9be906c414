/**
 * Owns the ways of an index into use. A new one follows the change log until it has all that the live one has; then one
 * request moves the alias and deletes what is older than the former index. The former one goes live at once, and is then
 * brought up to date.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../api/core/errors.ts";
import type { AliasMove } from "../../api/core/stores/elasticsearch-builds.ts";
import { nextOf } from "../../index-mappings/define-index.ts";
import { findMismatches } from "../../index-mappings/name-rules.ts";
import { waitForLock } from "../load/kind-locks.ts";
import { fetchLastPosition, type Change } from "../log/changes.ts";
import { FOLLOW_LOCK, openLive } from "../log/follow-live.ts";
import { Following } from "../log/follow.ts";
import { fetchBuild, removeBuild } from "../log/followers.ts";
import { projectChanges } from "../projection/project.ts";
import { compareIndex, countDifferences, guardStop } from "../verify/compare-index.ts";
import { requireStanding, type ReindexRun, type Standing } from "./standing.ts";

// Between two looks whether a batch that was being written is.
const LOOK_MS = 100;

/**
 * Moves the alias to the new index. What batches write into the former index in this very moment the live indices follow
 * afterwards.
 *
 * Limit: until they have, which takes as long as a batch, a search does not find it.
 */
export async function takeIntoUse(run: ReindexRun, name: string, { live, others }: Standing): Promise<void> {
  const { stores, index, observer } = run;
  await guardLock(run);
  await catchUp(run);
  // Nobody follows for the live indices meanwhile: what they have, the build has then once it has caught up.
  const lock = await waitForLock(stores.redis, FOLLOW_LOCK, () => guardStop(observer));
  try {
    await catchUp(run);
    await moveOnce(run, { index: index.name, from: live?.name, to: name, isBuilt: true, remove: others });
    await followTo(run, openLive(stores));
    await removeBuild(stores.mongo.documents, name);
  } finally {
    await lock.release().catch(() => undefined);
  }
}

/** Which index would go live, and which would be the former one. Throws CommandError when there is no way back. */
export async function planBack(run: Pick<ReindexRun, "stores" | "index">) {
  const { index } = run;
  const { live, former, build } = await requireStanding(run);
  if (build) {
    throw new CommandError(
      `${build._id} is being built, or was broken off: end it first by ` +
        `\`npm run cli -- reindex ${index.name} --resume\` or --discard`,
    );
  }
  if (!former || !live) throw new CommandError(`${index.name} has no former index to go back to`);
  const [mismatch] = findMismatches([former]);
  if (mismatch) {
    const { found, expected } = mismatch;
    throw new CommandError(
      `${former.name} was built under version ${found} of the name rules, this release has version ${expected}: ` +
        "start the release that built it, and go back by that one",
    );
  }
  if (former.version !== undefined && former.version > index.version) {
    throw new CommandError(
      `${former.name} was built by a newer release, this one has version ${index.version}: go back by that one`,
    );
  }
  return { index: index.name, live: former.name, former: live.name };
}

/** Moves the alias back, then writes what has changed since; returns the plan, and how many documents that were. */
export async function goBack(run: ReindexRun) {
  const { stores, index, observer } = run;
  const plan = await planBack(run);
  const { moved } = await requireStanding(run);
  if (moved) await removeBuild(stores.mongo.documents, moved._id);
  await guardLock(run);
  await moveOnce(run, { index: index.name, from: plan.former, to: plan.live, isBuilt: false, remove: [] });
  observer.onNote(`${index.name}: ${plan.live} is live again`);
  const what = `bringing ${plan.live} up to date`;
  const { repaired } = await compareIndex(stores, index, { observer, what, isRepair: true });
  return { ...plan, repaired: countDifferences(repaired) };
}

/** An answer that was lost on the way is no failure: what counts is where the alias leads. */
async function moveOnce({ stores }: Pick<ReindexRun, "stores">, move: AliasMove): Promise<void> {
  try {
    await stores.elasticsearch.builds.move(move);
  } catch (error) {
    const indices = await stores.elasticsearch.builds.list(move.index);
    if (!indices.some(({ name, isLive }) => isLive && name === move.to)) throw error;
  }
}

/** Throws CommandError when the lock is not ours any more: Redis has lost its data, or this process stood still for long. */
async function guardLock({ lock }: Pick<ReindexRun, "lock">): Promise<void> {
  if (await lock.isHeld()) return;
  throw new CommandError("another reindex has begun meanwhile; nothing was moved");
}

/** Brings what has changed up to now to the index that is being built. Throws RefusedDocumentError. */
export async function catchUp(run: ReindexRun): Promise<void> {
  const { stores, index } = run;
  const fetchFollower = () => fetchBuild(stores.mongo.documents, index.name);
  const take = (changes: Change[]) => {
    const concerned = changes.filter(({ ids }) => ids[index.record.collection]);
    return projectChanges(stores, nextOf(index), concerned);
  };
  await followTo(run, new Following(stores, fetchFollower, take));
}

async function followTo(run: ReindexRun, following: Following): Promise<void> {
  const until = await fetchLastPosition(run.stores.mongo.documents);
  for (;;) {
    const position = await following.run();
    if (position === "") throw new CommandError("the build was given up by another process");
    if (position >= until) return;
    guardStop(run.observer);
    await sleep(LOOK_MS);
  }
}
