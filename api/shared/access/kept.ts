/** Owns how applications, keys, people and what they grant are kept: the documents of each kind in a collection. */
import type { Filter } from "../definitions/record-reader.ts";
import type { DocumentStore } from "../stores/mongodb/mongo.ts";

/** The documents of one kind. */
export function openKept<Kind extends { _id: string; created_at?: string }>(collection: string) {
  // The casts: what is in a collection was written here.
  const fetchAll = async (documents: DocumentStore, filter: Filter = {}) =>
    (await documents.fetchAll(collection, filter)) as unknown as Kind[];
  return {
    collection,
    /** Keeps one, over the one of its `_id`; returns it. */
    put: async (documents: DocumentStore, item: Kind): Promise<Kind> => {
      await documents.put(collection, item);
      return item;
    },
    fetch: async (documents: DocumentStore, id: string) =>
      (await documents.fetch(collection, id)) as Kind | null,
    fetchAll,
    /** All, or those that the filter names, oldest first. */
    fetchByAge: async (documents: DocumentStore, filter?: Filter): Promise<Kind[]> => {
      const ageOf = ({ created_at = "" }: Kind) => created_at;
      return (await fetchAll(documents, filter)).sort((a, b) => (ageOf(a) < ageOf(b) ? -1 : 1));
    },
    /** Those of these ids that there are, by id. */
    fetchById: async (documents: DocumentStore, ids: readonly string[]): Promise<Map<string, Kind>> => {
      const found = ids.length > 0 ? await fetchAll(documents, { _id: [...new Set(ids)] }) : [];
      return new Map(found.map((item) => [item._id, item]));
    },
    /** Whatever refers to it is refused from then on, within seconds. */
    remove: (documents: DocumentStore, { _id }: Pick<Kind, "_id">) => documents.remove(collection, _id),
  };
}
