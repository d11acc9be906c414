/**
 * Opens the MongoDB store: reads of records for the API, bulk writes for the worker, and health for operators
 * (version, disk, size of each collection).
 */
import type { Collection, Db } from "mongodb";
import { withBudget } from "../../runtime/deadlines.ts";
import { keyOf } from "../../values/members.ts";
import {
  isTombstone,
  type RecordOrTombstone,
  type IndexKeys,
  type RecordDefinition,
} from "../../definitions/define-record.ts";
import type { RecordReader } from "../../definitions/record-reader.ts";
import { fetchStoredLinks, LINK_PAGES } from "../collections/link-pages.ts";
import { openLoadedSources } from "../collections/loaded-sources.ts";
import { fetchInactiveCount } from "../collections/officer-counts.ts";
import { openPersons } from "../collections/persons.ts";
import { readClientVersion, type Capacity, type ServerState } from "../health.ts";
import { openClients } from "./client.ts";
import { openDocuments } from "./documents.ts";
import { guard, isNamespaceNotFound } from "./faults.ts";
import { fromForm, fromForms, toForm } from "./form.ts";
import { gatherReads } from "./gather.ts";
import { boundsOf, toLiveQuery, toQuery } from "./filters.ts";
import { fetchGroups, fetchStamps, fetchStored, findAll, type GroupQuery } from "./groups.ts";
import { createIndexes, fetchIndexes, type IndexedCollection } from "./indexes.ts";
import { openScanner } from "./scan.ts";
import { insertMissing, replaceUnchanged, type Named, type Replacement } from "./writes.ts";

export type { DocumentStore } from "./documents.ts";
export type { RecordStamps } from "./groups.ts";
export type { Replacement } from "./writes.ts";

export type RecordWriter = ReturnType<typeof openWriter>;

export type MongoStore = ReturnType<typeof openMongo>;

// A new register's first real id of an officer shows within this time.
const NO_PERSONS_MS = 2_000;

/** Opens the store; nothing is sent until the first operation. Every failure to reach it is an UnavailableError. */
export function openMongo(options: { url: string; database: string; timeoutMs: number }) {
  const [client, longClient] = openClients(options.url, options.timeoutMs);
  const db = client.db(options.database);
  const longDb = longClient.db(options.database);
  const documents = openDocuments(db, longDb);
  const readByIds = gatherReads((collection, ids) =>
    withBudget(options.timeoutMs, (budget) => findAll(db.collection(collection), { _id: ids }, { budget })),
  );
  const knowLoadedSources = openLoadedSources(documents, () => Date.now());
  const reader: RecordReader = {
    ...createReader(db, readByIds),
    fetchStoredLinks: (company, links, budget) =>
      guard(() => fetchStoredLinks((ids) => readByIds(LINK_PAGES, ids), company, links), budget),
    fetchInactiveCount: (...asked) => fetchInactiveCount(documents, ...asked),
    fetchLoadedSources: () => knowLoadedSources(),
    fetchLoadedSourcesOrLast: (patienceMs) => knowLoadedSources(patienceMs),
    persons: openPersons(documents, NO_PERSONS_MS),
  };
  return {
    /** Reads of records: the API's, and reads of whole groups for building documents and changes. */
    records: { ...reader, ...openGroups(db) },
    /** Like `records.persons`, but asks each time also while the collection is empty: projections need new ids. */
    persons: openPersons(documents, 0),
    writer: openWriter(db),
    scanner: openScanner(longDb),
    documents,
    health: openHealth(db),

    /** Rejects when there is no answer in that time. Uses other connections than requests, which may all be waiting. */
    ping: (withinMs = options.timeoutMs): Promise<void> =>
      withBudget(withinMs, (budget) =>
        guard(async () => void (await longDb.command({ ping: 1 }, { signal: budget.signal })), budget),
      ),

    /** Creates missing indexes, for up to half an hour. Throws CommandError when a different index is in the way. */
    createIndexes: (collections: readonly IndexedCollection[]) =>
      guard(() => createIndexes(longDb, collections)),

    /** A collection's indexes; none when it does not exist. */
    fetchIndexes: (collection: string) => guard(() => fetchIndexes(db, collection)),

    dropDatabase: () => guard(async () => void (await db.dropDatabase())),
    close: async () => void (await Promise.all([client.close(), longClient.close()])),
  };
}

/** Reads of collections other than the records', which ingest maintains. */
type Kept =
  | "fetchStoredLinks"
  | "fetchInactiveCount"
  | "fetchLoadedSources"
  | "fetchLoadedSourcesOrLast"
  | "persons";

function createReader(db: Db, readByIds: ReturnType<typeof gatherReads>): Omit<RecordReader, Kept> {
  return {
    fetchOne: (record, filter, budget) =>
      guard(async () => {
        const { _id: id, ...others } = filter;
        const isById = typeof id === "string" && Object.keys(others).length === 0;
        const [found] = isById
          ? await readByIds(record.collection, [id])
          : [await typed(db, record).findOne(toQuery(filter), boundsOf(budget))];
        return (found && !isTombstone(found) ? fromForm(found, record.collection) : null) as never;
      }, budget),
    fetchByIds: (record, ids, budget) =>
      guard(async () => {
        const found = await findAll(typed(db, record), { _id: ids }, { budget });
        const there = found.filter((item) => !isTombstone(item));
        return fromForms(there, record.collection) as never;
      }, budget),
    fetchPage: (record, page, budget) =>
      guard(async () => {
        const found = typed(db, record)
          .find(toLiveQuery(page.filter), boundsOf(budget))
          .sort(Object.fromEntries(page.sort))
          .skip(page.skip)
          .limit(page.limit);
        return fromForms(await found.toArray(), record.collection) as never;
      }, budget),
    fetchKeys: (record, filter, key, budget) =>
      guard(async () => {
        const options = { projection: { _id: 0, [key]: 1 }, ...boundsOf(budget) };
        const found = typed(db, record).find(toQuery(filter), options);
        return (await found.toArray()).map((document) => keyOf(document, key));
      }, budget),
    count: (record, filter, budget) =>
      guard(() => typed(db, record).countDocuments(toLiveQuery(filter), boundsOf(budget)), budget),
  };
}

/** Reads of many records at once. */
function openGroups(db: Db) {
  return {
    /** Records and tombstones with these ids, in no order. */
    fetchStored: (record: RecordDefinition, ids: readonly string[]) =>
      guard(() => fetchStored(typed(db, record), ids)),
    /** The same without the content of the records. */
    fetchStamps: (record: RecordDefinition, ids: readonly string[]) =>
      guard(() => fetchStamps(typed(db, record), ids)),
    /** All records whose field has one of the values, except groups that are too large. */
    fetchGroups: (record: RecordDefinition, query: GroupQuery) =>
      guard(() => fetchGroups(typed(db, record), query)),
  };
}

/**
 * Bulk writes of records. Inserts come before replacements: the order does not matter to MongoDB, and costs least on
 * compatible engines. Records are never deleted; a tombstone replaces a record that is gone.
 */
function openWriter(db: Db) {
  return {
    /** Inserts records whose id does not exist yet; returns the ids that existed. */
    insertMissing: (record: RecordDefinition, documents: RecordOrTombstone[]): Promise<Set<string>> =>
      guard(() => insertMissing(typed(db, record), documents.map(toForm))),

    /** Replaces each record that is unchanged since it was read; returns how many were replaced. */
    replaceUnchanged: (record: RecordDefinition, replacements: Replacement[]): Promise<number> =>
      guard(() => replaceUnchanged(typed(db, record), replacements)),
  };
}

function typed<D, K extends IndexKeys>(db: Db, { collection }: RecordDefinition<D, K>): Collection<Named> {
  return db.collection<Named>(collection);
}

interface CollectionSize {
  /** The server's own count. After a crash of the server it may be off by a few until the server counts again. */
  records: number;
  /** Bytes on disk, indexes included. */
  bytes: number;
}

/** Reads for operators. */
function openHealth(db: Db) {
  return {
    fetchServer: () => guard(() => fetchServer(db)),
    /** The disk of the database; null if the server does not report it. */
    fetchDisk: () => guard(() => fetchDisk(db)),
    /** Sizes of these collections, without a scan; 0 for one that does not exist. */
    fetchSizes: (collections: readonly string[]): Promise<Map<string, CollectionSize>> =>
      guard(async () => {
        const sizes = collections.map(async (name) => [name, await fetchSize(db, name)] as const);
        return new Map(await Promise.all(sizes));
      }),
  };
}

async function fetchServer(db: Db): Promise<ServerState> {
  const { version } = await db.command({ buildInfo: 1 });
  return { version: String(version), clientVersion: readClientVersion("mongodb") };
}

async function fetchDisk(db: Db): Promise<Capacity | null> {
  const { fsTotalSize, fsUsedSize } = await db.command({ dbStats: 1 });
  if (!fsTotalSize || fsUsedSize === undefined) return null;
  const totalBytes = Number(fsTotalSize);
  return { of: "mongodb", totalBytes, freeBytes: totalBytes - Number(fsUsedSize) };
}

const NOTHING: CollectionSize = { records: 0, bytes: 0 };

async function fetchSize(db: Db, collection: string): Promise<CollectionSize> {
  try {
    const stats = await db.command({ collStats: collection });
    const { count = 0, totalSize, storageSize = 0, totalIndexSize = 0 } = stats;
    const bytes = Number(totalSize ?? Number(storageSize) + Number(totalIndexSize));
    return { records: Number(count), bytes };
  } catch (error) {
    if (isNamespaceNotFound(error)) return NOTHING;
    throw error;
  }
}
