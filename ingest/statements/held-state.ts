/** Owns the state that a batch's changes work on: records as they were read, and what has become of them so far. */
import { isGone } from "../../api/core/gone.ts";
import { keyOf } from "../../api/core/key-of.ts";
import type { HeldRecord, StoredRecord } from "../../api/resources/define-record.ts";
import type { HeldKey, HeldView } from "./held-changes.ts";

/** A record as it was read, there or gone, and as it is now; absent: there was none. */
export interface HeldEntry {
  asRead?: HeldRecord;
  now?: HeldRecord;
}

/** What was read for the changes of a batch. */
export interface HeldReading {
  records: readonly HeldRecord[];
  /** Fields of the keys by which records are looked for. */
  fields: readonly string[];
}

/** Records in memory, found by key; changes apply to it one after the other. */
export class HeldState implements HeldView {
  readonly entries = new Map<string, HeldEntry>();
  private readonly idsByKey = new Map<string, Set<string>>();

  constructor(private readonly reading: HeldReading) {
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
    const held = this.entries.get(id)?.now;
    return held && !isGone(held) ? held : undefined;
  }

  withdrawnAt(id: string): number {
    const places = (this.entries.get(id)?.now?.told ?? []).map(({ gone, event, place }) =>
      gone && !event ? (place ?? 0) : 0,
    );
    return Math.max(0, ...places);
  }

  put(record: HeldRecord): void {
    this.entries.set(record._id, { ...this.entries.get(record._id), now: record });
    if (isGone(record)) return;
    for (const field of this.reading.fields) {
      const key = entryOf(field, keyOf(record, field));
      const ids = this.idsByKey.get(key) ?? new Set();
      this.idsByKey.set(key, ids.add(record._id));
    }
  }
}

function entryOf(field: string, value: string): string {
  return `${field}\t${value}`;
}
