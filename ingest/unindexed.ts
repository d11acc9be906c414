/** Owns the notes of what MongoDB may hold and Elasticsearch not yet: written before a batch, gone after it. */
import type { DocumentStore } from "../api/core/stores/mongo.ts";

const COLLECTION = "unindexed";
// Limit: notes mended in one go; a load leaves at most as many as batches were under way.
const LIMIT = 10_000;
// Identities hold no line breaks.
const SEPARATOR = "\n";

/** Values of the fields by which search documents are grouped, of a record that has left its group. */
export type FormerGroup = Record<string, string>;

/** Records of one kind that one batch writes. */
export interface Unindexed {
  /** `<job>:<collection>`. */
  _id: string;
  job: string;
  collection: string;
  ids: string[];
  formerGroups: FormerGroup[];
  /** Why Elasticsearch did not take it, when a load tried last. */
  refused?: string;
}

/**
 * Notes a batch and returns the note as it stands: with the former groups of the note that an earlier run of the batch
 * has left, in which case `isRepeat` is true.
 */
export async function beginUnindexed(
  documents: DocumentStore,
  fresh: Unindexed,
): Promise<{ note: Unindexed; isRepeat: boolean }> {
  const existing = await documents.putMissing(COLLECTION, [toStored(fresh)]);
  if (existing.size === 0) return { note: fresh, isRepeat: false };
  const earlier = await documents.fetch(COLLECTION, fresh._id);
  const formerGroups = earlier ? fromStored(earlier).formerGroups : [];
  const note = { ...fresh, formerGroups: [...formerGroups, ...fresh.formerGroups] };
  await noteUnindexed(documents, note);
  return { note, isRepeat: true };
}

/** Adds groups to a note and keeps it, unless it holds all of them already. */
export async function noteGroups(
  documents: DocumentStore,
  note: Unindexed,
  groups: readonly FormerGroup[],
): Promise<void> {
  if (addGroups(note, groups)) await noteUnindexed(documents, note);
}

/** Adds the groups that a note does not hold yet, each once; false when it holds all of them. */
function addGroups({ formerGroups }: Unindexed, groups: readonly FormerGroup[]): boolean {
  const known = new Set(formerGroups.map(keyOfGroup));
  const before = known.size;
  for (const group of groups) {
    // A person of very many appointments is one group.
    const key = keyOfGroup(group);
    if (!known.has(key)) formerGroups.push(group);
    known.add(key);
  }
  return known.size > before;
}

function keyOfGroup(group: FormerGroup): string {
  return JSON.stringify(group);
}

/** Notes a batch, over its own earlier note. */
export async function noteUnindexed(documents: DocumentStore, note: Unindexed): Promise<void> {
  await documents.put(COLLECTION, toStored(note));
}

/** All notes: of batches under way, and of those that ended between the two stores. */
export async function listUnindexed(documents: DocumentStore): Promise<Unindexed[]> {
  return (await documents.list(COLLECTION, {}, LIMIT)).map(fromStored);
}

/** Takes a note away: both stores hold the batch. */
export async function removeUnindexed(documents: DocumentStore, id: string): Promise<void> {
  await documents.remove(COLLECTION, id);
}

/**
 * The ids as one text: an engine that reads documents member by member takes twice as long for a list of them.
 * Limit: a document holds 16 MB, some 590,000 ids of 27 characters; the note of a batch of more is refused, and with it
 * the batch, before anything of it is written.
 */
type StoredNote = Omit<Unindexed, "ids"> & { ids: string };

function toStored(note: Unindexed): StoredNote {
  return { ...note, ids: note.ids.join(SEPARATOR) };
}

function fromStored(document: object): Unindexed {
  // The cast: documents of this collection are written here.
  const note = document as StoredNote;
  return { ...note, ids: note.ids === "" ? [] : note.ids.split(SEPARATOR) };
}
