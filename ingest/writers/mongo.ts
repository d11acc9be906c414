/** Owns the writing of records to MongoDB: new ones are inserted, changed ones replaced, equal ones left alone. */
import { contentHash } from "../../api/core/identifiers.ts";
import type { MongoStore, Replacement } from "../../api/core/stores/mongo.ts";
import type { EventStamp, RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";
import type { LastingKey } from "../lasting.ts";
import { mergeRecords, type Telling } from "../merge.ts";

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

/** What is told to a writer from outside. */
export interface WriteOptions {
  /** Told, before it happens, which records will be replaced or removed. */
  onLeave: (held: StoredRecord[]) => Promise<void>;
  /** Told when an earlier run of the same batch has written some of the records. */
  onRepeat?: () => void;
  /** The day that a snapshot shows, `YYYY-MM-DD`: what an event published after it has told stays. */
  productionDate?: string | undefined;
}

// Limit: looks at records that others keep writing at the same time; each look settles at least one of them.
const MOST_LOOKS = 20;

/** Data of a record to the form it is stored in. */
export function toStored(record: RecordDefinition, data: unknown, revision: number): StoredRecord {
  const keys = record.keysOf(data);
  return { ...keys, _id: record.identify(data), etag: contentHash(data), revision, data };
}

/** True when the event was published after the day of the snapshot; a source without a day takes everything over. */
export function isAfter(event: EventStamp | undefined, productionDate: string | undefined): boolean {
  if (!event || productionDate === undefined) return false;
  return event.published_at.slice(0, productionDate.length) > productionDate;
}

/** True when a daily update of a later day than the snapshot's has told of the record. */
export function isUpdatedAfter({ update }: StoredRecord, productionDate: string | undefined): boolean {
  return update !== undefined && productionDate !== undefined && update.day > productionDate;
}

/** True when what is held does not know of the event yet: it was told by a file, or by an older event. */
export function isOlder(held: StoredRecord, event: EventStamp): boolean {
  return !held.event || (held.event.uri === event.uri && held.event.timepoint < event.timepoint);
}

/**
 * Writes records of one kind, each id once, and returns those that are held as this batch wrote them, in this
 * run or in an earlier one. Inserts go first and only what was there already is fetched and compared: a first
 * load then costs one round trip. A record is replaced only while it is still the one that was read.
 *
 * Limit: equal content does not raise the held revision, which would write every record of an unchanged file.
 * A batch of an older load that is late may therefore still outdo it, until the next edition.
 */
export async function writeRecords(
  { writer, records }: Pick<MongoStore, "writer" | "records">,
  record: RecordDefinition,
  pending: PendingRecord[],
  { onLeave, onRepeat, productionDate }: WriteOptions,
): Promise<StoredRecord[]> {
  const written: StoredRecord[] = [];
  let open = pending;
  for (let look = 1; open.length > 0; look += 1) {
    guardLooks(look, record);
    const stored = open.map((item) => item.stored);
    const existing = await writer.insertMissing(record, stored);
    written.push(...stored.filter(({ _id }) => !existing.has(_id)));
    open = open.filter(({ stored: { _id } }) => existing.has(_id));
    if (open.length === 0) break;
    const held = new Map((await records.fetchByIds(record, ids(open))).map((item) => [item._id, item]));
    const compared = open.map((item) => compare(record, item, held.get(item.stored._id), productionDate));
    const replacements = compared.flatMap(({ replacement }) => replacement ?? []);
    const ours = compared.flatMap((item) => item.ours ?? []);
    written.push(...ours);
    if (ours.length > 0) onRepeat?.();
    await onLeave(replacements.flatMap((item) => held.get(item.stored._id) ?? []));
    const replaced = await writer.replaceHeld(record, replacements);
    const isSettled = replaced === replacements.length;
    if (isSettled) written.push(...replacements.map((item) => item.stored));
    // Others wrote in between: what was replaced is recognised in the next look, the rest is merged anew.
    const isOpen = ({ replacement, isGone }: Comparison) => isGone ?? (!isSettled && replacement);
    open = open.filter((_item, position) => isOpen(compared[position] ?? {}));
  }
  return written;
}

/**
 * Removes the records that `find` names, each only while it is still the one that was found, and returns them. `find`
 * is asked again as long as others write in between.
 */
export async function removeRecords(
  { writer }: Pick<MongoStore, "writer">,
  record: RecordDefinition,
  find: () => Promise<StoredRecord[]>,
  onLeave: WriteOptions["onLeave"],
): Promise<StoredRecord[]> {
  const removed = new Map<string, StoredRecord>();
  for (let look = 1; ; look += 1) {
    guardLooks(look, record);
    const found = await find();
    if (found.length > 0) await onLeave(found);
    const count = await writer.removeHeld(record, found);
    for (const item of found) removed.set(item._id, item);
    if (count === found.length) return [...removed.values()];
  }
}

/** Throws when records have been looked at too often: something keeps writing them. */
export function guardLooks(look: number, { collection }: RecordDefinition): void {
  if (look > MOST_LOOKS) throw new Error(`records of ${collection} are written by others without end`);
}

interface Comparison {
  replacement?: Replacement;
  /** Held as this very batch wrote it. */
  ours?: StoredRecord;
  /** Removed by somebody between the insert and the look. */
  isGone?: true;
}

/** What is to be done about a record that is held: nothing when it is newer or says the same. */
function compare(
  record: RecordDefinition,
  { stored, tells, event }: PendingRecord,
  held: StoredRecord | undefined,
  productionDate: string | undefined,
): Comparison {
  if (!held) return { isGone: true };
  if (event) return compareEvent(stored, event, held);
  if (held.revision > stored.revision || isAfter(held.event, productionDate)) return {};
  if (isUpdatedAfter(held, productionDate)) return {};
  if (held.revision === stored.revision) return { ours: held };
  const merged = tells
    ? toStored(record, mergeRecords(held.data, stored.data, tells), stored.revision)
    : stored;
  if (merged.etag === held.etag) return {};
  // What the stream has told so far stays known: an event older than that is still an older one.
  const known = newerOf(held.event, stored.event);
  const kept = known ? { ...merged, event: known } : merged;
  return { replacement: { stored: keepUpdate(kept, held), heldRevision: held.revision } };
}

/**
 * Among events the timepoint decides, not the batch: an old batch may bring the newer event. The revision rises
 * all the same, since replacing and removing go by it.
 */
function compareEvent(stored: StoredRecord, event: EventStamp, held: StoredRecord): Comparison {
  const order = held.event ? compareStamps(held.event, event) : -1;
  if (order > 0) return {};
  // A repeat has nothing to add, also when a newer snapshot has changed the record since. Of this very batch, run
  // again, the record was written before: its revision is not below the batch's.
  if (order === 0) return held.revision >= stored.revision ? { ours: held } : {};
  const revision = Math.max(stored.revision, held.revision + 1);
  const replacing = keepUpdate({ ...stored, revision }, held);
  return { replacement: { stored: replacing, heldRevision: held.revision } };
}

/** Whoever writes a record, what daily updates have told of it they do not tell again. */
function keepUpdate(stored: StoredRecord, { update }: StoredRecord): StoredRecord {
  return update ? { ...stored, update } : stored;
}

function newerOf(a: EventStamp | undefined, b: EventStamp | undefined): EventStamp | undefined {
  return a && b ? (compareStamps(a, b) < 0 ? b : a) : (a ?? b);
}

/** Two addresses of one record share no timepoint in a stream; if they ever did, one order is as good as another. */
export function compareStamps(a: EventStamp, b: EventStamp): number {
  return a.timepoint - b.timepoint || Number(a.uri > b.uri) - Number(a.uri < b.uri);
}

function ids(pending: PendingRecord[]): string[] {
  return pending.map(({ stored }) => stored._id);
}
