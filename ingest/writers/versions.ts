/**
 * Owns the marks of what may have become of records since a batch has written them, by which documents of groups are made
 * without reading back what was written. A document of one record bears the revision of its record as its version, which
 * rises for ever, since a record that is gone keeps it; that of a group bears a version drawn after the write and before the
 * reading: of two workers the one with the higher version has read what both wrote.
 */
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import type { AliasedIndex } from "../../index-mappings/define-index.ts";

const COLLECTION = "drawn_versions";
const SHARED = "@";
const REPLACED = "~";

/** True when a document of the index bears the revision of its record as its version: it is made of one record alone. */
export function bearsRevision({ groupBy }: Pick<AliasedIndex, "groupBy">): boolean {
  return groupBy === "_id";
}

/** Marks a revision before any other than its batch writes under it. */
export async function markShared(documents: DocumentStore, revision: number): Promise<void> {
  await documents.putMissing(COLLECTION, [{ _id: `${SHARED}${revision}` }]);
}

/** Marks a collection, before the first of its records is replaced by another batch than the one that wrote it. */
export async function markReplaced(documents: DocumentStore, collection: string): Promise<void> {
  const mark = `${REPLACED}${collection}`;
  if ((await documents.fetch(COLLECTION, mark)) === null)
    await documents.putMissing(COLLECTION, [{ _id: mark }]);
}

/**
 * What may have become of the records that a batch has written under its revision. `none`: all are held as it wrote
 * them. `replaced`: some may have been replaced, which their revision shows; no other is held under this one. `any`:
 * others may have been written under the revision. Asked after a version has been drawn: who replaces or writes
 * thereafter draws a higher one.
 */
export type Disturbance = "none" | "replaced" | "any";

export async function fetchDisturbance(
  documents: DocumentStore,
  collection: string,
  revision: number,
): Promise<Disturbance> {
  const replaced = `${REPLACED}${collection}`;
  const marks = await documents.fetchAll(COLLECTION, {
    _id: [`${SHARED}${revision}`, replaced],
  });
  if (marks.length === 0) return "none";
  return marks.every(({ _id }) => _id === replaced) ? "replaced" : "any";
}
