/** Owns the writing of records to MongoDB: new ones are inserted, changed ones replaced, equal ones left alone. */
import { contentHash } from "../../api/core/identifiers.ts";
import type { RecordVersion, RecordWriter } from "../../api/core/stores/mongo.ts";
import type { RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";

/** What a write did. */
export interface WriteResult {
  /** Records inserted or replaced. */
  changed: StoredRecord[];
  /** Records that were there already with the same content, under the revision they are held with. */
  unchanged: StoredRecord[];
}

/** Data of a record to the form it is stored in. */
export function toStored(record: RecordDefinition, data: unknown, revision: number): StoredRecord {
  const keys = record.keysOf(data);
  return { ...keys, _id: record.identify(data), etag: contentHash(data), revision, data };
}

/**
 * Writes records of one kind, each id once. Inserts go first and only what was there already is compared:
 * a first load then costs one round trip.
 */
export async function writeRecords(
  writer: RecordWriter,
  record: RecordDefinition,
  records: StoredRecord[],
): Promise<WriteResult> {
  const existing = await writer.insertMissing(record, records);
  if (existing.size === 0) return { changed: records, unchanged: [] };
  const versions = await writer.fetchVersions(record, [...existing]);
  const changed = records.filter((item) => isNewer(item, versions.get(item._id)));
  await writer.replaceOlder(
    record,
    changed.filter((item) => versions.has(item._id)),
  );
  const unchanged = records.flatMap((item) => {
    const version = versions.get(item._id);
    return version?.etag === item.etag ? [{ ...item, revision: version.revision }] : [];
  });
  return { changed, unchanged };
}

function isNewer(item: StoredRecord, held: RecordVersion | undefined): boolean {
  return !held || (held.etag !== item.etag && held.revision < item.revision);
}
