/** What a change says of addresses that records of streams had before it and have no longer. */
import type { HeldRecord, RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";
import type { ResourceAddress } from "../../api/resources/incoming-resource.ts";
import { isGone } from "../../api/core/gone.ts";

/** Addresses by collection. */
export type Addresses = Record<string, ResourceAddress[]>;

/** Gathers them while a batch is written. */
export class LeftAddresses {
  private readonly before = new Map<string, Map<string, ResourceAddress>>();

  /** Call it before these are replaced. True when something new was noted. */
  noteLeft(record: RecordDefinition, held: readonly StoredRecord[]): boolean {
    if (!canMove(record, held)) return false;
    const noted = this.before.get(record.collection) ?? new Map<string, ResourceAddress>();
    const before = noted.size;
    for (const { _id, data } of held) {
      const address = record.incoming?.addressOf?.(data);
      if (address && !noted.has(_id)) noted.set(_id, address);
    }
    this.before.set(record.collection, noted);
    return noted.size > before;
  }

  /** Forgets those that have stayed; a record that is gone keeps its address itself. */
  noteMade({ collection, incoming }: RecordDefinition, now: readonly HeldRecord[]): void {
    const noted = this.before.get(collection);
    if (!noted) return;
    for (const held of now)
      if (isGone(held) || incoming?.addressOf?.(held.data).uri === noted.get(held._id)?.uri)
        noted.delete(held._id);
  }

  list(): Addresses {
    const lists: Addresses = {};
    for (const [collection, noted] of this.before)
      if (noted.size > 0) lists[collection] = [...noted.values()];
    return lists;
  }
}

/** Where the address is that by which records are stored, no record has another one. */
function canMove({ incoming }: RecordDefinition, [first]: readonly StoredRecord[]): boolean {
  const address = first && incoming?.addressOf?.(first.data);
  return address !== undefined && incoming?.locate({ ...address, data: {} }).field !== "_id";
}
