/** Makes records in their stored form, but without statements. */
import { contentHash } from "../../api/shared/values/identifiers.ts";
import type { RecordDefinition, StoredRecord } from "../../api/shared/definitions/define-record.ts";

export function toStored(record: RecordDefinition, data: unknown, revision: number): StoredRecord {
  const keys = record.keysOf(data);
  return { ...keys, _id: record.identify(data), etag: contentHash(data), revision, data };
}
