/** Owns the writing of records to MongoDB: new ones are inserted, changed ones replaced, equal ones left alone. */
import type { MongoStore } from "../../api/core/stores/mongo.ts";
import type { RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";
import { compare, type Comparison, type PendingRecord } from "./compare.ts";
import type { FindTelling } from "./retell.ts";

/** What is told to a writer from outside. */
export interface WriteOptions {
  /** Told, before it happens, which records will be replaced or removed. */
  onLeave: (held: StoredRecord[]) => Promise<void>;
  /** Told when an earlier run of the same batch has written some of the records. */
  onRepeat?: () => void;
  /** The day that a snapshot shows, `YYYY-MM-DD`: what an event published on it or later has told stays. */
  productionDate?: string | undefined;
  /** For events: how snapshots are merged with them. */
  findTelling?: FindTelling;
}

/** A record that is to go. */
export interface Leaver {
  held: StoredRecord;
  /** What stands in its place; absent: nothing. */
  instead?: StoredRecord | undefined;
}

// Limit: looks at records that others keep writing at the same time; each look settles at least one of them.
const MOST_LOOKS = 20;

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
  { onLeave, onRepeat, ...by }: WriteOptions,
): Promise<StoredRecord[]> {
  // Filled one by one: a group of rows that is not cut may be longer than a call takes arguments.
  const written: StoredRecord[] = [];
  let open = pending;
  for (let look = 1; open.length > 0; look += 1) {
    guardLooks(look, record);
    const stored = open.map((item) => item.stored);
    const existing = await writer.insertMissing(record, stored);
    for (const item of stored) if (!existing.has(item._id)) written.push(item);
    open = open.filter(({ stored: { _id } }) => existing.has(_id));
    if (open.length === 0) break;
    const held = new Map((await records.fetchByIds(record, ids(open))).map((item) => [item._id, item]));
    const compared = open.map((item) => compare(record, item, held.get(item.stored._id), by));
    const replacements = compared.flatMap(({ replacement }) => replacement ?? []);
    const ours = compared.flatMap((item) => item.ours ?? []);
    for (const item of ours) written.push(item);
    if (ours.length > 0) onRepeat?.();
    await onLeave(replacements.flatMap((item) => held.get(item.stored._id) ?? []));
    const replaced = await writer.replaceHeld(record, replacements);
    const isSettled = replaced === replacements.length;
    if (isSettled) for (const item of replacements) written.push(item.stored);
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
  mongo: Pick<MongoStore, "writer">,
  record: RecordDefinition,
  find: () => Promise<StoredRecord[]>,
  onLeave: WriteOptions["onLeave"],
): Promise<StoredRecord[]> {
  const findLeavers = async () => (await find()).map((held) => ({ held }));
  return (await releaseRecords(mongo, record, findLeavers, onLeave)).removed;
}

/** As `removeRecords`; what has something to stand in its place is replaced by it. */
export async function releaseRecords(
  { writer }: Pick<MongoStore, "writer">,
  record: RecordDefinition,
  find: () => Promise<Leaver[]>,
  onLeave: WriteOptions["onLeave"],
): Promise<{ removed: StoredRecord[]; replaced: StoredRecord[] }> {
  const removed = new Map<string, StoredRecord>();
  const replaced = new Map<string, StoredRecord>();
  for (let look = 1; ; look += 1) {
    guardLooks(look, record);
    const found = await find();
    const going = found.flatMap(({ held, instead }) => (instead ? [] : held));
    const replacements = found.flatMap(({ held, instead }) => (instead ? { stored: instead, held } : []));
    if (found.length > 0) await onLeave(found.map(({ held }) => held));
    const count = (await writer.removeHeld(record, going)) + (await writer.replaceHeld(record, replacements));
    for (const item of going) removed.set(item._id, item);
    for (const { stored } of replacements) replaced.set(stored._id, stored);
    if (count === found.length) return { removed: [...removed.values()], replaced: [...replaced.values()] };
  }
}

/** Throws when records have been looked at too often: something keeps writing them. */
export function guardLooks(look: number, { collection }: RecordDefinition): void {
  if (look > MOST_LOOKS) throw new Error(`records of ${collection} are written by others without end`);
}

function ids(pending: PendingRecord[]): string[] {
  return pending.map(({ stored }) => stored._id);
}
