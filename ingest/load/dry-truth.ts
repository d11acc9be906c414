/** Owns the truth that a dry run works on, which follows what its batches would write as far as memory allows. */
import type { MongoStore } from "../../api/core/stores/mongo.ts";
import type { RecordDefinition } from "../../api/resources/define-record.ts";
import type { Truth } from "../write-rows.ts";
import { DryDocuments } from "./dry-documents.ts";
import { DryRecords, type DryRecord } from "./dry-records.ts";
import { ToldBefore, type Said } from "./told-before.ts";

/**
 * Limit: records that are kept as they would be, some 2 kB each, and as many small documents. Of records beyond that
 * only what was said of them is known.
 */
export const MOST_KEPT = 50_000;

/** MongoDB, and over it what the batches so far would have written. */
export class DryTruth implements Truth {
  readonly records: Truth["records"];
  readonly writer: Truth["writer"];
  readonly documents: Truth["documents"];
  readonly scanner: DryRecords["scanner"];
  private readonly dryRecords: DryRecords;
  private readonly dryDocuments: DryDocuments;
  private readonly before = new ToldBefore();
  private hasForgotten = false;

  constructor(mongo: Pick<MongoStore, "records" | "scanner" | "documents">, most = MOST_KEPT) {
    this.dryRecords = new DryRecords(mongo, most);
    this.dryDocuments = new DryDocuments(mongo.documents, most);
    this.records = this.dryRecords.reader;
    this.writer = this.dryRecords.writer;
    this.scanner = this.dryRecords.scanner;
    this.documents = this.dryDocuments.store;
  }

  /** False once something was forgotten: a row that looks for it does not find it. */
  get isWhole(): boolean {
    return !this.hasForgotten && !this.dryDocuments.isOver;
  }

  begin(): void {
    this.dryRecords.begin();
  }

  /** How many records of a kind the batch has created that are still there. */
  countCreated(record: RecordDefinition): number {
    return this.dryRecords.countCreated(record);
  }

  /** What a row does to a record that was told and forgotten; undefined where it can be looked at. */
  guess(record: RecordDefinition, said: Said): "changed" | "none" | undefined {
    return this.hasForgotten && this.before.has(record, said) ? this.before.tell(record, said) : undefined;
  }

  /** Ends a batch that named these records. Returns what is forgotten. */
  end(named: Iterable<[RecordDefinition, Said]>): DryRecord[] {
    const forgotten = this.dryRecords.end();
    if (forgotten.length === 0) return forgotten;
    this.hasForgotten = true;
    const keys = new Set(forgotten.map(({ collection, id }) => `${collection}\t${id}`));
    for (const [record, said] of named) {
      if (keys.has(`${record.collection}\t${said.id}`)) this.before.tell(record, said);
    }
    return forgotten;
  }
}
