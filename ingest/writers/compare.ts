/**
 * Owns how a record that comes in stands against the one that is held: by timepoint, by day and by batch, whatever the
 * order in which they come. Pure.
 */
import type { Replacement } from "../../api/core/stores/mongo.ts";
import type { EventStamp, RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";
import type { LastingKey } from "../lasting.ts";
import { mergeRecords, type Telling } from "../merge.ts";
import { isOvertaken, retell, stampAfterFile, type FindTelling } from "./retell.ts";
import { compareStamps, isAfter, isUpdatedAfter, toStored } from "./stored.ts";

/** A record on its way in. */
export interface PendingRecord {
  stored: StoredRecord;
  /** The event that tells it, which is also the stamp of `stored`; absent: a row of a file. */
  event?: EventStamp;
  /** Top-level members that its source tells, and how they are merged; undefined: it replaces what is held. */
  tells: Telling | undefined;
  /** The key under which something that lasts may have been told of it. */
  lasting?: LastingKey;
}

/** What decides beside the records themselves. */
export interface CompareOptions {
  /** The day of the snapshot that tells the record. */
  productionDate?: string | undefined;
  findTelling?: FindTelling;
}

/** What is to be done about a record. */
export interface Comparison {
  replacement?: Replacement;
  /** Held as this very batch wrote it. */
  ours?: StoredRecord;
  /** Removed by somebody between the insert and the look. */
  isGone?: true;
}

/** What is to be done about a record that is held: nothing when it is newer or says the same. */
export function compare(
  record: RecordDefinition,
  pending: PendingRecord,
  held: StoredRecord | undefined,
  { productionDate, findTelling }: CompareOptions,
): Comparison {
  if (!held) return { isGone: true };
  const { event, stored } = pending;
  if (event) return compareEvent(record, stored, event, held, findTelling);
  return compareRow(record, pending, held, productionDate);
}

/**
 * Between a file and an event the day decides, not the batch: a load that was begun before the event came may tell later.
 * Among files the batch decides, and the day of those that an event came between.
 *
 * Limit: a file without a day that came behind such an event leaves no mark, so that a late row takes it over, too.
 */
function compareRow(
  record: RecordDefinition,
  { stored, tells }: PendingRecord,
  held: StoredRecord,
  productionDate: string | undefined,
): Comparison {
  if (isAfter(held.event, productionDate) || isUpdatedAfter(held, productionDate)) return {};
  if (held.revision === stored.revision) return { ours: held };
  const isLate = held.revision > stored.revision;
  const { day: toldDay = "" } = held.snapshot ?? {};
  if (isLate && (!held.event || productionDate === undefined || toldDay > productionDate)) return {};
  const revision = isLate ? held.revision + 1 : stored.revision;
  const merged = tells
    ? toStored(record, mergeRecords(held.data, stored.data, tells), revision)
    : { ...stored, revision };
  const isOfDay = toldDay === productionDate;
  // Of a late one it may be what an earlier run of this batch has written.
  if (merged.etag === held.etag && isLate) return isOfDay ? { ours: held } : {};
  if (merged.etag === held.etag && hasKeysOf(merged, held)) return {};
  if (isLate && isOfDay) return {};
  // What the stream has told so far stays known: an event older than that is still an older one.
  const known = newerOf(held.event, stored.event);
  const snapshot = stampAfterFile(record, { stored, telling: tells, merged }, held);
  const kept = { ...merged, ...(known && { event: known }), ...(snapshot && { snapshot }) };
  return { replacement: { stored: keepUpdate(kept, held), held } };
}

/**
 * Among events the timepoint decides, not the batch: an old batch may bring the newer event. The revision rises
 * all the same, since replacing and removing go by it.
 */
function compareEvent(
  record: RecordDefinition,
  stored: StoredRecord,
  event: EventStamp,
  held: StoredRecord,
  findTelling: FindTelling = () => undefined,
): Comparison {
  const order = held.event ? compareStamps(held.event, event) : -1;
  if (order > 0) return {};
  // A repeat has nothing to add, also when a newer snapshot has changed the record since. Of this very batch, run
  // again, the record was written before: its revision is not below the batch's.
  if (order === 0) return held.revision >= stored.revision ? { ours: held } : {};
  const revision = Math.max(stored.revision, held.revision + 1);
  const told = isOvertaken(event, held) ? retell(record, stored.data, held, { event, findTelling }) : stored;
  const replacing = keepUpdate({ ...told, event, revision }, held);
  return { replacement: { stored: replacing, held } };
}

// What a stored record is beside its keys.
const NO_KEYS = new Set(["_id", "etag", "revision", "event", "update", "snapshot", "data"]);

/** False for a record that a former release has stored, which found records by fewer keys, or by others. */
function hasKeysOf(merged: StoredRecord, held: StoredRecord): boolean {
  const stored = held as Record<string, unknown>;
  return Object.entries(merged).every(([key, value]) => NO_KEYS.has(key) || stored[key] === value);
}

/** Whoever writes a record, what daily updates have told of it they do not tell again. */
function keepUpdate(stored: StoredRecord, { update }: StoredRecord): StoredRecord {
  return update ? { ...stored, update } : stored;
}

function newerOf(a: EventStamp | undefined, b: EventStamp | undefined): EventStamp | undefined {
  return a && b ? (compareStamps(a, b) < 0 ? b : a) : (a ?? b);
}
