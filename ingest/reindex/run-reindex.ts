/** Owns the reindex of one index, from its plan to the moved alias. */
import type { IndexBuilds, NamedIndex } from "../../api/core/stores/elasticsearch-builds.ts";
import { BuildGoneError, CommandError, UnavailableError } from "../../api/core/errors.ts";
import { formatBytes } from "../../api/core/format-bytes.ts";
import type { IndexDefinition } from "../../index-mappings/define-index.ts";
import { formatCount } from "../progress.ts";
import { addBuild, fetchLive, isFitting, type Build } from "../log/followers.ts";
import { StoppedError } from "../verify/compare-index.ts";
import { checkIndex } from "./check.ts";
import { resumeHint, type ReindexRun } from "./define-reindex.ts";
import { fillIndex } from "./fill.ts";
import { catchUp, takeIntoUse } from "./move.ts";
import { discardBuild, fetchStanding, requireStanding } from "./standing.ts";

// The new index and its merges, on top of the live one.
const ROOM_FACTOR = 1.2;
// Longest wait for the copies that the settings ask for: a whole register is copied in minutes.
const COPIES_MS = 30 * 60_000;
const COPIES_LOOK_MS = 10_000;

/**
 * Builds the index beside the live one, checks it and moves the alias. `isResumed`: goes on with the build that is
 * there; otherwise one that is there is removed first. Throws CommandError or CheckError with the live index untouched.
 */
export async function runReindex(run: ReindexRun, isResumed: boolean) {
  const startedAt = performance.now();
  const { stores, index, observer } = run;
  const { build: begun, next } = await requireStanding(stores, index);
  const build = isResumed ? takeUp(index, begun, next) : await begin(run);
  try {
    const filled = await fillIndex(run, build);
    await finishBuild(run, build);
    const { documents } = filled;
    observer.onNote(`${build._id} holds ${formatCount(documents)} documents; it is being checked`);
    await catchUp(run);
    const standing = await fetchStanding(stores, index);
    const checked = await checkIndex(run, build, { standing, filled, isResumed });
    const pruned = await takeIntoUse(run, build, standing);
    return {
      index: index.name,
      /** The index that is live now, and the one that was until now, kept for `--back`. */
      built: build._id,
      former: standing.live?.name ?? null,
      documents,
      ...checked,
      pruned,
      seconds: (performance.now() - startedAt) / 1_000,
    };
  } catch (error) {
    if (error instanceof StoppedError) throw new CommandError(`stopped; ${resumeHint(index.name)}`);
    if (error instanceof BuildGoneError)
      throw new CommandError(
        `${build._id} was deleted while it was being built; the live index is untouched`,
      );
    if (!(error instanceof UnavailableError)) throw error;
    throw new CommandError(`${error.message}; ${resumeHint(index.name)}`);
  }
}

/** What a reindex has come to. */
export type ReindexOutcome = Awaited<ReturnType<typeof runReindex>>;

async function begin(run: ReindexRun): Promise<Build> {
  const { stores, index, observer } = run;
  for (const name of await discardBuild(stores, index)) observer.onNote(`${name}, broken off, was removed`);
  await lookAtRoom(run, true);
  const built = await stores.elasticsearch.builds.create(index, new Date());
  // All changes up to here are in MongoDB, where the scan finds them; those behind follow when it has ended.
  const { position } = await fetchLive(stores.mongo.documents);
  const build = await addBuild(stores.mongo.documents, index, { _id: built, position });
  observer.onNote(`${index.name}: ${built} is being built; what is written meanwhile follows`);
  return build;
}

/** Throws CommandError when there is nothing to go on with, or it is not fit to be gone on with. */
function takeUp(index: IndexDefinition, build: Build | undefined, next: readonly NamedIndex[]): Build {
  const anew = `run \`npm run cli -- reindex ${index.name}\` without --resume`;
  if (!build) throw new CommandError(`no build of ${index.name} was broken off: ${anew}`);
  if (!isFitting(build, index))
    throw new CommandError(`${build._id} was begun by a release with another version of it: ${anew}`);
  if (!next.some(({ name }) => name === build._id))
    throw new CommandError(`${build._id} is not there any more: ${anew}`);
  return build;
}

/** Settings as they are to be, and every copy, before anything is compared. */
async function finishBuild(run: ReindexRun, build: Build): Promise<void> {
  const { builds } = run.stores.elasticsearch;
  await builds.finish(run.index, build._id);
  for (const until = performance.now() + COPIES_MS; ;) {
    if (await builds.waitForCopies(build._id, COPIES_LOOK_MS)) return;
    if (run.observer.isStopping() || performance.now() > until) {
      throw new CommandError(
        `the copies of ${build._id} that its settings ask for are not there; ${resumeHint(run.index.name)}`,
      );
    }
  }
}

/**
 * What a reindex would do, for people, and for machines. Throws CommandError when it could not. `isAnew`: an index more
 * would be made.
 */
export async function planReindex(run: Pick<ReindexRun, "stores" | "index">, isAnew: boolean) {
  const { stores, index } = run;
  const room = await lookAtRoom(run, isAnew);
  const { live, build, others } = await requireStanding(stores, index);
  const { collection } = index.record;
  return {
    index: index.name,
    version: index.version,
    live: live?.name ?? null,
    // As the store keeps count by itself: a true count would read everything.
    records: (await stores.mongo.health.fetchSizes([collection])).get(collection)?.records ?? 0,
    broken_off: build?._id ?? null,
    pruned: others.map(({ name }) => name),
    room,
  };
}

interface RoomAsked {
  index: IndexDefinition;
  stores: { elasticsearch: { builds: Pick<IndexBuilds, "fetchRoom"> } };
}

/**
 * What one more index of this size needs, and what there is, for people. Nodes that do not tell have room. `isAnew`: one
 * more is made. Throws CommandError when it would not fit.
 */
export async function lookAtRoom({ stores, index }: RoomAsked, isAnew: boolean): Promise<string> {
  const { usedBytes, freeBytes = Infinity } = await stores.elasticsearch.builds.fetchRoom(index.name);
  const needed = Math.ceil(usedBytes * ROOM_FACTOR);
  const free = freeBytes === Infinity ? "free not known" : `${formatBytes(freeBytes)} free`;
  const told = `${formatBytes(needed)} of disk needed, ${free}`;
  if (!isAnew || needed <= freeBytes) return told;
  throw new CommandError(
    `the new index of ${index.name} does not fit: ${told}; make room, or delete from Elasticsearch the former ` +
      "index, which `npm run cli -- status` shows as reached by no alias",
  );
}
