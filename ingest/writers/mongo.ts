/** Owns the writing of records to MongoDB: new ones are inserted, changed ones replaced, equal ones left alone. */
import { contentHash } from "../../api/core/identifiers.ts";
import type { MongoStore } from "../../api/core/stores/mongo.ts";
import type { RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";

/** A record on its way in. */
export interface PendingRecord {
  stored: StoredRecord;
  /** Top-level members that its source tells; undefined: all of them. */
  tells: readonly string[] | undefined;
}

/** What a write did. */
export interface WriteResult {
  /** Records inserted or replaced. */
  changed: StoredRecord[];
  /** Records that were there already with the same content, as they are held. */
  unchanged: StoredRecord[];
}

/** Data of a record to the form it is stored in. */
export function toStored(record: RecordDefinition, data: unknown, revision: number): StoredRecord {
  const keys = record.keysOf(data);
  return { ...keys, _id: record.identify(data), etag: contentHash(data), revision, data };
}

/**
 * Writes records of one kind, each id once. Inserts go first and only what was there already is fetched and
 * compared: a first load then costs one round trip.
 */
export async function writeRecords(
  { writer, records }: Pick<MongoStore, "writer" | "records">,
  record: RecordDefinition,
  pending: PendingRecord[],
): Promise<WriteResult> {
  const existing = await writer.insertMissing(
    record,
    pending.map(({ stored }) => stored),
  );
  const inserted = pending.filter(({ stored }) => !existing.has(stored._id)).map(({ stored }) => stored);
  if (existing.size === 0) return { changed: inserted, unchanged: [] };
  const fetched = await records.fetchByIds(record, [...existing]);
  const held = new Map(fetched.map((item) => [item._id, item]));
  const compared = pending.flatMap((item) => compare(record, item, held.get(item.stored._id)));
  const replaced = compared.flatMap(({ replacement }) => replacement ?? []);
  await writer.replaceOlder(record, replaced);
  return { changed: [...inserted, ...replaced], unchanged: compared.flatMap(({ same }) => same ?? []) };
}

/** What is to be done about a record that is held: replace it, or find it the same, or neither when it is newer. */
function compare(
  record: RecordDefinition,
  { stored, tells }: PendingRecord,
  held: StoredRecord | undefined,
): { replacement?: StoredRecord; same?: StoredRecord }[] {
  if (!held) return [];
  const merged = tells ? toStored(record, merge(held.data, stored.data, tells), stored.revision) : stored;
  if (merged.etag === held.etag) return [{ same: held }];
  return held.revision < merged.revision ? [{ replacement: merged }] : [];
}

function merge(held: unknown, incoming: unknown, tells: readonly string[]): object {
  const kept = Object.entries(held as object).filter(([member]) => !tells.includes(member));
  return { ...Object.fromEntries(kept), ...(incoming as object) };
}
