/**
 * Owns what becomes of a record when an event comes after a snapshot that was made later than it: what follows had the two
 * come by their days. The record remembers its snapshots for it. Pure.
 *
 * Limit: an edition that finds a record as it says does not raise its day, which would write every record of every
 * edition. An event that was published between the two editions and comes after the later one counts as newer than both.
 *
 * Limit: a record that a whole edition has retired (`--complete`) leaves nothing that remembers it; an older event that
 * comes afterwards brings it back.
 */
import { contentHash } from "../../api/core/identifiers.ts";
import type {
  EventStamp,
  RecordDefinition,
  SnapshotStamp,
  StoredRecord,
} from "../../api/resources/define-record.ts";
import { mergeRecords, type Telling } from "../merge.ts";
import { isAfter, toStored } from "./stored.ts";

// Limit: earlier snapshots that a record remembers beside the last one, some 1 kB each. Few ever need one.
const MOST_BEFORE = 3;

/** The telling of a name; undefined for one that is not known any more. */
export type FindTelling = (name: string) => Telling | undefined;

/** True when a snapshot that was made later than the event has told of the record. */
export function isOvertaken(event: EventStamp, { snapshot }: StoredRecord): boolean {
  return snapshot !== undefined && !isAfter(event, snapshot.day);
}

/**
 * The record as the snapshots that were made later than the event tell it after `base`, which the event told; undefined: it
 * told a deletion. `held` must be overtaken. The revision is one higher; the event is not noted.
 */
export function retell(
  record: RecordDefinition,
  base: unknown,
  held: StoredRecord,
  { event, findTelling }: { event: EventStamp; findTelling: FindTelling },
): StoredRecord {
  const layers = layersOf(held);
  const since = layers.slice(layers.findIndex(({ day }) => !isAfter(event, day)));
  const data = since.reduce((before, { tells, told }) => {
    const telling = tells === undefined ? undefined : findTelling(tells);
    return telling && before !== undefined ? mergeRecords(before, told, telling) : told;
  }, base);
  const made = toStored(record, data, held.revision + 1);
  const last = since.at(-1);
  const snapshot = last && stampOf(last, since.slice(0, -1), made.etag);
  const { update } = held;
  return { ...made, ...(snapshot && { snapshot }), ...(update && { update }) };
}

/** What a file told, and what came of it. */
interface Written {
  stored: StoredRecord;
  telling: Telling | undefined;
  merged: StoredRecord;
}

/**
 * What a record remembers of snapshots after a file has told of it. One without a day counts as later than the snapshot
 * before it, so that what yields to that yields to this one.
 */
export function stampAfterFile(
  record: RecordDefinition,
  { stored, telling, merged }: Written,
  held: StoredRecord,
): SnapshotStamp | undefined {
  const { snapshot: before } = held;
  if (!stored.snapshot) return before && withoutTold(telling ? before : { day: before.day });
  if (merged.etag === stored.etag) return stored.snapshot;
  const layers = layersOf(held);
  const below = layers.at(-1)?.told;
  const isBelowSeen =
    telling !== undefined &&
    below !== undefined &&
    toStored(record, mergeRecords(below, stored.data, telling), 0).etag !== stored.etag;
  return stampOf({ ...stored.snapshot, told: stored.data }, isBelowSeen ? layers : [], merged.etag);
}

/** The snapshots that a record remembers, oldest first, each with what it told. */
function layersOf({ snapshot, data }: StoredRecord): SnapshotStamp[] {
  if (!snapshot) return [];
  const { before = [], ...last } = snapshot;
  return [...before, { ...last, told: last.told ?? data }];
}

function stampOf(last: SnapshotStamp, before: SnapshotStamp[], etag: string): SnapshotStamp {
  const stamp = contentHash(last.told) === etag ? withoutTold(last) : last;
  return before.length > 0 ? { ...stamp, before: before.slice(-MOST_BEFORE) } : stamp;
}

/** `data` is then what counts as told. */
export function withoutTold({ day, tells }: SnapshotStamp): SnapshotStamp {
  return { day, ...(tells !== undefined && { tells }) };
}
