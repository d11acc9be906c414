/** Owns MongoDB: opened from its address, read for the API, written by the worker. */
import type { Collection, Db, Document } from "mongodb";
import { withBudget, type Budget } from "../../runtime/budget.ts";
import { isTombstone } from "../../values/tombstone.ts";
import { keyOf } from "../../values/key-of.ts";
import type { RecordOrTombstone, IndexKeys, RecordDefinition } from "../../definitions/define-record.ts";
import type { Filter, RecordReader } from "../../definitions/record-reader.ts";
import { fetchStoredLinks, LINK_PAGES } from "../collections/link-pages.ts";
import { openLoadedSources } from "../collections/loaded-sources.ts";
import { boundsOf } from "./bounds.ts";
import { createClient, createLongClient } from "./client.ts";
import { guard } from "./faults.ts";
import { fromForm, toForm } from "./form.ts";
import { gatherReads } from "./gather.ts";
import { toLiveQuery, toQuery } from "./filters.ts";
import { fetchGroups, fetchStored, findAll, type FoundGroups, type GroupQuery } from "./groups.ts";
import { openHealth, type MongoHealth } from "./health.ts";
import { createIndexes, fetchIndexes, type ExistingIndex, type IndexedCollection } from "./indexes.ts";
import { openScanner, projectionOf, type RecordScanner } from "./scan.ts";
import { fetchInactiveCount } from "../collections/officer-counts.ts";
import { openPersons, type PersonReader } from "../collections/persons.ts";
import {
  amend,
  claim,
  insertMissing,
  put,
  raise,
  type Raising,
  replaceUnchanged,
  type Named,
  type Replacement,
} from "./writes.ts";

export type { Replacement } from "./writes.ts";

/**
 * Bulk writes of records, in the order that costs nothing on MongoDB and least on its stand-ins: inserts first. None is
 * ever deleted: one that is gone is replaced by what remembers that.
 */
export interface RecordWriter {
  /** Inserts what is not there yet; returns the ids that were. */
  insertMissing: (record: RecordDefinition, documents: RecordOrTombstone[]) => Promise<Set<string>>;
  /** Replaces each record that is unchanged since it was read; returns how many were. */
  replaceUnchanged: (record: RecordDefinition, replacements: Replacement[]) => Promise<number>;
}

/** Reads of records: those of the API, and those of whole groups, which documents and changes are made from. */
export interface GroupReader extends RecordReader {
  /** Records of these identities, those that are gone included, less those of the revision, in no order. */
  fetchStored: (
    record: RecordDefinition,
    ids: readonly string[],
    exceptRevision?: number,
  ) => Promise<RecordOrTombstone[]>;
  /** All records whose field has one of the values, less what the query leaves out. */
  fetchGroups: (record: RecordDefinition, query: GroupQuery) => Promise<FoundGroups>;
}

/** Documents whose `_id` lies between two texts, neither included. */
export interface IdSpan {
  after: string;
  before: string;
  /** Members that are read, and `_id`; absent: all. */
  members?: readonly string[];
}

/** Small documents of the service itself: keys, loads, refused rows. */
export interface DocumentStore {
  /** Stores a document under its `_id`, over the one that is there. */
  put: (collection: string, document: Document & { _id: string }) => Promise<void>;
  /** Stores many new documents; those whose `_id` is there already are left as they are, and returned by it. */
  putMissing: (collection: string, documents: (Document & { _id: string })[]) => Promise<Set<string>>;
  /**
   * Stores many documents, each over the one that is there unless that has a higher `rank`; members that the new
   * one lacks stay.
   */
  raise: (collection: string, documents: (Document & { _id: string })[], raising: Raising) => Promise<void>;
  /** Sets members of documents that are there; the others stay. */
  amend: (collection: string, members: (Document & { _id: string })[]) => Promise<void>;
  /**
   * Sets members of a document that is there and has none of them yet, in one step: of many who try at once it is true
   * for one.
   */
  claim: (collection: string, id: string, members: Document) => Promise<boolean>;
  fetch: (collection: string, id: string) => Promise<Document | null>;
  /**
   * Sets members of the document that fulfils all of the condition, `_id` among it, in one step; false when there is none.
   */
  amendIf: (collection: string, condition: Document & { _id: string }, members: Document) => Promise<boolean>;
  /** All documents that the filter names, in no order; a list of values means any of them. These members, all by default. */
  fetchAll: (
    collection: string,
    filter: Filter,
    members?: readonly string[],
    budget?: Budget,
  ) => Promise<Document[]>;
  /** Removes a document; nothing happens when it is not there. */
  remove: (collection: string, id: string) => Promise<void>;
  /** Whichever document comes first, in no order; null when there is none. Costs the same in a large collection. */
  fetchAny: (collection: string) => Promise<Document | null>;
  /** Documents that equal the filter, ordered by `_id`. */
  list: (collection: string, filter: Document, limit: number) => Promise<Document[]>;
  /** Documents of the span, ordered by `_id`. */
  listBetween: (collection: string, span: IdSpan, limit: number) => Promise<Document[]>;
  /** Documents of highest `_id`, in descending order; these members of each and `_id`, all by default. */
  listLatest: (collection: string, limit: number, members?: readonly string[]) => Promise<Document[]>;
  /** Removes the documents whose `_id` lies between two texts, neither included, less those that a filter names. */
  removeBetween: (
    collection: string,
    ids: { after: string; before: string },
    except?: readonly Filter[],
  ) => Promise<void>;
  /** Removes the documents in which a member, which is a text, comes before this one. */
  removeBefore: (collection: string, member: string, text: string) => Promise<void>;
  /** How many documents there are of each combination of values that these fields have. */
  countBy: (collection: string, fields: readonly string[]) => Promise<{ values: string[]; count: number }[]>;
}

/** An open MongoDB. Every failure to reach it is an UnavailableError. */
export interface MongoStore {
  records: GroupReader;
  writer: RecordWriter;
  scanner: RecordScanner;
  documents: DocumentStore;
  /** The same as that of `records`, asked again each time: what is projected must not miss what stands in it. */
  persons: PersonReader;
  /** What an operator asks. */
  health: MongoHealth;
  /** Rejects when the server does not answer, within so many milliseconds if given. */
  ping: (withinMs?: number) => Promise<void>;
  /**
   * Creates the indexes of every collection; those that exist are left alone. Over a filled collection it may take half an
   * hour. Throws CommandError when one is in the way.
   */
  createIndexes: (collections: readonly IndexedCollection[]) => Promise<void>;
  /** A collection's indexes; none when it does not exist. */
  fetchIndexes: (collection: string) => Promise<ExistingIndex[]>;
  dropDatabase: () => Promise<void>;
  close: () => Promise<void>;
}

// The first real id of a register shows within this time.
const NO_PERSONS_MS = 2_000;

/** Opens a pool; nothing is sent until the first operation. */
export function openMongo(options: { url: string; database: string; timeoutMs: number }): MongoStore {
  const client = createClient(options.url, {
    // A request must not wait long for a server that is gone: it is answered 503 and tried again.
    serverSelectionTimeoutMS: Math.min(options.timeoutMs, 3_000),
    socketTimeoutMS: options.timeoutMs,
    maxPoolSize: 32,
    // Of a server that greets and then answers nothing: who finds every connection taken does not wait longer than they do.
    waitQueueTimeoutMS: options.timeoutMs,
    // What is acknowledged survives the death of the server, as a replica set has it by itself; a server of its own
    // would answer up to 100 ms before, and a batch that counts as written could be lost.
    journal: true,
  });
  const longClient = createLongClient(options.url);
  const db = client.db(options.database);
  const longDb = longClient.db(options.database);
  const documents = createDocuments(db);
  const readByIds = gatherReads((collection, ids) =>
    withBudget(options.timeoutMs, (budget) => findAll(db.collection(collection), { _id: ids }, { budget })),
  );
  return {
    records: {
      ...createReader(db, readByIds),
      fetchStoredLinks: (company, links, budget) =>
        guard(() => fetchStoredLinks((ids) => readByIds(LINK_PAGES, ids, budget), company, links), budget),
      fetchInactiveCount: (...asked) => fetchInactiveCount(documents, ...asked),
      fetchLoadedSources: openLoadedSources(documents.listLatest, Date.now),
      persons: openPersons(documents, NO_PERSONS_MS),
    },
    persons: openPersons(documents, 0),
    writer: createWriter(db),
    scanner: openScanner(longDb),
    documents,
    health: openHealth(db),
    // By connections of its own: those of requests may all be waiting.
    ping: (withinMs = options.timeoutMs) =>
      withBudget(withinMs, (budget) =>
        guard(async () => void (await longDb.command({ ping: 1 }, { signal: budget.signal })), budget),
      ),
    createIndexes: (collections) => guard(() => createIndexes(longDb, collections)),
    fetchIndexes: (collection) => guard(() => fetchIndexes(db, collection)),
    dropDatabase: () => guard(async () => void (await db.dropDatabase())),
    close: async () => void (await Promise.all([client.close(), longClient.close()])),
  };
}

/** Reads of what ingest keeps beside the records. */
type Kept = "fetchStoredLinks" | "fetchInactiveCount" | "fetchLoadedSources" | "persons";

function createReader(db: Db, readByIds: ReturnType<typeof gatherReads>): Omit<GroupReader, Kept> {
  return {
    fetchOne: (record, filter, budget) =>
      guard(async () => {
        const { _id: id, ...others } = filter;
        const isById = typeof id === "string" && Object.keys(others).length === 0;
        const [found] = isById
          ? await readByIds(record.collection, [id], budget)
          : [await typed(db, record).findOne(toQuery(filter), boundsOf(budget))];
        return (found && !isTombstone(found) ? fromForm(found) : null) as never;
      }, budget),
    fetchStored: (record, ids, exceptRevision) =>
      guard(() => fetchStored(typed(db, record), ids, exceptRevision)),
    fetchByIds: (record, ids, budget) =>
      guard(async () => {
        const found = await findAll(typed(db, record), { _id: ids }, { budget });
        return found.filter((item) => !isTombstone(item)).map(fromForm) as never;
      }, budget),
    fetchPage: (record, page, budget) =>
      guard(async () => {
        const found = typed(db, record)
          .find(toLiveQuery(page.filter), boundsOf(budget))
          .sort(Object.fromEntries(page.sort))
          .skip(page.skip)
          .limit(page.limit);
        return (await found.toArray()).map(fromForm) as never;
      }, budget),
    fetchKeys: (record, filter, key, budget) =>
      guard(async () => {
        const options = { projection: { _id: 0, [key]: 1 }, ...boundsOf(budget) };
        const found = typed(db, record).find(toQuery(filter), options);
        return (await found.toArray()).map((document) => keyOf(document, key));
      }, budget),
    count: (record, filter, budget) =>
      guard(() => typed(db, record).countDocuments(toLiveQuery(filter), boundsOf(budget)), budget),
    fetchGroups: (record, query) => guard(() => fetchGroups(typed(db, record), query)),
  };
}

function createWriter(db: Db): RecordWriter {
  return {
    insertMissing: (record, documents) =>
      guard(() => insertMissing(typed(db, record), documents.map(toForm))),
    replaceUnchanged: (record, replacements) =>
      guard(() => replaceUnchanged(typed(db, record), replacements)),
  };
}

function createDocuments(db: Db): DocumentStore {
  const named = (collection: string) => db.collection<Document & { _id: string }>(collection);
  return {
    put: (collection, document) => guard(() => put(named(collection), document)),
    putMissing: (collection, documents) => guard(() => insertMissing(named(collection), documents)),
    raise: (collection, documents, raising) => guard(() => raise(named(collection), documents, raising)),
    amend: (collection, members) => guard(() => amend(named(collection), members)),
    claim: (collection, id, members) => guard(() => claim(named(collection), id, members)),
    fetch: (collection, id) => guard(() => named(collection).findOne({ _id: id })),
    amendIf: (collection, condition, members) =>
      guard(async () => {
        const { matchedCount } = await named(collection).updateOne(condition, { $set: members });
        return matchedCount === 1;
      }),
    fetchAll: (collection, filter, members, budget) =>
      guard(() => findAll(named(collection), filter, { members, budget }), budget),
    remove: (collection, id) => guard(async () => void (await named(collection).deleteOne({ _id: id }))),
    // In no order: one engine sorts a whole collection before it gives the first document.
    fetchAny: (collection) => guard(() => named(collection).findOne({})),
    list: (collection, filter, limit) =>
      guard(() => named(collection).find(filter).sort({ _id: 1 }).limit(limit).toArray()),
    listBetween: (collection, { after, before, members }, limit) =>
      guard(() =>
        named(collection)
          .find({ _id: { $gt: after, $lt: before } }, projectionOf(members))
          .sort({ _id: 1 })
          .limit(limit)
          .toArray(),
      ),
    listLatest: (collection, limit, members) =>
      guard(() => named(collection).find({}, projectionOf(members)).sort({ _id: -1 }).limit(limit).toArray()),
    removeBetween: (collection, { after, before }, except = []) =>
      guard(async () => {
        const kept = except.length > 0 && { $nor: except.map(toQuery) };
        await named(collection).deleteMany({ _id: { $gt: after, $lt: before }, ...kept });
      }),
    removeBefore: (collection, member, text) =>
      guard(async () => void (await named(collection).deleteMany({ [member]: { $lt: text } }))),
    countBy: (collection, fields) => guard(() => countBy(named(collection), fields)),
  };
}

async function countBy(collection: Collection<Document & { _id: string }>, fields: readonly string[]) {
  const combination = Object.fromEntries(fields.map((field) => [field, `$${field}`]));
  const groups = await collection
    .aggregate<{ _id: Record<string, string>; count: number }>([
      { $group: { _id: combination, count: { $sum: 1 } } },
    ])
    .toArray();
  return groups.map(({ _id, count }) => ({ values: fields.map((field) => _id[field] ?? ""), count }));
}

function typed<D, K extends IndexKeys>(db: Db, { collection }: RecordDefinition<D, K>): Collection<Named> {
  return db.collection<Named>(collection);
}
