/** Owns the form in which a record is stored, and the order of its stamps. Pure. */
import { addDays } from "../../api/core/dates.ts";
import { contentHash } from "../../api/core/identifiers.ts";
import type { EventStamp, RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";

/** Data of a record to the form it is stored in. */
export function toStored(record: RecordDefinition, data: unknown, revision: number): StoredRecord {
  const keys = record.keysOf(data);
  return { ...keys, _id: record.identify(data), etag: contentHash(data), revision, data };
}

/**
 * True when the event was published after the snapshot: on its day or later, since snapshots are made in the night or the
 * early morning. A source without a day takes everything over.
 */
export function isAfter(event: EventStamp | undefined, productionDate: string | undefined): boolean {
  if (!event || productionDate === undefined) return false;
  return event.published_at.slice(0, productionDate.length) >= productionDate;
}

/** The day of a snapshot that shows what a daily update of `day` tells: an update tells all of its own day. */
export function snapshotDayOf(day: string): string {
  return addDays(day, 1);
}

/** True when a daily update of a later day than the snapshot's has told of the record. */
export function isUpdatedAfter({ update }: StoredRecord, productionDate: string | undefined): boolean {
  return update !== undefined && productionDate !== undefined && update.day > productionDate;
}

/** True when what is held does not know of the event yet: it was told by a file, or by an older event. */
export function isOlder(held: StoredRecord, event: EventStamp): boolean {
  return !held.event || (held.event.uri === event.uri && held.event.timepoint < event.timepoint);
}

/** Two addresses of one record share no timepoint in a stream; if they ever did, one order is as good as another. */
export function compareStamps(a: EventStamp, b: EventStamp): number {
  return a.timepoint - b.timepoint || Number(a.uri > b.uri) - Number(a.uri < b.uri);
}
