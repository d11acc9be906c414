/** Owns how applications, keys, people and what they grant are kept: the documents of each kind in a collection. */
import type { Filter } from "../definitions/record-reader.ts";
import type { DocumentStore } from "../stores/mongodb/mongo.ts";

/** The documents of one kind. */
export function openKept<Kind extends { _id: string }>(collection: string) {
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
    /** Those of these ids that there are, by id. */
    fetchById: async (documents: DocumentStore, ids: readonly string[]): Promise<Map<string, Kind>> => {
      const found = ids.length > 0 ? await fetchAll(documents, { _id: [...new Set(ids)] }) : [];
      return new Map(found.map((item) => [item._id, item]));
    },
    remove: (documents: DocumentStore, { _id }: Pick<Kind, "_id">) => documents.remove(collection, _id),
  };
}

/** A copy, oldest first. */
export function byAge<Item extends { created_at: string }>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
}
