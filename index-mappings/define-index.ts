/** Owns the IndexDefinition type: one search index, and how stored records become its documents. */
import type { RecordDefinition, StoredRecord } from "../api/resources/define-record.ts";

/** Names of the search indices: also their aliases, behind the configured prefix. */
export type IndexName = "companies" | "officers" | "disqualified-officers";

/** A document of a search index. */
export type SearchDocument = Record<string, unknown>;

/** One search index. */
export interface IndexDefinition {
  name: IndexName;
  /** Raised with any change to the mapping, the analysis or the projection. */
  version: number;
  /** Elasticsearch `mappings`; `dynamic` is strict: an unknown field is an error at load. */
  mappings: Record<string, unknown>;
  /** Elasticsearch `settings`, analysis included. */
  settings: Record<string, unknown>;
  /** The records it is built from. */
  record: RecordDefinition;
  /**
   * Field of the record whose equal values make one document: `_id` for a document per record,
   * `officer_id` for a document per person over all appointments.
   */
  groupBy: string;
  /** Stored records of one group to a document; null when the group has nothing to be found by. Pure. */
  document: (records: StoredRecord[]) => SearchDocument | null;
}

/**
 * Defines an index. The one cast is here: a definition is written for its own record type and kept
 * in a list of all, whose entries only ever meet records of their own collection.
 */
export function defineIndex<Data, Keys extends Record<string, string | number | boolean>>(
  definition: Omit<IndexDefinition, "record" | "document"> & {
    record: RecordDefinition<Data, Keys>;
    document: (records: StoredRecord<Data, Keys>[]) => SearchDocument | null;
  },
): IndexDefinition {
  return definition as unknown as IndexDefinition;
}
