/** Owns the writing of search documents: what changed in MongoDB is projected into every index built from it. */
import type { Stores } from "../../api/core/stores/index.ts";
import type { IndexWrite } from "../../api/core/stores/elasticsearch.ts";
import type { RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";
import type { IndexDefinition } from "../../index-mappings/define-index.ts";
import { indices } from "../../index-mappings/index.ts";
import { requireNameRules } from "../../index-mappings/name-rules.ts";
import type { FormerGroup } from "../unindexed.ts";
import { fetchGroupWrites } from "./group-documents.ts";
import { isDrawn } from "./versions.ts";

/** What a batch has written to MongoDB. */
export interface WrittenBatch {
  records: StoredRecord[];
  /** Groups that records have left. */
  formerGroups: FormerGroup[];
  /** The revision of all these records, where it belongs to them alone. */
  ownRevision?: number | undefined;
}

/**
 * Brings the indices built from these records up to date. MongoDB must have been written before: documents
 * of a group are made from what it holds, those of `formerGroups` included, which a record has left. Throws
 * when Elasticsearch refuses a document, since a projection that does not fit its mapping is a fault of the
 * code and not of the row. Throws UnavailableError for an index of other name rules: no document goes into it.
 */
export async function writeSearchDocuments(
  stores: Stores,
  record: RecordDefinition,
  batch: WrittenBatch,
): Promise<void> {
  const { records, formerGroups } = batch;
  for (const index of indicesOf(record)) {
    const left = formerGroups.filter((group) => index.groupBy in group);
    const ids = [...new Set([...records, ...left].map((item) => groupOf(index, item)))];
    if (ids.length > 0) await writeGroups(stores, index, ids, batch);
  }
}

async function writeGroups(
  stores: Stores,
  index: IndexDefinition,
  ids: string[],
  { records, ownRevision }: WrittenBatch,
): Promise<void> {
  const isByRevision =
    index.groupBy === "_id" && !(await isDrawn(stores.mongo.documents, index.record.collection));
  const own = ownRevision === undefined ? undefined : { revision: ownRevision, records };
  const writes = isByRevision ? toWrites(index, records) : await fetchGroupWrites(stores, index, ids, own);
  // Asked anew for each write, since another process may have moved the alias; cheap beside a bulk write.
  await requireNameRules(stores.elasticsearch, [index.name]);
  const refusals = await stores.elasticsearch.write(index.name, writes);
  const [first] = refusals;
  if (!first) return;
  throw new Error(
    `index ${index.name} refused ${refusals.length} documents, the first ${first.id}: ${first.reason}`,
  );
}

/** True when an index is built from these records, so that they are written to both stores. */
export function isIndexed(record: RecordDefinition): boolean {
  return indicesOf(record).length > 0;
}

/**
 * The groups that these records are in and may leave when they are replaced, one entry a record; none where every
 * record is a document of its own.
 */
export function formerGroupsOf(record: RecordDefinition, records: StoredRecord[]): FormerGroup[] {
  const grouped = indicesOf(record).filter(({ groupBy }) => groupBy !== "_id");
  return toGroups(grouped, records);
}

/** The groups that these records leave when they are removed, one entry a record. */
export function groupsLeftBy(record: RecordDefinition, removed: StoredRecord[]): FormerGroup[] {
  return toGroups(indicesOf(record), removed);
}

function toGroups(grouped: IndexDefinition[], records: StoredRecord[]): FormerGroup[] {
  if (grouped.length === 0) return [];
  return records.map((item) =>
    Object.fromEntries(grouped.map((index) => [index.groupBy, groupOf(index, item)] as const)),
  );
}

function indicesOf(record: RecordDefinition): IndexDefinition[] {
  return indices.filter((candidate) => candidate.record.collection === record.collection);
}

function groupOf(index: IndexDefinition, item: StoredRecord | FormerGroup): string {
  return String((item as Record<string, unknown>)[index.groupBy]);
}

function toWrites(index: IndexDefinition, records: StoredRecord[]): IndexWrite[] {
  return records.map((item) => ({
    id: item._id,
    version: item.revision,
    document: index.document([item]),
  }));
}
