/** Owns the writing of records to MongoDB: new ones are inserted, changed ones replaced, equal ones left alone. */
import { contentHash } from "../../api/core/identifiers.ts";
import type { MongoStore, Replacement } from "../../api/core/stores/mongo.ts";
import type { RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";
import { mergeRecords } from "../merge.ts";

/** A record on its way in. */
export interface PendingRecord {
  stored: StoredRecord;
  /** Top-level members that its source tells; undefined: all of them. */
  tells: readonly string[] | undefined;
}

// Limit: looks at records that others keep writing at the same time; each look settles at least one of them.
const MOST_LOOKS = 20;

/** Data of a record to the form it is stored in. */
export function toStored(record: RecordDefinition, data: unknown, revision: number): StoredRecord {
  const keys = record.keysOf(data);
  return { ...keys, _id: record.identify(data), etag: contentHash(data), revision, data };
}

/**
 * Writes records of one kind, each id once, and returns those that are held as this batch wrote them, in this
 * run or in an earlier one. Inserts go first and only what was there already is fetched and compared: a first
 * load then costs one round trip. A record is replaced only while it is still the one that was read.
 * `onReplace` is told, before it happens, what will be replaced.
 *
 * Limit: equal content does not raise the held revision, which would write every record of an unchanged file.
 * A batch of an older load that is late may therefore still outdo it, until the next edition.
 */
export async function writeRecords(
  { writer, records }: Pick<MongoStore, "writer" | "records">,
  record: RecordDefinition,
  pending: PendingRecord[],
  onReplace: (held: StoredRecord[]) => Promise<void>,
): Promise<StoredRecord[]> {
  const all = pending.map(({ stored }) => stored);
  const existing = await writer.insertMissing(record, all);
  const written = all.filter(({ _id }) => !existing.has(_id));
  let open = pending.filter(({ stored }) => existing.has(stored._id));
  for (let look = 1; open.length > 0; look += 1) {
    if (look > MOST_LOOKS)
      throw new Error(`records of ${record.collection} are written by others without end`);
    const held = new Map((await records.fetchByIds(record, ids(open))).map((item) => [item._id, item]));
    const compared = open.map((item) => compare(record, item, held.get(item.stored._id)));
    const replacements = compared.flatMap(({ replacement }) => replacement ?? []);
    written.push(...compared.flatMap(({ ours }) => ours ?? []));
    await onReplace(replacements.flatMap(({ stored }) => held.get(stored._id) ?? []));
    const replaced = await writer.replaceHeld(record, replacements);
    const isSettled = replaced === replacements.length;
    if (isSettled) written.push(...replacements.map(({ stored }) => stored));
    // Others wrote in between: what was replaced is recognised in the next look, the rest is merged anew.
    open = isSettled ? [] : open.filter((_item, position) => compared[position]?.replacement);
  }
  return written;
}

interface Comparison {
  replacement?: Replacement;
  /** Held as this very batch wrote it. */
  ours?: StoredRecord;
}

/** What is to be done about a record that is held: nothing when it is newer or says the same. */
function compare(
  record: RecordDefinition,
  { stored, tells }: PendingRecord,
  held: StoredRecord | undefined,
): Comparison {
  if (!held || held.revision > stored.revision) return {};
  if (held.revision === stored.revision) return { ours: held };
  const merged = tells
    ? toStored(record, mergeRecords(held.data, stored.data, tells), stored.revision)
    : stored;
  return merged.etag === held.etag ? {} : { replacement: { stored: merged, heldRevision: held.revision } };
}

function ids(pending: PendingRecord[]): string[] {
  return pending.map(({ stored }) => stored._id);
}
