/** Owns the positions of the change log, and how far the live indices together, and each that is being built, have followed it. */
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import type { IndexDefinition, IndexName } from "../../index-mappings/define-index.ts";
import { NAMES_VERSION } from "../../index-mappings/names/version.ts";

// A position is a number without gaps, as a text that sorts like it.
const DIGITS = 15;

/** The position of this number. */
export function toPosition(number: number): string {
  return String(number).padStart(DIGITS, "0");
}

/** The position before the first. */
export const BEGINNING = toPosition(0);

/** Those between two. */
export function positionsBetween(position: string, end: string): string[] {
  const length = Number(end) - Number(position) - 1;
  return Array.from({ length }, (_none, at) => toPosition(Number(position) + 1 + at));
}

const COLLECTION = "followers";
const LIVE = "live";

/** Who follows the log. */
export interface Follower {
  _id: string;
  /** All changes up to here, this one included, have reached it. */
  position: string;
}

/** An index that is being built, by its own name, with version and time. */
export interface Build extends Follower {
  index: IndexName;
  version: number;
  names_version: number;
  started_at: string;
}

/** The follower of the live indices. */
export async function fetchLive(documents: DocumentStore): Promise<Follower> {
  const found = await documents.fetch(COLLECTION, LIVE);
  return { _id: LIVE, position: found ? String(found.position) : BEGINNING };
}

/** Moves a follower, unless another one has moved it since it was read. */
export async function moveFollower(documents: DocumentStore, { _id, position }: Follower, to: string) {
  const isMoved = await documents.amendIf(COLLECTION, { _id, position }, { position: to });
  // The live one is there from its first move on.
  const isFirst = !isMoved && _id === LIVE && position === BEGINNING;
  if (isFirst) await documents.putMissing(COLLECTION, [{ _id, position: to }]);
}

/** How far each follower has come. */
export async function fetchPositions(documents: DocumentStore): Promise<string[]> {
  return (await documents.fetchAll(COLLECTION, {})).map(({ position }) => String(position));
}

/** Begins to follow for an index that is being built. */
export async function addBuild(documents: DocumentStore, index: IndexDefinition, build: Follower) {
  const { name, version } = index;
  const started_at = new Date().toISOString();
  const stored: Build = { ...build, index: name, version, names_version: NAMES_VERSION, started_at };
  await documents.put(COLLECTION, { ...stored });
  return stored;
}

/** The build of this index, if there is one: the reindex lock allows one an index. */
export async function fetchBuild(documents: DocumentStore, index: IndexName): Promise<Build | undefined> {
  const [found] = await documents.fetchAll(COLLECTION, { index });
  return found as Build | undefined;
}

/** Ends the following of a build. */
export async function removeBuild(documents: DocumentStore, id: string): Promise<void> {
  await documents.remove(COLLECTION, id);
}
