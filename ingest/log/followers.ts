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

// The followers that every register has.
const LASTING = [LIVE, LINKS];

/** An index being built, by its own name. */
export interface Build extends Follower {
  index: IndexName;
  version: number;
  names_version: number;
  started_at: string;
}

/** Moves a follower, unless another process has moved it since it was read. */
export async function moveFollower(documents: DocumentStore, { _id, position }: Follower, to: string) {
  const isMoved = await documents.amendIf(FOLLOWERS, { _id, position }, { position: to });
  // A build may be gone; these two are stored from their first move on.
  const isFirst = !isMoved && LASTING.includes(_id) && position === BEGINNING;
  if (isFirst) await documents.putMissing(FOLLOWERS, [{ _id, position: to }]);
}

/** Where the followers are, also those of every register that have not moved yet. */
export async function fetchPositions(documents: DocumentStore): Promise<string[]> {
  const stored = await documents.fetchAll(FOLLOWERS, {});
  const unmoved = LASTING.filter((id) => !stored.some(({ _id }) => String(_id) === id));
  // Those that follow streams of other servers have none.
  const moved = stored.flatMap(({ position }) => (position === undefined ? [] : String(position)));
  return [...moved, ...unmoved.map(() => BEGINNING)];
}

/** Starts to follow for an index being built. */
export async function addBuild(documents: DocumentStore, index: IndexDefinition, build: Follower) {
  const { name, version } = index;
  const started_at = new Date().toISOString();
  const stored: Build = { ...build, index: name, version, names_version: NAMES_VERSION, started_at };
  await documents.put(FOLLOWERS, { ...stored });
  return stored;
}

/** All indices being built. */
export async function fetchBuilds(documents: DocumentStore): Promise<Build[]> {
  const followers = await documents.fetchAll(FOLLOWERS, {});
  // The cast: of all followers these alone have an index.
  return followers.filter(({ index }) => index !== undefined) as unknown as Build[];
}

/** The build of this index, if any: the reindex lock allows one per index. */
export async function fetchBuild(documents: DocumentStore, index: IndexName): Promise<Build | undefined> {
  const [found] = await documents.fetchAll(FOLLOWERS, { index });
  return found as Build | undefined;
}

export async function removeBuild(documents: DocumentStore, id: string): Promise<void> {
  await documents.remove(FOLLOWERS, id);
}
