/**
 * Owns the records of a dry run: what MongoDB holds, and over it, in memory, what the run would have written so far.
 * Nothing is written to MongoDB.
 */
import { isGone } from "../../api/core/gone.ts";
import { keyOf } from "../../api/core/key-of.ts";
import type { GroupReader, MongoStore, RecordWriter, Replacement } from "../../api/core/stores/mongo.ts";
import type { RecordScanner } from "../../api/core/stores/mongo-scan.ts";
import type { HeldRecord, RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";

/** What would have become of a record. */
export interface DryRecord {
  collection: string;
  id: string;
  now: HeldRecord;
  /** True when MongoDB does not hold it, there or gone. */
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
  private read = new Map<string, Map<string, HeldRecord | undefined>>();
  /** Records that the batch is the first to tell. */
  private fresh: DryRecord[] = [];
  private created = new Map<string, Set<string>>();

  constructor(
    private readonly beneath: Pick<MongoStore, "records" | "scanner">,
    private readonly most: number,
  ) {
    const fetchHeld = this.fetchHeld.bind(this);
    this.reader = { ...beneath.records, fetchHeld, fetchGroups: this.fetchGroups.bind(this) };
    this.writer = {
      insertMissing: this.insertMissing.bind(this),
      replaceHeld: this.replaceHeld.bind(this),
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
    return [...(this.created.get(collection) ?? [])].filter((id) => isThere(told.get(id)?.now)).length;
  }

  /** Ends a batch. Returns what it is the first to tell where that is too much to be kept: it is forgotten. */
  end(): DryRecord[] {
    if (this.size <= this.most) return [];
    for (const { collection, id } of this.fresh) mapOf(this.told, collection).delete(id);
    this.size -= this.fresh.length;
    return this.fresh;
  }

  private async fetchHeld(record: RecordDefinition, ids: readonly string[]): Promise<HeldRecord[]> {
    const told = mapOf(this.told, record.collection);
    const read = mapOf(this.read, record.collection);
    const open = ids.filter((id) => !told.has(id) && !read.has(id));
    if (open.length > 0) {
      for (const id of open) read.set(id, undefined);
      for (const held of await this.beneath.records.fetchHeld(record, open)) read.set(held._id, held);
    }
    return ids.flatMap((id) => told.get(id)?.now ?? read.get(id) ?? []);
  }

  private async fetchGroups(
    record: RecordDefinition,
    query: Parameters<GroupReader["fetchGroups"]>[1],
  ): ReturnType<GroupReader["fetchGroups"]> {
    const told = mapOf(this.told, record.collection);
    const { records, large } = await this.beneath.records.fetchGroups(record, query);
    const values = new Set(query.values);
    const ours = [...told.values()].flatMap(({ now }) =>
      isThere(now) && values.has(keyOf(now, query.field)) ? now : [],
    );
    return { records: [...records.filter(({ _id }) => !told.has(_id)), ...ours], large };
  }

  private async insertMissing(record: RecordDefinition, documents: HeldRecord[]): Promise<Set<string>> {
    const { collection } = record;
    const ids = documents.map(({ _id }) => _id);
    const held = new Set((await this.fetchHeld(record, ids)).map(({ _id }) => _id));
    for (const document of documents) if (!held.has(document._id)) this.put(collection, document, undefined);
    return held;
  }

  /** Puts what stands for each record that is still held as it was read. */
  private async replaceHeld(record: RecordDefinition, replacements: Replacement[]): Promise<number> {
    const ids = replacements.map(({ stored }) => stored._id);
    const held = new Map((await this.fetchHeld(record, ids)).map((item) => [item._id, item]));
    const open = replacements.filter((item) => {
      const now = held.get(item.held._id);
      return now?.revision === item.held.revision && now.etag === item.held.etag;
    });
    for (const { stored } of open) this.put(record.collection, stored, held.get(stored._id));
    return open.length;
  }

  private put(collection: string, now: HeldRecord, before: HeldRecord | undefined): void {
    const id = now._id;
    if (!isThere(before) && isThere(now)) {
      this.created.set(collection, (this.created.get(collection) ?? new Set()).add(id));
    }
    const told = mapOf(this.told, collection);
    const known = told.get(id);
    if (known) {
      known.now = now;
      return;
    }
    const entry: DryRecord = {
      collection,
      id,
      now,
      isNew: mapOf(this.read, collection).get(id) === undefined,
    };
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
      yield chunk.flatMap((held) => {
        const now = told.get(held._id)?.now ?? held;
        return isThere(now) ? now : [];
      });
    }
    yield [...told.values()].flatMap(({ now, isNew }) => (isNew && isThere(now) ? now : []));
  }
}

function isThere(held: HeldRecord | undefined): held is StoredRecord {
  return held !== undefined && !isGone(held);
}

function mapOf<Value>(maps: Map<string, Map<string, Value>>, collection: string): Map<string, Value> {
  const found = maps.get(collection) ?? new Map<string, Value>();
  maps.set(collection, found);
  return found;
}
