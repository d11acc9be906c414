/** The RecordReader interface: all reads of MongoDB that a definition can make. */
import type { Budget } from "../runtime/deadlines.ts";
import type { LoadedSource } from "../stores/collections/loaded-sources.ts";
import type { IndexKeys, IndexValue, RecordDefinition, StoredRecord } from "./define-record.ts";

/** A filter on a record's `_id` or keys: equal to the value, or to one of a list. An empty list matches no record. */
export type Filter = Record<string, IndexValue | readonly IndexValue[]>;

/** A slice of an ordered list of records. */
export interface Page {
  filter: Filter;
  /** Fields with 1 (ascending) or -1 (descending), most significant first. */
  sort: [field: string, direction: 1 | -1][];
  skip: number;
  limit: number;
}

/** Lookups between derived officer ids and the real ids of the same officers. */
export interface PersonReader {
  /** Real ids by derived ids. Given ids that are real themselves, or have no real id, are absent. */
  fetchRealIds: (ids: readonly string[], budget?: Budget) => Promise<ReadonlyMap<string, string>>;
  /** Derived ids by real id, for these real ids. */
  fetchDerivedIds: (
    realIds: readonly string[],
    budget?: Budget,
  ) => Promise<ReadonlyMap<string, readonly string[]>>;
}

/**
 * All reads that a definition can make; each is served by an index of its record. A read ends at about the deadline of
 * `budget`, and none begins after it. Definitions pass no budget: their reader adds that of the request.
 */
export interface RecordReader {
  /** The record that the filter names, or null. */
  fetchOne: <D, K extends IndexKeys>(
    record: RecordDefinition<D, K>,
    filter: Filter,
    budget?: Budget,
  ) => Promise<StoredRecord<D, K> | null>;
  /** The records with these identities, in any order; missing ones are left out. */
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
  /** The values of one key in the records that match the filter, with repeats. */
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
  /** The links among these that the company's link pages contain (`shared/stores/collections/link-pages.ts`). */
  fetchStoredLinks: <Link extends string>(
    companyNumber: string,
    links: readonly Link[],
    budget?: Budget,
  ) => Promise<Link[]>;
  /**
   * The stored count of an officer's current appointments in companies that have ended; null if none is stored
   * (`shared/stores/collections/officer-counts.ts`).
   */
  fetchInactiveCount: (officerId: string, budget?: Budget) => Promise<number | null>;
  /** The appointments of one officer may be stored under several ids. */
  persons: PersonReader;
  /** The loads, cached for up to ten seconds. */
  fetchLoadedSources: () => Promise<readonly LoadedSource[]>;
  /** As `fetchLoadedSources`; if that takes longer than `patienceMs` or fails, the loads that were read last. */
  fetchLoadedSourcesOrLast: (patienceMs: number) => Promise<readonly LoadedSource[]>;
}
