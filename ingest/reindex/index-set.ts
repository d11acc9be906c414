/**
 * The indices of one name: which is live, which is being built, and how the alias moves. A new index goes live once it
 * has followed the change log, in one request that also deletes the indices older than the one it replaces.
 * `reindex --back` makes the former index live at once, and updates it afterwards.
 */
import { formatCount } from "../../api/shared/runtime/format.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, isPassing, messageOf } from "../../api/shared/runtime/errors.ts";
import type { AliasMove } from "../../api/shared/stores/elasticsearch/builds.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { Lock } from "../../api/shared/stores/redis/locks.ts";
import { nextOf, type IndexDefinition } from "../../api/shared/definitions/define-index.ts";
import { findMismatches } from "../../index-mappings/name-rules.ts";
import { NAMES_VERSION } from "../../index-mappings/names/mapping.ts";
import { waitForLock } from "../load/kind-locks.ts";
import { fetchLastPosition, type Change } from "../log/changes.ts";
import { FOLLOW_LOCK, LogFollower, openLive } from "../log/log-follower.ts";
import { fetchBuild, removeBuild } from "../log/followers.ts";
import { projectChanges, projectLive } from "../projection/project.ts";
import { compareIndex, countDifferences } from "../verify/compare-index.ts";
import { guardStop, StoppedError, type Observer } from "../verify/observer.ts";

// How often it checks whether running batches are written.
const LOOK_MS = 100;

export interface OneIndex {
  stores: Stores;
  index: IndexDefinition;
}

export interface ReindexRun extends OneIndex {
  /** The reindex lock, held during the whole run. */
  lock: Lock;
  observer: Observer;
  /** The least share of the live index's documents that the new one must have, in percent. */
  minPercent: number;
}

/** The lock that lets one process at a time build indices or move aliases. */
export const REINDEX_LOCK = "reindex";

// The command names no index: builds of other indices wait, too.
const RESUME = "`npm run cli -- reindex --resume` continues";
export const RESUME_HINT = `the live index is untouched; ${RESUME}, --discard deletes the build`;

function repairOf({ name }: IndexDefinition): string {
  return `\`npm run cli -- verify --index ${name} --repair\``;
}

/**
 * Why an index must not go live: it has far fewer documents than the live one. Undefined: it has enough. `what`: the
 * beginning of the message, which says how many it has.
 */
export function describeTooFew(
  what: string,
  { documents, live, minPercent }: { documents: number; live: number; minPercent: number },
): string | undefined {
  if (documents * 100 >= live * minPercent) return undefined;
  return (
    `${what}, the live index has ${formatCount(live)}: ` +
    `less than COMPLETE_MIN_PERCENT (${minPercent} %); --force continues anyway`
  );
}

/** A new index failed its check, before any went live. */
export class CheckError extends CommandError {
  constructor(message: string) {
    super(`${message}. ${RESUME_HINT.replace("the", "The")}`);
  }
}

/** The indices of one name, oldest first. */
export async function fetchIndexSet({ stores, index }: OneIndex) {
  const indices = await stores.elasticsearch.builds.list(index.name);
  const begun = await fetchBuild(stores.mongo.documents, index.name);
  /** All indices that the alias points to: several only if someone changed it by hand. */
  const reached = indices.filter(({ isLive }) => isLive);
  const [live] = reached;
  // An index with another form of name belongs to someone else.
  const others = indices.filter(({ isLive, isNext, version }) => !isLive && !isNext && version !== undefined);
  const isMoved = begun?._id === live?.name;
  return {
    live,
    reached,
    former: others.at(-1),
    build: isMoved ? undefined : begun,
    /** A build that is already live: the process that moved the alias died before it removed the follower. */
    moved: isMoved ? begun : undefined,
    /** Names of indices being built, even if the process died before it stored a follower. */
    next: indices.filter(({ isNext }) => isNext).map(({ name }) => name),
    /** Names of indices that are deleted when another goes live. */
    others: others.map(({ name }) => name),
  };
}

export type IndexSet = Awaited<ReturnType<typeof fetchIndexSet>>;

/** Throws CommandError when the alias points to several indices: only a person can say which is live. */
export async function requireIndexSet(one: OneIndex): Promise<IndexSet> {
  const standing = await fetchIndexSet(one);
  if (standing.reached.length <= 1) return standing;
  throw new CommandError(
    `the alias of ${one.index.name} points to several indices: ${standing.reached.map(({ name }) => name).join(", ")}; ` +
      "remove it from all but one with Elasticsearch's _aliases, then run this again",
  );
}

/** Removes interrupted builds; returns the names of their indices. */
export async function discardBuild(one: OneIndex): Promise<string[]> {
  const { mongo, elasticsearch } = one.stores;
  const { build, moved = build, next } = await fetchIndexSet(one);
  if (moved) await removeBuild(mongo.documents, moved._id);
  for (const name of next) await elasticsearch.builds.remove(name);
  return next;
}

/** Moves the alias. Limit: documents that batches write to the former index at that moment are found a little later. */
export async function makeLive(run: ReindexRun, name: string, { live, others }: IndexSet): Promise<void> {
  const { stores, index, observer } = run;
  await guardLock(run);
  await catchUp(run);
  // With this lock no other process updates the live indices, so a build that has caught up has all that they have.
  const lock = await waitForLock(stores.redis, FOLLOW_LOCK, () => guardStop(observer));
  try {
    await catchUp(run);
    const move = { index: index.name, from: live?.name, to: name, isBuilt: true, remove: others };
    await moveOnce(run, move, `if it is not, ${RESUME}`);
    await afterMove(run, name);
  } finally {
    await lock.release().catch(() => undefined);
  }
}

/** Brings the new live index up to date. If a store is unavailable or the user stops the command, the workers do it. */
async function afterMove(run: ReindexRun, name: string): Promise<void> {
  const { stores, index, observer, lock } = run;
  // Takes the lock again if Redis has lost it: while it is held, the end of a load leaves the build alone.
  await lock.isHeld().catch(() => false);
  let isBuildDone = false;
  try {
    // If Redis lost the lock, workers may have applied changes to the former index that the build does not have.
    await followTo(
      run,
      openBuild(run, (changes) => projectLive(stores, changes)),
    );
    isBuildDone = true;
    await followTo(run, openLive(stores));
    await removeBuild(stores.mongo.documents, name);
  } catch (error) {
    if (!(isPassing(error) || error instanceof StoppedError)) throw error;
    const note = `${index.name}: ${name} is live; the workers bring it up to date`;
    const unless = `; if Redis lost its locks just before, run ${repairOf(index)}`;
    observer.onNote(isBuildDone ? note : note + unless);
    // If this fails, the end of the next load removes the follower.
    await removeBuild(stores.mongo.documents, name).catch(() => undefined);
  }
}

/** Which index `reindex --back` would make live, and which it would replace. Throws CommandError if it cannot. */
export async function planBack(run: OneIndex & Pick<ReindexRun, "minPercent">) {
  const { stores, index, minPercent } = run;
  const { live, former, build } = await requireIndexSet(run);
  const end = `\`npm run cli -- reindex ${index.name} --resume\` or --discard`;
  if (build)
    throw new CommandError(`${build._id} is being built, or was interrupted: end it first with ${end}`);
  if (!former || !live) throw new CommandError(`${index.name} has no former index to go back to`);
  const [mismatch] = findMismatches([former]);
  if (mismatch)
    throw new CommandError(
      `${former.name} was built under version ${mismatch.found} of the name rules, this release has version ` +
        `${NAMES_VERSION}: go back with the release that built it`,
    );
  if (former.version !== undefined && former.version > index.version)
    throw new CommandError(
      `${former.name} was built by a newer release, this one has version ${index.version}: go back with that one`,
    );
  // The former index is brought up to date only once it is live; until then searches find what it has now.
  const { builds } = stores.elasticsearch;
  const counts = [await builds.countDocuments(former.name), await builds.countDocuments(live.name)] as const;
  const has = `${former.name} has ${formatCount(counts[0])} documents`;
  const fault = describeTooFew(has, { documents: counts[0], live: counts[1], minPercent });
  if (fault) throw new CommandError(fault);
  return { index: index.name, live: former.name, former: live.name };
}

/**
 * Moves the alias back and applies what has changed since. Returns the plan, and how many documents were repaired.
 * Throws CommandError, which says how to go on, when the index is live but not up to date.
 */
export async function goBack(run: ReindexRun) {
  const { stores, index, observer } = run;
  const plan = await planBack(run);
  const { moved } = await fetchIndexSet(run);
  if (moved) await removeBuild(stores.mongo.documents, moved._id);
  await guardLock(run);
  const repair = repairOf(index);
  const move = { index: index.name, from: plan.former, to: plan.live, isBuilt: false, remove: [] };
  await moveOnce(run, move, `if it is, run ${repair}`);
  // Noted before the work, since a process that is killed cannot report.
  observer.onNote(`${index.name}: ${plan.live} is live; bringing it up to date, as ${repair} would`);
  const what = `bringing ${plan.live} up to date`;
  const comparison = compareIndex(stores, index, { observer, what, isRepair: true });
  const { repaired } = await comparison.catch((error: unknown) => {
    const message = `${messageOf(error)}; ${plan.live} is live, but not up to date: run ${repair}`;
    throw new CommandError(message, { cause: error });
  });
  return { ...plan, repaired: countDifferences(repaired) };
}

/** Moves the alias. If the answer is lost, it looks where the alias points. `advice`: what to do if that fails, too. */
async function moveOnce({ stores }: OneIndex, move: AliasMove, advice: string): Promise<void> {
  try {
    await stores.elasticsearch.builds.move(move);
  } catch (error) {
    const listed = stores.elasticsearch.builds.list(move.index);
    const indices = await listed.catch((away: unknown) => {
      const look = `${move.to} may be live or not: \`npm run cli -- status\` shows whether it is; ${advice}`;
      throw new CommandError(`${messageOf(away)}; ${look}`, { cause: away });
    });
    if (!indices.some(({ name, isLive }) => isLive && name === move.to)) throw error;
  }
}

/** Throws CommandError when the lock is lost: Redis lost its data, or this process paused for long. */
async function guardLock({ index, lock }: ReindexRun): Promise<void> {
  if (await lock.isHeld()) return;
  throw new CommandError(`another reindex has started meanwhile; the alias of ${index.name} was not moved`);
}

/** Applies all changes up to now to the index being built. Throws RefusedDocumentError. */
export async function catchUp(run: ReindexRun): Promise<void> {
  const { stores, index } = run;
  const position = await followTo(
    run,
    openBuild(run, (changes) => projectChanges(stores, nextOf(index), changes)),
  );
  if (position === "") throw new CommandError("another process has discarded the build");
}

/** The follower of a build. `take`: applies changes of the index's records. */
function openBuild({ stores, index }: OneIndex, take: (changes: Change[]) => Promise<unknown>): LogFollower {
  const fetchFollower = () => fetchBuild(stores.mongo.documents, index.name);
  return new LogFollower(stores, fetchFollower, (changes) =>
    take(changes.filter(({ ids }) => ids[index.record.collection])),
  );
}

/** Follows all changes up to now. Returns the position reached; empty if the follower is gone. */
async function followTo({ stores, observer }: ReindexRun, following: LogFollower): Promise<string> {
  const until = await fetchLastPosition(stores.mongo.documents);
  // Ends there: while a load runs, new changes never stop.
  const isEnough = (position: string) => position >= until || observer.isStopping();
  for (;;) {
    const position = await following.run(isEnough);
    if (position === "" || position >= until) return position;
    guardStop(observer);
    await sleep(LOOK_MS);
  }
}
