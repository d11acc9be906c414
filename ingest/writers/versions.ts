/**
 * Owns which collections have left the order of batches: once a stream or a removal has touched a collection, the
 * revision of a record no longer tells which of two search documents is the newer one, since a removed record has
 * none and a late event may come in an early batch. From then on documents of the collection are made from what
 * MongoDB holds, under a version drawn after the write and before the reading: of two workers the one with the
 * higher version has read what both wrote.
 */
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import type { AliasedIndex } from "../../index-mappings/define-index.ts";

const COLLECTION = "drawn_versions";
// Beside the names of collections, which hold no such sign.
const SHARED = "@";
const REPLACED = "~";

/** Marks a collection, before the first of its records is removed or written by an event. */
export async function markDrawn(documents: DocumentStore, collection: string): Promise<void> {
  if (await isDrawn(documents, collection)) return;
  await documents.putMissing(COLLECTION, [{ _id: collection }]);
}

/**
 * True for a marked collection. Asked after MongoDB has been written: whoever removes what was written then has
 * marked before, or draws a higher version later.
 */
export async function isDrawn(documents: DocumentStore, collection: string): Promise<boolean> {
  return (await documents.fetch(COLLECTION, collection)) !== null;
}

/**
 * True when a document of the index bears the revision of its record as its version: it is made of one record alone,
 * and the collection is not marked. Otherwise its version is drawn. Asked when `isDrawn` is.
 */
export async function bearsRevision(
  documents: DocumentStore,
  { groupBy, record }: AliasedIndex,
): Promise<boolean> {
  return groupBy === "_id" && !(await isDrawn(documents, record.collection));
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
 * some may have been removed, too, or others written under the revision. Asked after a version has been drawn: who
 * replaces, removes or writes thereafter draws a higher one.
 */
export type Disturbance = "none" | "replaced" | "any";

export async function fetchDisturbance(
  documents: DocumentStore,
  collection: string,
  revision: number,
): Promise<Disturbance> {
  const replaced = `${REPLACED}${collection}`;
  const marks = await documents.fetchAll(COLLECTION, {
    _id: [collection, `${SHARED}${revision}`, replaced],
  });
  if (marks.length === 0) return "none";
  return marks.every(({ _id }) => _id === replaced) ? "replaced" : "any";
}
