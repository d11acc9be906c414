/** Owns the writing of records to MongoDB: new ones are inserted, changed ones replaced, equal ones left alone. */
import { contentHash } from "../../api/core/identifiers.ts";
import type { MongoStore } from "../../api/core/stores/mongo.ts";
import type { RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";
import { mergeRecords } from "../merge.ts";

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
  /** What was held in the place of the replaced ones: a group that a record has left must be told, too. */
  displaced: StoredRecord[];
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
  if (existing.size === 0) return { changed: inserted, displaced: [], unchanged: [] };
  const fetched = await records.fetchByIds(record, [...existing]);
  const held = new Map(fetched.map((item) => [item._id, item]));
  const compared = pending.flatMap((item) => compare(record, item, held.get(item.stored._id)));
  const replaced = compared.flatMap(({ replacement }) => replacement ?? []);
  await writer.replaceOlder(record, replaced);
  return {
    changed: [...inserted, ...replaced],
    displaced: replaced.flatMap(({ _id }) => held.get(_id) ?? []),
    unchanged: compared.flatMap(({ same }) => same ?? []),
  };
}

/** What is to be done about a record that is held: replace it, or find it the same, or neither when it is newer. */
function compare(
  record: RecordDefinition,
  { stored, tells }: PendingRecord,
  held: StoredRecord | undefined,
): { replacement?: StoredRecord; same?: StoredRecord }[] {
  if (!held) return [];
  const merged = tells
    ? toStored(record, mergeRecords(held.data, stored.data, tells), stored.revision)
    : stored;
  if (merged.etag === held.etag) return [{ same: held }];
  return held.revision < merged.revision ? [{ replacement: merged }] : [];
}
