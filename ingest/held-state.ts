/** Owns the state that a batch's changes work on: records as they were read, and what has become of them so far. */
import { keyOf } from "../api/core/key-of.ts";
import type { StoredRecord } from "../api/resources/define-record.ts";
import type { HeldKey, HeldView } from "./held-changes.ts";
import type { Withdrawal } from "./withdrawals.ts";

/** A record as it was read, and as it is now; absent: not held. */
export interface HeldEntry {
  asRead?: StoredRecord;
  now?: StoredRecord;
}

/** What was read for the changes of a batch. */
export interface HeldReading {
  records: StoredRecord[];
  /** By identity. */
  withdrawals: ReadonlyMap<string, Withdrawal>;
  /** Fields of the keys by which records are looked for. */
  fields: readonly string[];
}

/** Records in memory, found by key; changes apply to it one after the other. */
export class HeldState implements HeldView {
  readonly entries = new Map<string, HeldEntry>();
  private readonly idsByKey = new Map<string, Set<string>>();
  private readonly withdrawnPlaces: Map<string, number>;

  constructor(private readonly reading: HeldReading) {
    this.withdrawnPlaces = new Map([...reading.withdrawals].map(([id, { place }]) => [id, place]));
    for (const record of reading.records) {
      this.entries.set(record._id, { asRead: record });
      this.put(record);
    }
  }

  find({ field, value }: HeldKey): StoredRecord[] {
    const ids = this.idsByKey.get(entryOf(field, value)) ?? new Set();
    // An id stays under a key that its record has lost since.
    return [...ids].flatMap((id) => {
      const record = this.get(id);
      return record && keyOf(record, field) === value ? record : [];
    });
  }

  get(id: string): StoredRecord | undefined {
    return this.entries.get(id)?.now;
  }

  withdrawnAt(id: string): number {
    return this.withdrawnPlaces.get(id) ?? 0;
  }

  isLeftBehind({ _id, revision }: StoredRecord): boolean {
    // What was written after the withdrawal came back, and was not left behind.
    return revision < (this.reading.withdrawals.get(_id)?.revision ?? 0);
  }

  put(record: StoredRecord): void {
    this.entries.set(record._id, { ...this.entries.get(record._id), now: record });
    for (const field of this.reading.fields) {
      const key = entryOf(field, keyOf(record, field));
      const ids = this.idsByKey.get(key) ?? new Set();
      this.idsByKey.set(key, ids.add(record._id));
    }
  }

  withdraw(id: string, place: number): void {
    const entry = { ...this.entries.get(id) };
    delete entry.now;
    this.entries.set(id, entry);
    this.withdrawnPlaces.set(id, place);
  }
}

function entryOf(field: string, value: string): string {
  return `${field}\t${value}`;
}
