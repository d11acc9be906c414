/** Owns how the indices of one name stand: which is live, which was, which is being built; and the clearing of remains. */
import type { NamedIndex } from "../../api/core/stores/elasticsearch-builds.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { IndexDefinition } from "../../index-mappings/define-index.ts";
import { fetchBuild, removeBuild, type Build } from "../log/followers.ts";
import { CommandError } from "../../api/core/errors.ts";

/** The indices of one name as a reindex finds them. */
export interface Standing {
  live: NamedIndex | undefined;
  /** Further ones behind the same alias, put there by hand; searches find both. */
  alsoLive: NamedIndex[];
  /** The one that was live before. */
  former: NamedIndex | undefined;
  /** What is being built. */
  build: Build | undefined;
  /** Indices that are deleted when another one goes live: all but the live one and the one being built. */
  others: NamedIndex[];
}

/** How they stand now. A build that the alias leads to already is over. */
export async function fetchStanding(stores: Stores, { name }: IndexDefinition): Promise<Standing> {
  const { list } = stores.elasticsearch.builds;
  const [indices, begun] = [await list(name), await fetchBuild(stores.mongo.documents, name)];
  const [live, ...alsoLive] = indices.filter(({ isLive }) => isLive);
  const build = begun && begun._id !== live?.name ? begun : undefined;
  // One whose name is not of the form that is given here is somebody else's.
  const others = indices.filter(({ isLive, isNext, version }) => !isLive && !isNext && version !== undefined);
  return { live, alsoLive, former: others.at(-1), build, others };
}

/** Throws CommandError when the alias leads to several indices: which of them is the live one, only a person can say. */
export function requireOneLive({ live, alsoLive }: Standing, { name }: IndexDefinition): void {
  if (!live || alsoLive.length === 0) return;
  throw new CommandError(
    `the alias of ${name} leads to several indices: ${[live, ...alsoLive].map((one) => one.name).join(", ")}; ` +
      "take it off all but one with Elasticsearch's _aliases, then run this again",
  );
}

/** Ends a build whose alias was moved by a process that died before it could. */
export async function settleMoved(stores: Stores, { name }: IndexDefinition): Promise<void> {
  const build = await fetchBuild(stores.mongo.documents, name);
  if (!build) return;
  const indices = await stores.elasticsearch.builds.list(name);
  if (indices.some((one) => one.isLive && one.name === build._id))
    await removeBuild(stores.mongo.documents, build._id);
}

/**
 * Removes what broken-off builds have left, and returns the names of the indices.
 */
export async function discardBuild(stores: Stores, index: IndexDefinition): Promise<string[]> {
  const { build } = await fetchStanding(stores, index);
  if (build) await removeBuild(stores.mongo.documents, build._id);
  // Also of a process that died between making the index and following for it.
  const left = (await stores.elasticsearch.builds.list(index.name)).filter(({ isNext }) => isNext);
  for (const { name } of left) await stores.elasticsearch.builds.remove(name);
  return left.map(({ name }) => name);
}
