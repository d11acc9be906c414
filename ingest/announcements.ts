/**
 * Owns the announcements of indices that are being built beside the live ones. Writers look for one after they have
 * written MongoDB and before they write Elasticsearch; the scan that fills the new index begins after the announcement.
 * So what a writer did not bring to the new index, because there was no announcement yet, the scan reads.
 */
import type { DocumentStore } from "../api/core/stores/mongo.ts";
import type { IndexDefinition, IndexName } from "../index-mappings/define-index.ts";
import { NAMES_VERSION } from "../index-mappings/names/version.ts";

const COLLECTION = "builds";

/** Lock of whoever builds and moves: one for all indices. */
export const REINDEX_LOCK = "reindex";

/** An index that is being built. */
export interface Announcement {
  /** The index's own name, with version and time. */
  _id: string;
  index: IndexName;
  version: number;
  names_version: number;
  started_at: string;
  /** `moving`: the alias is about to be moved; whoever spoils the build then does not write before that has ended. */
  state: "building" | "moving";
  /** Why it cannot be taken into use: some write has not reached it. */
  spoiled?: string;
}

/** Announces an index; every write from now on goes into it, too. */
export async function announce(
  documents: DocumentStore,
  { name: index, version }: IndexDefinition,
  built: string,
): Promise<Announcement> {
  const announcement: Announcement = {
    ...{ _id: built, index, version, names_version: NAMES_VERSION },
    ...{ started_at: new Date().toISOString(), state: "building" },
  };
  await documents.put(COLLECTION, { ...announcement });
  return announcement;
}

/** The announcement for this index; null when none is being built. */
export async function fetchAnnouncement(
  documents: DocumentStore,
  index: IndexName,
): Promise<Announcement | null> {
  const found = await documents.fetchAll(COLLECTION, { index });
  // The cast: documents of this collection are written here. The reindex lock keeps them to one an index.
  return (found[0] ?? null) as Announcement | null;
}

/** The announcement of this very build; null when it is over. */
export async function fetchBuild(documents: DocumentStore, id: string): Promise<Announcement | null> {
  return (await documents.fetch(COLLECTION, id)) as Announcement | null;
}

/** True when code of this version makes the documents that the build wants. */
export function isFitting(build: Announcement, { version }: Pick<IndexDefinition, "version">): boolean {
  return build.version === version && build.names_version === NAMES_VERSION;
}

/** Notes why a build cannot be taken into use; nothing happens when it is over. */
export async function spoil(documents: DocumentStore, id: string, reason: string): Promise<void> {
  await documents.amend(COLLECTION, [{ _id: id, spoiled: reason }]);
}

/** Notes that the alias is about to be moved, or is not any more. */
export async function noteState(
  documents: DocumentStore,
  id: string,
  state: Announcement["state"],
): Promise<void> {
  await documents.amend(COLLECTION, [{ _id: id, state }]);
}

/** Takes an announcement back: the build is over. */
export async function withdraw(documents: DocumentStore, id: string): Promise<void> {
  await documents.remove(COLLECTION, id);
}
