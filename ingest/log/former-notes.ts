/**
 * Owns what a release without a change log has left: notes of batches that ended between the two stores. They become changes
 * that were broken off, which the search follows.
 */
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import { indices } from "../../index-mappings/index.ts";
import { amendChange, enterChange, type LogStores } from "./changes.ts";

const COLLECTION = "unindexed";
// Limit: those of one load; as many as batches were under way.
const LIMIT = 10_000;

/** Enters what the notes name, and takes them away. */
export async function enterFormerNotes(stores: LogStores): Promise<void> {
  const { documents } = stores.mongo;
  for (const note of await listNotes(documents)) {
    const ids = { [note.collection]: note.ids.split("\n") };
    const change = await enterChange(stores, { load: "", job: note.job, ids });
    await amendChange(documents, change, { state: "closed", documents: documentsOf(note) });
    await documents.remove(COLLECTION, note._id);
  }
}

interface Note {
  _id: string;
  job: string;
  collection: string;
  ids: string;
  /** Of records that have left their group: values of the fields by which documents are grouped. */
  formerGroups: Record<string, string>[];
}

async function listNotes(documents: DocumentStore): Promise<Note[]> {
  // The cast: as that release wrote them.
  return (await documents.list(COLLECTION, {}, LIMIT)) as unknown as Note[];
}

function documentsOf({ collection, formerGroups }: Note) {
  const grouped = indices.filter(({ record }) => record.collection === collection);
  return Object.fromEntries(
    grouped.map(({ name, groupBy }) => [name, formerGroups.flatMap((group) => group[groupBy] ?? [])]),
  );
}
