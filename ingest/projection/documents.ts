/** Makes search documents, from records in memory or from MongoDB. */
import { keyOf } from "../../api/shared/values/members.ts";
import type { IndexWrite } from "../../api/shared/stores/elasticsearch/elasticsearch.ts";
import { KEPT_FROM } from "../../api/shared/stores/collections/officer-counts.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import {
  isTombstone,
  type RecordOrTombstone,
  type RecordDefinition,
  type StoredRecord,
} from "../../api/shared/definitions/define-record.ts";
import type { AliasedIndex, GroupCounts, SearchDocument } from "../../api/shared/definitions/define-index.ts";
import { indicesOf } from "../../index-mappings/index.ts";
import { textsOf } from "../../index-mappings/words/index.ts";
import { drawRevision } from "../history/revisions.ts";
import { keepInactive } from "../persons/inactive.ts";
import type { Ids } from "../log/changes.ts";
import {
  isOfOneRecord,
  fetchGroupIds,
  gatherGroups,
  groupRecords,
  underShownId,
  type RecordGroup,
} from "./groups.ts";

type BoundedIndex = AliasedIndex & Required<Pick<AliasedIndex, "bounds">>;

/** The ids of documents of several records that contain these, by index; none if each record has its own document. */
export function documentsOf(record: RecordDefinition, stored: readonly RecordOrTombstone[]): Ids {
  const grouped = indicesOf(record).filter((index) => !isOfOneRecord(index));
  const records = withoutTombstones(stored);
  const idsOf = (groupBy: string) => [...new Set(records.map((item) => keyOf(item, groupBy)))];
  return Object.fromEntries(grouped.map(({ name, groupBy }) => [name, idsOf(groupBy)]));
}

/**
 * Documents of records in memory. A document of one record has its revision as version. Documents of several records
 * are made only with `whole`, which says that all records of a group are given, except of the groups in `apart`.
 */
export function toWrites(
  index: AliasedIndex,
  stored: readonly RecordOrTombstone[],
  whole?: { apart: readonly string[]; version: number },
): IndexWrite[] {
  if (isOfOneRecord(index))
    return stored.map((item) => {
      return toWrite(index, { id: item._id, records: withoutTombstones([item]) }, item.revision);
    });
  if (!whole) return [];
  const apart = new Set(whole.apart);
  const groups = groupRecords(withoutTombstones(stored), index.groupBy).filter(({ id }) => !apart.has(id));
  return groups.map((group) => toWrite(index, group, whole.version));
}

/** Documents of these ids, made from MongoDB. Of a very large group only the first records and counts are read. */
export async function fetchWrites(
  { redis, mongo }: Pick<Stores, "redis" | "mongo">,
  index: AliasedIndex,
  ids: readonly string[],
): Promise<IndexWrite[]> {
  const { record, groupBy: field, bounds } = index;
  if (isOfOneRecord(index)) return toWrites(index, await mongo.records.fetchStored(record, ids));
  if (ids.length === 0) return [];
  // Drawn before the groups are read: records written later are projected again, under a higher version.
  const version = await drawRevision({ redis, mongo });
  const groupIds = await fetchGroupIds(mongo, index, ids);
  const query = { field, values: [...groupIds.values()].flat(), most: bounds?.most };
  const { records, large } = await mongo.records.fetchGroups(record, query);
  const isLarge = new Set(large);
  const writes: IndexWrite[] = [];
  for (const group of gatherGroups(index, groupIds, records)) {
    const storedIds = groupIds.get(group.id) ?? [];
    const made: Group = storedIds.some((id) => isLarge.has(id))
      ? await fetchLargeGroup(mongo, index as BoundedIndex, group.id, storedIds)
      : group;
    writes.push(toWrite(index, made, version));
    // Depends on the same records as the document. Of a large group `made` has more records than KEPT_FROM, too.
    if (bounds && made.records.length > KEPT_FROM)
      await keepInactive(mongo, { id: group.id, storedIds, version });
  }
  return writes;
}

/** A group; of a large one only the first records, with its counts. */
type Group = RecordGroup & { counts?: GroupCounts };

/**
 * A document as it is written. It becomes JSON at once: documents that wait as objects cost the garbage collector as
 * much time as making them.
 */
export function toContent(document: SearchDocument): { document: string; texts: string[] } {
  return { document: JSON.stringify(document), texts: textsOf(document) };
}

function toWrite(index: AliasedIndex, { id, records, counts }: Group, version: number): IndexWrite {
  const made = index.document(records, counts);
  if (!made) return { id, version, document: null };
  const { document, texts } = toContent(made);
  return { id, version, document, texts };
}

async function fetchLargeGroup(
  { records }: Stores["mongo"],
  index: BoundedIndex,
  id: string,
  storedIds: readonly string[],
): Promise<Group> {
  const { record, bounds, groupBy } = index;
  const filter = { [groupBy]: storedIds };
  const sort = bounds.order.map((field): [string, 1] => [field, 1]);
  const [first, ...counts] = await Promise.all([
    records.fetchPage(record, { filter, sort, skip: 0, limit: bounds.most }),
    ...Object.values(bounds.counted).map((values) => records.count(record, { ...filter, ...values })),
  ]);
  const counted = Object.keys(bounds.counted).map((name, at) => [name, counts[at] ?? 0] as const);
  return { id, records: underShownId(id, first, index), counts: Object.fromEntries(counted) };
}

function withoutTombstones(stored: readonly RecordOrTombstone[]): StoredRecord[] {
  return stored.filter((item): item is StoredRecord => !isTombstone(item));
}
