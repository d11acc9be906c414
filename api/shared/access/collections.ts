/** Reads and writes the documents of applications, keys, people and grants; each kind has a collection. */
import type { Filter } from "../definitions/record-reader.ts";
import type { DocumentStore } from "../stores/mongodb/mongo.ts";

/** Access to the documents of one kind. */
export function openCollection<Kind extends { _id: string; created_at?: string }>(collection: string) {
  // The casts are safe: only the files of this folder write to these collections.
  const fetchAll = async (documents: DocumentStore, filter: Filter = {}) =>
    (await documents.fetchAll(collection, filter)) as unknown as Kind[];
  return {
    collection,
    /** Stores a document, and returns it; it replaces one with the same `_id`. */
    put: async (documents: DocumentStore, item: Kind): Promise<Kind> => {
      await documents.put(collection, item);
      return item;
    },
    fetch: async (documents: DocumentStore, id: string) =>
      (await documents.fetch(collection, id)) as Kind | null,
    fetchAll,
    /** All documents, or those that match the filter, oldest first. */
    fetchByAge: async (documents: DocumentStore, filter?: Filter): Promise<Kind[]> => {
      const ageOf = ({ created_at = "" }: Kind) => created_at;
      return (await fetchAll(documents, filter)).sort((a, b) => (ageOf(a) < ageOf(b) ? -1 : 1));
    },
    /** The documents with these ids, by id; missing ones are left out. */
    fetchById: async (documents: DocumentStore, ids: readonly string[]): Promise<Map<string, Kind>> => {
      const found = ids.length > 0 ? await fetchAll(documents, { _id: [...new Set(ids)] }) : [];
      return new Map(found.map((item) => [item._id, item]));
    },
    /** Removes a document. Within seconds, requests that depend on it are refused. */
    remove: (documents: DocumentStore, { _id }: Pick<Kind, "_id">) => documents.remove(collection, _id),
  };
}
