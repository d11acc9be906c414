/**
 * Owns how the indices of one name stand, and how they get into use: a new one when it has followed the change log, in one
 * request that deletes what is older than the former index; the former one at once, and is then brought up to date.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../api/core/errors.ts";
import type { AliasMove } from "../../api/core/stores/elasticsearch-builds.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { Lock } from "../../api/core/stores/redis-locks.ts";
import { nextOf, type IndexDefinition } from "../../index-mappings/define-index.ts";
import { findMismatches } from "../../index-mappings/name-rules.ts";
import { waitForLock } from "../load/kind-locks.ts";
import { fetchLastPosition, type Change } from "../log/changes.ts";
import { FOLLOW_LOCK, Following, openLive } from "../log/follow.ts";
import { fetchBuild, removeBuild } from "../log/followers.ts";
import { projectChanges } from "../projection/project.ts";
import { compareIndex, countDifferences, guardStop, type Observer } from "../verify/compare-index.ts";

// Between two looks whether a batch that was being written is.
const LOOK_MS = 100;

export interface OneIndex {
  stores: Stores;
  index: IndexDefinition;
}

/** What one index's reindex needs. */
export interface ReindexRun extends OneIndex {
  /** Held as long as the run lasts. */
  lock: Lock;
  observer: Observer;
  /** Least share of the live index's documents that the new one must hold, in percent; 0: it may hold however few. */
  minPercent: number;
}

/** Lock of whoever builds and moves: one for all indices. */
export const REINDEX_LOCK = "reindex";

/** Says how to go on with a build. */
export function resumeHint(index: string): string {
  return `the live index is untouched; \`npm run cli -- reindex ${index} --resume\` goes on, --discard gives it up`;
}

/** The new index is not what it should be: nothing has been moved. */
export class CheckError extends CommandError {
  constructor({ name }: IndexDefinition, message: string) {
    super(`${message}. ${resumeHint(name).replace("the", "The")}`);
  }
}

/** The indices of one name, the oldest first, as a reindex finds them. */
export async function fetchStanding({ stores, index }: OneIndex) {
  const indices = await stores.elasticsearch.builds.list(index.name);
  const begun = await fetchBuild(stores.mongo.documents, index.name);
  /** All that the alias leads to: more than one where somebody has put them there by hand. */
  const reached = indices.filter(({ isLive }) => isLive);
  const [live] = reached;
  // One whose name is not of the form that is given here is somebody else's.
  const others = indices.filter(({ isLive, isNext, version }) => !isLive && !isNext && version !== undefined);
  const next = indices.filter(({ isNext }) => isNext);
  const isMoved = begun?._id === live?.name;
  return {
    live,
    reached,
    former: others.at(-1),
    /** What is being built. */
    build: isMoved ? undefined : begun,
    /** A build that is live: the process that moved the alias died before it could end it. */
    moved: isMoved ? begun : undefined,
    /** Names of what is reached as being built, also where the process that made it died before it could follow for it. */
    next: next.map(({ name }) => name),
    /** Names of what is deleted when another one goes live. */
    others: others.map(({ name }) => name),
  };
}

export type Standing = Awaited<ReturnType<typeof fetchStanding>>;

/** The same. Throws CommandError when the alias leads to several indices: which is the live one, only a person can say. */
export async function requireStanding(one: OneIndex): Promise<Standing> {
  const standing = await fetchStanding(one);
  if (standing.reached.length <= 1) return standing;
  throw new CommandError(
    `the alias of ${one.index.name} leads to several indices: ${standing.reached.map(({ name }) => name).join(", ")}; ` +
      "take it off all but one with Elasticsearch's _aliases, then run this again",
  );
}

/** Removes what broken-off builds have left, and returns the names of the indices. */
export async function discardBuild(one: OneIndex): Promise<string[]> {
  const { mongo, elasticsearch } = one.stores;
  const { build, moved = build, next } = await fetchStanding(one);
  if (moved) await removeBuild(mongo.documents, moved._id);
  for (const name of next) await elasticsearch.builds.remove(name);
  return next;
}

/** Moves the alias. Limit: what batches write into the former index just then is found once the live indices have followed it. */
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
export async function planBack(run: OneIndex) {
  const { index } = run;
  const { live, former, build } = await requireStanding(run);
  const end = `\`npm run cli -- reindex ${index.name} --resume\` or --discard`;
  if (build) throw new CommandError(`${build._id} is being built, or was broken off: end it first by ${end}`);
  if (!former || !live) throw new CommandError(`${index.name} has no former index to go back to`);
  const [mismatch] = findMismatches([former]);
  if (mismatch)
    throw new CommandError(
      `${former.name} was built under version ${mismatch.found} of the name rules, this release has version ` +
        `${mismatch.expected}: start the release that built it, and go back by that one`,
    );
  if (former.version !== undefined && former.version > index.version)
    throw new CommandError(
      `${former.name} was built by a newer release, this one has version ${index.version}: go back by that one`,
    );
  return { index: index.name, live: former.name, former: live.name };
}

/** Moves the alias back, then writes what has changed since; returns the plan, and how many documents that were. */
export async function goBack(run: ReindexRun) {
  const { stores, index, observer } = run;
  const plan = await planBack(run);
  const { moved } = await fetchStanding(run);
  if (moved) await removeBuild(stores.mongo.documents, moved._id);
  await guardLock(run);
  await moveOnce(run, { index: index.name, from: plan.former, to: plan.live, isBuilt: false, remove: [] });
  observer.onNote(`${index.name}: ${plan.live} is live again`);
  const what = `bringing ${plan.live} up to date`;
  const { repaired } = await compareIndex(stores, index, { observer, what, isRepair: true });
  return { ...plan, repaired: countDifferences(repaired) };
}

/** An answer that was lost on the way is no failure: what counts is where the alias leads. */
async function moveOnce({ stores }: OneIndex, move: AliasMove): Promise<void> {
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

async function followTo({ stores, observer }: ReindexRun, following: Following): Promise<void> {
  const until = await fetchLastPosition(stores.mongo.documents);
  for (;;) {
    const position = await following.run();
    if (position >= until) return;
    if (position === "") throw new CommandError("the build was given up by another process");
    guardStop(observer);
    await sleep(LOOK_MS);
  }
}
