/**
 * Owns the IndexDefinition type: one search index, and how stored records become its documents.
 *
 * How an index is changed: edit its mappings, or the fields of names, and the projection, raise `version`, restart API and workers with the new
 * release, run `reindex`. A field that changes its kind gets a new name, since until the alias has moved the new documents
 * go into the live index, too, which stores fields that it does not know. Queries must find their fields in both.
 */
import type { IndexValue, RecordDefinition, StoredRecord } from "./define-record.ts";

/**
 * The search indices by their names, which are also their aliases, behind the configured prefix: the `kind` of their documents,
 * and the kind of record that these are made from.
 */
export const INDEX_KINDS = {
  companies: { kind: "company", record: "company-profile" },
  officers: { kind: "officer", record: "officer-appointment" },
  "disqualified-officers": { kind: "disqualified-officer", record: "disqualified-officer" },
  "persons-with-significant-control": {
    kind: "person-with-significant-control",
    record: "person-with-significant-control",
  },
} as const;

export type IndexName = keyof typeof INDEX_KINDS;

/** The search index of a document, by the document's `kind`. */
export const INDEX_BY_KIND: ReadonlyMap<unknown, IndexName> = new Map(
  // The cast: the names of the table.
  Object.entries(INDEX_KINDS).map(([name, { kind }]) => [kind, name as IndexName]),
);

/** The aliases of an index: the live one, or the one that is being built beside it. */
export type IndexAlias = IndexName | NextName;
export type NextName = `${IndexName}-next`;

export type SearchDocument = Record<string, unknown>;

/** How many records of a group meet each of some conditions, by the condition's name. */
export type GroupCounts = Record<string, number>;

/** Bounds the reading of very large groups: their document is made of the first records, and of counts. */
export interface GroupBounds {
  /** Most records for one document, the first in the order. */
  most: number;
  /** Fields of the order, all ascending. */
  order: readonly string[];
  /** The counts over the whole group: key values that records must have, by the count's name. */
  counted: Record<string, Record<string, IndexValue>>;
}

export interface IndexDefinition {
  name: IndexName;
  /** Raised with any change to the mapping, the analysis or the projection. */
  version: number;
  /** Elasticsearch `mappings`; `dynamic` is strict, until a newer release writes to the index: an unknown field is an error at load. */
  mappings: Record<string, unknown>;
  /** Elasticsearch `settings`, analysis included. */
  settings: Record<string, unknown>;
  /** The records it is built from. */
  record: RecordDefinition;
  /** Field whose equal values make one document: `_id` for one per record, `officer_id` for one per person. */
  groupBy: string;
  /** Absent: groups are small. */
  bounds?: GroupBounds;
  /**
   * Maps the stored records of one group to a document; null when the group has nothing to search. Pure. `counts`: those
   * of a whole group of which only the first records are given; without it all records are given, in any order.
   */
  document: (records: StoredRecord[], counts?: GroupCounts) => SearchDocument | null;
}

/** The index of words beside the search indices, through which near spellings are found. */
export type IndexedWords = Pick<IndexDefinition, "version" | "mappings" | "settings"> & { name: "words" };

/** Names of all indices that the service needs. */
export type NeededIndex = IndexName | IndexedWords["name"];

/** An index under one of its aliases. */
export interface AliasedIndex extends Omit<IndexDefinition, "name"> {
  name: IndexAlias;
}

/** The same index, as the one that is being built. */
export function nextOf(index: IndexDefinition): AliasedIndex & { name: NextName } {
  return { ...index, name: `${index.name}-next` };
}

/** The index that an alias belongs to. */
export function indexNameOf(alias: IndexAlias): IndexName {
  // The cast: the only suffix of an alias has been removed.
  return alias.replace(/-next$/, "") as IndexName;
}

/**
 * Defines an index. The one cast is here: a definition has its own record type but is stored
 * in a list of all, whose entries get only records of their own collection.
 */
export function defineIndex<Data, Keys extends Record<string, string | number | boolean>>(
  definition: Omit<IndexDefinition, "record" | "document"> & {
    record: RecordDefinition<Data, Keys>;
    document: (records: StoredRecord<Data, Keys>[], counts?: GroupCounts) => SearchDocument | null;
  },
): IndexDefinition {
  return definition as unknown as IndexDefinition;
}
