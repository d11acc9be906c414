/** Owns the form in which a record is stored. Pure. */
import { contentHash } from "../../api/core/identifiers.ts";
import type { HeldRecord, RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";

/** Data of a record to the form it is stored in, as if nobody had stated anything of it. */
export function toStored(record: RecordDefinition, data: unknown, revision: number): StoredRecord {
  const keys = record.keysOf(data);
  return { ...keys, _id: record.identify(data), etag: contentHash(data), revision, data };
}

/** True when an event or a daily update of this day or later has told of the record: what a snapshot of the day lacks stays. */
export function isToldSince({ told = [], update }: HeldRecord, day: string | undefined): boolean {
  if (day === undefined) return false;
  return (
    told.some(({ event, at }) => event !== undefined && at >= day) ||
    (update !== undefined && update.day > day)
  );
}
