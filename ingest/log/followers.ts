/** How far each follower of the change log is: the live indices together, the links of profiles, and each index being built. */
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

/** The followers that every register has. */
export const LASTING = [LIVE, LINKS];

/** An index being built, by its own name. */
export interface Build extends Follower {
  index: IndexName;
  version: number;
  names_version: number;
  started_at: string;
}

/** Of all followers builds alone have an index. */
export type AnyFollower = Follower & Partial<Build>;

/** Moves a follower, unless another process has moved it since it was read. */
export async function moveFollower(documents: DocumentStore, { _id, position }: Follower, to: string) {
  const isMoved = await documents.amendIf(FOLLOWERS, { _id, position }, { position: to });
  // A build may be gone; these two are stored from their first move on.
  const isFirst = !isMoved && LASTING.includes(_id) && position === BEGINNING;
  if (isFirst) await documents.putMissing(FOLLOWERS, [{ _id, position: to }]);
}

/** The followers, of these ids or all, also those of every register that have not moved yet. */
export async function fetchFollowers(documents: DocumentStore, ids?: string[]): Promise<AnyFollower[]> {
  const stored = await documents.fetchAll(FOLLOWERS, ids ? { _id: ids } : {});
  const unmoved = LASTING.filter((id) => !stored.some(({ _id }) => String(_id) === id));
  // Those that follow streams of other servers have no position. The cast: all others are written here.
  const moved = stored.filter(({ position }) => position !== undefined) as unknown as AnyFollower[];
  return [...moved, ...unmoved.map((_id) => ({ _id, position: BEGINNING }))];
}

/** Starts to follow for an index being built. */
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
