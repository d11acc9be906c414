/** The followers of the change log, and their positions: live indices, links of profiles, each index being built. */
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import {
  BEGINNING,
  FOLLOWERS,
  LINKS,
  LIVE,
  type Follower,
} from "../../api/shared/stores/collections/positions.ts";
import type { IndexDefinition, IndexName } from "../../api/shared/definitions/define-index.ts";
import { NAMES_VERSION } from "../../index-mappings/names/mapping.ts";

/** The ids of the followers that every register has. */
export const LASTING = [LIVE, LINKS];

/** The follower of an index being built; its id is the index's real name. */
export interface Build extends Follower {
  index: IndexName;
  version: number;
  names_version: number;
  started_at: string;
}

/** A follower of any kind; only a build has an `index`. */
export type AnyFollower = Follower & Partial<Build>;

/** Moves a follower, unless another process has moved it since it was read. */
export async function moveFollower(documents: DocumentStore, { _id, position }: Follower, to: string) {
  const isMoved = await documents.amendIf(FOLLOWERS, { _id, position }, { position: to });
  // A build may be gone. The lasting followers are stored from their first move on.
  const isFirst = !isMoved && LASTING.includes(_id) && position === BEGINNING;
  if (isFirst) await documents.putMissing(FOLLOWERS, [{ _id, position: to }]);
}

/** All followers, or those of these ids; a lasting follower that has not moved yet is at the beginning. */
export async function fetchFollowers(documents: DocumentStore, ids?: string[]): Promise<AnyFollower[]> {
  const stored = await documents.fetchAll(FOLLOWERS, ids ? { _id: ids } : {});
  const unmoved = LASTING.filter((id) => !stored.some(({ _id }) => String(_id) === id));
  // Followers of other servers' streams have no position here. The cast: this module writes all others.
  const moved = stored.filter(({ position }) => position !== undefined) as unknown as AnyFollower[];
  return [...moved, ...unmoved.map((_id) => ({ _id, position: BEGINNING }))];
}

/** Stores the follower of an index that is about to be built. */
export async function addBuild(documents: DocumentStore, index: IndexDefinition, build: Follower) {
  const { name, version } = index;
  const started_at = new Date().toISOString();
  const stored: Build = { ...build, index: name, version, names_version: NAMES_VERSION, started_at };
  await documents.put(FOLLOWERS, { ...stored });
  return stored;
}

/** The build of this index, if any: the reindex lock allows one per index. */
export async function fetchBuild(documents: DocumentStore, index: IndexName): Promise<Build | undefined> {
  const [found] = await documents.fetchAll(FOLLOWERS, { index });
  return found as Build | undefined;
}

export async function removeBuild(documents: DocumentStore, id: string): Promise<void> {
  await documents.remove(FOLLOWERS, id);
}
