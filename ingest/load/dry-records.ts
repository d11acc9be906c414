/**
 * Owns the records of a dry run: what MongoDB holds, and over it, in memory, what the run would have written so far.
 * Nothing is written to MongoDB.
 */
import { keyOf } from "../../api/core/key-of.ts";
import type { GroupReader, MongoStore, RecordWriter } from "../../api/core/stores/mongo.ts";
import type { RecordScanner } from "../../api/core/stores/mongo-scan.ts";
import type { RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";

/** What would have become of a record. */
export interface DryRecord {
  collection: string;
  id: string;
  /** Absent: it would have been removed. */
  now?: StoredRecord;
  /** True when MongoDB does not hold it. */
  isNew: boolean;
}

/** Records in memory over those of MongoDB, batch by batch. */
export class DryRecords {
  readonly reader: GroupReader;
  readonly writer: RecordWriter;
  readonly scanner: Pick<RecordScanner, "scan" | "patiently">;
  private readonly told = new Map<string, Map<string, DryRecord>>();
  private size = 0;
  /** What MongoDB has answered to the batch; undefined: it does not hold that. */
  private read = new Map<string, Map<string, StoredRecord | undefined>>();
  /** Records that the batch is the first to tell. */
  private fresh: DryRecord[] = [];
  private created = new Map<string, Set<string>>();

  constructor(
    private readonly beneath: Pick<MongoStore, "records" | "scanner">,
    private readonly most: number,
  ) {
    // The casts: readers and writers are of any kind of record, what is kept here is of each its own.
    const fetchByIds = (record: RecordDefinition, ids: string[]) => this.fetchByIds(record, ids) as never;
    this.reader = { ...beneath.records, fetchByIds, fetchGroups: this.fetchGroups.bind(this) };
    this.writer = {
      insertMissing: this.insertMissing.bind(this),
      replaceHeld: (record, replacements) =>
        this.putHeld(
          record,
          replacements.map(({ stored, held }) => ({ ...held, stored })),
        ),
      removeHeld: (record, held) => this.putHeld(record, held),
    };
    this.scanner = {
      scan: this.scan.bind(this),
      patiently: (read) => beneath.scanner.patiently(read),
    };
  }

  begin(): void {
    this.read = new Map();
    this.fresh = [];
    this.created = new Map();
  }

  /** Of the records that the batch would have created those that are still there. */
  countCreated({ collection }: RecordDefinition): number {
    const told = mapOf(this.told, collection);
    return [...(this.created.get(collection) ?? [])].filter((id) => told.get(id)?.now).length;
  }

  /** Ends a batch. Returns what it is the first to tell where that is too much to be kept: it is forgotten. */
  end(): DryRecord[] {
    if (this.size <= this.most) return [];
    for (const { collection, id } of this.fresh) mapOf(this.told, collection).delete(id);
    this.size -= this.fresh.length;
    return this.fresh;
  }

  private async fetchByIds(record: RecordDefinition, ids: string[]): Promise<StoredRecord[]> {
    const told = mapOf(this.told, record.collection);
    const read = mapOf(this.read, record.collection);
    const open = ids.filter((id) => !told.has(id) && !read.has(id));
    if (open.length > 0) {
      for (const id of open) read.set(id, undefined);
      for (const held of await this.beneath.records.fetchByIds(record, open)) read.set(held._id, held);
    }
    return ids.flatMap((id) => (told.has(id) ? told.get(id)?.now : read.get(id)) ?? []);
  }

  private async fetchGroups(
    record: RecordDefinition,
    query: Parameters<GroupReader["fetchGroups"]>[1],
  ): ReturnType<GroupReader["fetchGroups"]> {
    const told = mapOf(this.told, record.collection);
    const { records, large } = await this.beneath.records.fetchGroups(record, query);
    const values = new Set(query.values);
    const ours = [...told.values()].flatMap(({ now }) =>
      now && values.has(keyOf(now, query.field)) ? now : [],
    );
    return { records: [...records.filter(({ _id }) => !told.has(_id)), ...ours], large };
  }

  private async insertMissing(record: RecordDefinition, documents: StoredRecord[]): Promise<Set<string>> {
    const { collection } = record;
    const ids = documents.map(({ _id }) => _id);
    const held = new Set((await this.fetchByIds(record, ids)).map(({ _id }) => _id));
    const created = this.created.get(collection) ?? new Set();
    this.created.set(collection, created);
    for (const document of documents) {
      if (held.has(document._id)) continue;
      this.put(collection, document._id, document);
      created.add(document._id);
    }
    return held;
  }

  /** Puts what stands for each record that is still held as it was read; nothing stands for a removal. */
  private async putHeld(
    record: RecordDefinition,
    writes: (Pick<StoredRecord, "_id" | "revision" | "etag"> & { stored?: StoredRecord })[],
  ): Promise<number> {
    const ids = writes.map(({ _id }) => _id);
    const held = new Map((await this.fetchByIds(record, ids)).map((item) => [item._id, item]));
    const isAsRead = ({ _id, revision, etag }: (typeof writes)[number]) =>
      held.get(_id)?.revision === revision && held.get(_id)?.etag === etag;
    const open = writes.filter(isAsRead);
    for (const { _id, stored } of open) this.put(record.collection, _id, stored);
    return open.length;
  }

  private put(collection: string, id: string, stored: StoredRecord | undefined): void {
    const told = mapOf(this.told, collection);
    const before = told.get(id);
    if (before) {
      if (stored) before.now = stored;
      else delete before.now;
      return;
    }
    const isNew = mapOf(this.read, collection).get(id) === undefined;
    const entry: DryRecord = { collection, id, isNew, ...(stored && { now: stored }) };
    told.set(id, entry);
    this.fresh.push(entry);
    this.size += 1;
  }

  private async *scan(
    record: RecordDefinition,
    scan: Parameters<RecordScanner["scan"]>[1],
  ): AsyncGenerator<StoredRecord[]> {
    const told = mapOf(this.told, record.collection);
    for await (const chunk of this.beneath.scanner.scan(record, scan)) {
      yield chunk.flatMap((held) => (told.has(held._id) ? (told.get(held._id)?.now ?? []) : held));
    }
    yield [...told.values()].flatMap(({ now, isNew }) => (isNew && now ? now : []));
  }
}

function mapOf<Value>(maps: Map<string, Map<string, Value>>, collection: string): Map<string, Value> {
  const found = maps.get(collection) ?? new Map<string, Value>();
  maps.set(collection, found);
  return found;
}
