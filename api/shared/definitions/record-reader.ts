/** Owns the RecordReader: all reads of MongoDB that a definition may do. */
import type { Budget } from "../runtime/deadlines.ts";
import type { LoadedSource } from "../stores/collections/loaded-sources.ts";
import type { IndexKeys, IndexValue, RecordDefinition, StoredRecord } from "./define-record.ts";

/** Filter on a record's `_id` or keys: equal to the value, or to any of a list of values (to none of an empty one). */
export type Filter = Record<string, IndexValue | readonly IndexValue[]>;

/** A slice of an ordered list of records. */
export interface Page {
  filter: Filter;
  /** Fields with 1 (ascending) or -1 (descending), most significant first. */
  sort: [field: string, direction: 1 | -1][];
  skip: number;
  limit: number;
}

/** What is asked about the ids of officers. */
export interface PersonReader {
  /** The real ids of officers by the derived ones; those of these ids that are real, or the only ones, are absent. */
  fetchRealIds: (ids: readonly string[], budget?: Budget) => Promise<ReadonlyMap<string, string>>;
  /** The derived ids of officers by the real ones, of which these are some. */
  fetchDerivedIds: (
    realIds: readonly string[],
    budget?: Budget,
  ) => Promise<ReadonlyMap<string, readonly string[]>>;
}

/**
 * All reads that a definition may do: narrow, each served by an index of its record. A read ends at about
 * the deadline of its budget, its last argument, and none begins once that has ended; a definition passes none, because its reader
 * adds the request's behind what it passes.
 */
export interface RecordReader {
  /** The record that the filter names, or null. */
  fetchOne: <D, K extends IndexKeys>(
    record: RecordDefinition<D, K>,
    filter: Filter,
    budget?: Budget,
  ) => Promise<StoredRecord<D, K> | null>;
  /** Records by identity, in no order; missing ones are left out. */
  fetchByIds: <D, K extends IndexKeys>(
    record: RecordDefinition<D, K>,
    ids: string[],
    budget?: Budget,
  ) => Promise<StoredRecord<D, K>[]>;
  /** One page of a list. */
  fetchPage: <D, K extends IndexKeys>(
    record: RecordDefinition<D, K>,
    page: Page,
    budget?: Budget,
  ) => Promise<StoredRecord<D, K>[]>;
  /** The values of one key over the records that match the filter, repeats included. */
  fetchKeys: <D, K extends IndexKeys>(
    record: RecordDefinition<D, K>,
    filter: Filter,
    key: keyof K & string,
    budget?: Budget,
  ) => Promise<string[]>;
  /** How many records match the filter. */
  count: <D, K extends IndexKeys>(
    record: RecordDefinition<D, K>,
    filter: Filter,
    budget?: Budget,
  ) => Promise<number>;
  /** Those of these links that the company's link pages contain (`shared/stores/collections/link-pages.ts`). */
  fetchStoredLinks: <Link extends string>(
    companyNumber: string,
    links: readonly Link[],
    budget?: Budget,
  ) => Promise<Link[]>;
  /** Stored count of an officer's serving appointments in ended companies (`shared/stores/collections/officer-counts.ts`); null: none. */
  fetchInactiveCount: (officerId: string, budget?: Budget) => Promise<number | null>;
  /** The ids of officers whose appointments may be stored under several. */
  persons: PersonReader;
  /** The loads, cached for up to ten seconds. */
  fetchLoadedSources: () => Promise<readonly LoadedSource[]>;
  /** The same; rather than wait longer than this, or fail, those that were read last. */
  recallLoadedSources: (patienceMs: number) => Promise<readonly LoadedSource[]>;
}
