/** Owns how the indices of one name stand: which is live, which was, which is being built; and the clearing of remains. */
import type { NamedIndex } from "../../api/core/stores/elasticsearch-builds.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { IndexDefinition } from "../../index-mappings/define-index.ts";
import { fetchBuild, removeBuild, type Build } from "../log/followers.ts";
import { CommandError } from "../../api/core/errors.ts";

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
  /** What is reached as being built, also of a process that died between making the index and following for it. */
  next: NamedIndex[];
  /** Indices that are deleted when another one goes live: all but the live one and the one being built. */
  others: NamedIndex[];
}

/** How they stand now. */
export async function fetchStanding(stores: Stores, { name }: IndexDefinition): Promise<Standing> {
  const indices = await stores.elasticsearch.builds.list(name);
  const begun = (await fetchBuild(stores.mongo.documents, name)) ?? undefined;
  const reached = indices.filter(({ isLive }) => isLive);
  const [live] = reached;
  const next = indices.filter(({ isNext }) => isNext);
  // One whose name is not of the form that is given here is somebody else's.
  const others = indices.filter(({ isLive, isNext, version }) => !isLive && !isNext && version !== undefined);
  const [build, moved] = begun?._id === live?.name ? [undefined, begun] : [begun, undefined];
  return { live, reached, former: others.at(-1), build, moved, next, others };
}

/** The same. Throws CommandError when the alias leads to several indices: which is the live one, only a person can say. */
export async function requireStanding(stores: Stores, index: IndexDefinition): Promise<Standing> {
  const standing = await fetchStanding(stores, index);
  const { reached } = standing;
  if (reached.length <= 1) return standing;
  throw new CommandError(
    `the alias of ${index.name} leads to several indices: ${reached.map(({ name }) => name).join(", ")}; ` +
      "take it off all but one with Elasticsearch's _aliases, then run this again",
  );
}

/** Removes what broken-off builds have left, and returns the names of the indices. */
export async function discardBuild(stores: Stores, index: IndexDefinition): Promise<string[]> {
  const { build, moved, next } = await fetchStanding(stores, index);
  for (const one of [build, moved]) if (one) await removeBuild(stores.mongo.documents, one._id);
  for (const { name } of next) await stores.elasticsearch.builds.remove(name);
  return next.map(({ name }) => name);
}
