/** Owns what the steps of a reindex share: the run, its lock and faults, and how the indices of one name stand. */
import { CommandError } from "../../api/core/errors.ts";
import type { NamedIndex } from "../../api/core/stores/elasticsearch-builds.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { Lock } from "../../api/core/stores/redis-locks.ts";
import type { IndexDefinition } from "../../index-mappings/define-index.ts";
import { fetchBuild, removeBuild, type Build } from "../log/followers.ts";
import type { Observer } from "../verify/compare-index.ts";

/** What one index's reindex needs. */
export interface ReindexRun {
  stores: Stores;
  index: IndexDefinition;
  /** Held as long as the run lasts. */
  lock: Lock;
  observer: Observer;
  /** Least share of the live index's documents that the new one must hold, in percent; 0: it may hold however few. */
  minPercent: number;
}

/** Lock of whoever builds and moves: one for all indices. */
export const REINDEX_LOCK = "reindex";

/** The new index is not what it should be: nothing has been moved. */
export class CheckError extends CommandError {}

/** A sentence that says how to go on with a build. */
export function resumeHint(index: string): string {
  return `the live index is untouched; \`npm run cli -- reindex ${index} --resume\` goes on, --discard gives it up`;
}

/** The indices of one name as a reindex finds them. */
export interface Standing {
  live: NamedIndex | undefined;
  /** All that the alias leads to: more than the live one where somebody has put them there by hand. */
  reached: NamedIndex[];
  /** The one that was live before. */
  former: NamedIndex | undefined;
  /** What is being built. */
  build: Build | undefined;
  /** A build that is live: it is over, though the process that moved the alias died before it could end it. */
  moved: Build | undefined;
  /** Names of what is reached as being built, also of a process that died between making the index and following for it. */
  next: string[];
  /** Names of indices that are deleted when another one goes live: all but the live one and the one being built. */
  others: string[];
}

/** How they stand now. */
export async function fetchStanding(stores: Stores, { name }: IndexDefinition): Promise<Standing> {
  const indices = await stores.elasticsearch.builds.list(name);
  const begun = (await fetchBuild(stores.mongo.documents, name)) ?? undefined;
  const reached = indices.filter(({ isLive }) => isLive);
  const [live] = reached;
  // One whose name is not of the form that is given here is somebody else's.
  const others = indices.filter(({ isLive, isNext, version }) => !isLive && !isNext && version !== undefined);
  const [build, moved] = begun?._id === live?.name ? [undefined, begun] : [begun, undefined];
  const next = indices.filter(({ isNext }) => isNext);
  return { live, reached, former: others.at(-1), build, moved, next: toNames(next), others: toNames(others) };
}

function toNames(indices: readonly NamedIndex[]): string[] {
  return indices.map(({ name }) => name);
}

/** The same. Throws CommandError when the alias leads to several indices: which is the live one, only a person can say. */
export async function requireStanding({
  stores,
  index,
}: Pick<ReindexRun, "stores" | "index">): Promise<Standing> {
  const standing = await fetchStanding(stores, index);
  if (standing.reached.length <= 1) return standing;
  throw new CommandError(
    `the alias of ${index.name} leads to several indices: ${toNames(standing.reached).join(", ")}; ` +
      "take it off all but one with Elasticsearch's _aliases, then run this again",
  );
}

/** Removes what broken-off builds have left, and returns the names of the indices. */
export async function discardBuild({
  stores,
  index,
}: Pick<ReindexRun, "stores" | "index">): Promise<string[]> {
  const { build, moved, next } = await fetchStanding(stores, index);
  for (const one of [build, moved]) if (one) await removeBuild(stores.mongo.documents, one._id);
  for (const name of next) await stores.elasticsearch.builds.remove(name);
  return next;
}
