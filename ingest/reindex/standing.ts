/** Owns how the indices of one name stand: which is live, which was, which is being built; and the clearing of remains. */
import type { Stores } from "../../api/core/stores/index.ts";
import type { IndexDefinition } from "../../index-mappings/define-index.ts";
import { fetchAnnouncement, withdraw } from "../announcements.ts";
import type { Standing } from "./define-reindex.ts";

/** How they stand now. A build whose alias has been moved already is over, whatever its announcement says. */
export async function fetchStanding(stores: Stores, { name }: IndexDefinition): Promise<Standing> {
  const { list } = stores.elasticsearch.builds;
  const [indices, announced] = [await list(name), await fetchAnnouncement(stores.mongo.documents, name)];
  const live = indices.find(({ isLive }) => isLive);
  const build = announced && announced._id !== live?.name ? announced : undefined;
  const others = indices.filter(({ isLive, isNext }) => !isLive && !isNext);
  return { live, former: others.at(-1), build, others };
}

/** Withdraws the announcement of a build whose alias was moved by a process that died before it could. */
export async function settleMoved(stores: Stores, { name }: IndexDefinition): Promise<void> {
  const announced = await fetchAnnouncement(stores.mongo.documents, name);
  if (!announced) return;
  const indices = await stores.elasticsearch.builds.list(name);
  if (indices.some((one) => one.isLive && one.name === announced._id))
    await withdraw(stores.mongo.documents, announced._id);
}

/**
 * Removes what broken-off builds have left, and returns the names of the indices. The announcement goes first: writers
 * that find the index gone look for it again.
 */
export async function discardBuild(stores: Stores, index: IndexDefinition): Promise<string[]> {
  const { build } = await fetchStanding(stores, index);
  if (build) await withdraw(stores.mongo.documents, build._id);
  // Also of a process that died between making the index and announcing it.
  const left = (await stores.elasticsearch.builds.list(index.name)).filter(({ isNext }) => isNext);
  for (const { name } of left) await stores.elasticsearch.builds.remove(name);
  return left.map(({ name }) => name);
}
