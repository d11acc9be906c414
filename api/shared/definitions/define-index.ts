/**
 * The IndexDefinition type: one search index, and how stored records become its documents.
 *
 * To change an index: edit its mappings (or the fields of names) and its projection, raise `version`, restart API and
 * workers with the new release, and run `reindex`. A field that changes its type needs a new name: until the alias has
 * moved, new documents go into the live index, too, which stores fields that it does not know. Queries must work on
 * both indices.
 */
import type { IndexValue, RecordDefinition, StoredRecord } from "./define-record.ts";

/**
 * The search indices. With the configured prefix, a name is also the alias in Elasticsearch. `kind`: the member `kind`
 * of its documents; `record`: the kind of record that they are made from.
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
  // The cast: `Object.entries` gives names as plain strings.
  Object.entries(INDEX_KINDS).map(([name, { kind }]) => [kind, name as IndexName]),
);

/** The alias of an index: of the live one, or of the one that `reindex` builds beside it. */
export type IndexAlias = IndexName | NextName;
export type NextName = `${IndexName}-next`;

export type SearchDocument = Record<string, unknown>;

/** How many records of a group meet each of some conditions, by the condition's name. */
export type GroupCounts = Record<string, number>;

/** Limits how much of a very large group is read: its document is made from its first records, and from counts. */
export interface GroupBounds {
  /** Most records for one document: the first by `order`. */
  most: number;
  /** Fields by which records are ordered, all ascending. */
  order: readonly string[];
  /** Counts over the whole group: by the count's name, the key values of the records that it counts. */
  counted: Record<string, Record<string, IndexValue>>;
}

export interface IndexDefinition {
  name: IndexName;
  /** Raised with any change to the mapping, the analysis or the projection. */
  version: number;
  /** Elasticsearch `mappings`. `dynamic` is strict, so loads fail at unknown fields, until a newer release writes. */
  mappings: Record<string, unknown>;
  /** Elasticsearch `settings`, analysis included. */
  settings: Record<string, unknown>;
  /** The records it is built from. */
  record: RecordDefinition;
  /** Records with the same value of this field make one document: `_id` one per record, `officer_id` one per person. */
  groupBy: string;
  /** Absent: groups are small. */
  bounds?: GroupBounds;
  /**
   * Maps the stored records of one group to a document; null if there are none, or nothing in them can be searched.
   * Pure. `counts`: given if `records` are only the first of a large group; it covers the whole group. Otherwise
   * `records` are all, in any order.
   */
  document: (records: StoredRecord[], counts?: GroupCounts) => SearchDocument | null;
}

/** The index of the words in names, through which searches find near spellings. */
export type IndexedWords = Pick<IndexDefinition, "version" | "mappings" | "settings"> & { name: "words" };

/** Names of all indices that the service needs. */
export type NeededIndex = IndexName | IndexedWords["name"];

/** An index under one of its aliases. */
export interface AliasedIndex extends Omit<IndexDefinition, "name"> {
  name: IndexAlias;
}

/** The definition under the alias of the index that is being built. */
export function nextOf(index: IndexDefinition): AliasedIndex & { name: NextName } {
  return { ...index, name: `${index.name}-next` };
}

/** The index that an alias belongs to. */
export function indexNameOf(alias: IndexAlias): IndexName {
  // The cast: the only suffix of an alias has been removed.
  return alias.replace(/-next$/, "") as IndexName;
}

/**
 * Defines an index. Its cast forgets the type of the records, so that one list can contain all indices; each index only
 * gets records of its own collection.
 */
export function defineIndex<Data, Keys extends Record<string, string | number | boolean>>(
  definition: Omit<IndexDefinition, "record" | "document"> & {
    record: RecordDefinition<Data, Keys>;
    document: (records: StoredRecord<Data, Keys>[], counts?: GroupCounts) => SearchDocument | null;
  },
): IndexDefinition {
  return definition as unknown as IndexDefinition;
}
