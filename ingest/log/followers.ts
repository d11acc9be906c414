/** How far each follower of the change log is: the live indices together, the links of profiles, and each index being built. */
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import {
  BEGINNING,
  fetchLive,
  FOLLOWERS,
  LINKS,
  LIVE,
  type Follower,
} from "../../api/shared/stores/collections/positions.ts";
import type { IndexDefinition, IndexName } from "../../api/shared/definitions/define-index.ts";
import { NAMES_VERSION } from "../../index-mappings/names/version.ts";

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
  // The live follower is stored from its first move on.
  const isFirst = !isMoved && _id === LIVE && position === BEGINNING;
  if (isFirst) await documents.putMissing(FOLLOWERS, [{ _id, position: to }]);
}

/**
 * Has the links follow from where the live indices are: up to there a former release has kept them. To be called before
 * the live indices move.
 */
export async function beginLinks(documents: DocumentStore): Promise<void> {
  const { position } = await fetchLive(documents);
  await documents.putMissing(FOLLOWERS, [{ _id: LINKS, position }]);
}

export async function fetchPositions(documents: DocumentStore): Promise<string[]> {
  // Those that follow streams of other servers have none.
  return (await documents.fetchAll(FOLLOWERS, {})).flatMap(({ position }) =>
    position === undefined ? [] : String(position),
  );
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
