/**
 * Owns the small documents of a dry run, such as runs: those of MongoDB, and over them, in memory, what the run
 * would have written so far. Nothing is written to MongoDB.
 */
import type { DocumentStore } from "../../api/core/stores/mongo.ts";

type Document = Record<string, unknown> & { _id: string };
type Filter = Parameters<DocumentStore["fetchAll"]>[1];

/** Documents in memory over those of MongoDB. */
export class DryDocuments {
  /** What applies events, changes and rows needs; anything else is read from MongoDB, and not written. */
  readonly store: DocumentStore;
  /** True once there was more to keep than `most`: what came then is forgotten. */
  isOver = false;
  private readonly told = new Map<string, Map<string, Document>>();
  private size = 0;

  constructor(
    private readonly beneath: DocumentStore,
    private readonly most: number,
  ) {
    const refuse = () => Promise.reject(new Error("a dry run writes nothing"));
    this.store = {
      ...beneath,
      ...{ put: refuse, remove: refuse, removeBetween: refuse },
      fetch: async (collection, id) =>
        this.toldOf(collection).get(id) ?? (await beneath.fetch(collection, id)),
      fetchAll: this.fetchAll.bind(this),
      putMissing: async (collection, documents) => {
        const held = await this.fetchHeld(collection, documents);
        for (const item of documents) if (!held.has(item._id)) this.keep(collection, item);
        return new Set(held.keys());
      },
      raise: async (collection, documents, rank) => {
        const held = await this.fetchHeld(collection, documents);
        for (const item of documents) {
          const before = this.toldOf(collection).get(item._id) ?? held.get(item._id);
          if (!before || Number(before[rank]) <= Number(item[rank]))
            this.keep(collection, { ...before, ...item });
        }
      },
      amend: async (collection, members) => {
        const held = await this.fetchHeld(collection, members);
        for (const item of members) {
          const before = this.toldOf(collection).get(item._id) ?? held.get(item._id);
          if (before) this.keep(collection, { ...before, ...item });
        }
      },
    };
  }

  private async fetchAll(collection: string, filter: Filter): Promise<Document[]> {
    const told = this.toldOf(collection);
    // The cast: all documents of MongoDB have an `_id`, here a text.
    const held = (await this.beneath.fetchAll(collection, filter)) as Document[];
    return [...held.filter(({ _id }) => !told.has(_id)), ...[...told.values()].filter(matcherOf(filter))];
  }

  private async fetchHeld(
    collection: string,
    documents: readonly { _id: string }[],
  ): Promise<Map<string, Document>> {
    if (documents.length === 0) return new Map();
    const found = await this.fetchAll(collection, { _id: documents.map(({ _id }) => _id) });
    return new Map(found.map((document) => [document._id, document]));
  }

  private keep(collection: string, document: Document): void {
    const told = this.toldOf(collection);
    if (!told.has(document._id)) {
      if (this.size >= this.most) {
        this.isOver = true;
        return;
      }
      this.size += 1;
    }
    told.set(document._id, document);
  }

  private toldOf(collection: string): Map<string, Document> {
    const told = this.told.get(collection) ?? new Map<string, Document>();
    this.told.set(collection, told);
    return told;
  }
}

/** Tells documents of which each member has the value of the filter, or one of its values. */
function matcherOf(filter: Filter): (document: Document) => boolean {
  const wanted = Object.entries(filter).map(([member, value]) => ({
    member,
    values: new Set<unknown>(Array.isArray(value) ? value : [value]),
  }));
  return (document) => wanted.every(({ member, values }) => values.has(document[member]));
}
