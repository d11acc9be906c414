/**
 * Owns the documents that are made of groups of records: what is read of MongoDB so that each is what the projection
 * makes of the whole group, and no more than that.
 */
import type { Stores } from "../../api/core/stores/index.ts";
import type { IndexWrite } from "../../api/core/stores/elasticsearch.ts";
import type { StoredRecord } from "../../api/resources/define-record.ts";
import type { AliasedIndex, GroupBounds, SearchDocument } from "../../index-mappings/define-index.ts";
import { fetchGroupIds, gatherGroups, showUnder } from "../persons/groups.ts";
import { groupRecords, type RecordGroup } from "./walk-groups.ts";

type BoundedIndex = AliasedIndex & { bounds: GroupBounds };

// Limit: ids of large groups remembered, so that the next batch does not begin to read them whole; a hint only.
const MOST_REMEMBERED = 10_000;
const largeGroups = new Set<string>();

/** One document a group, from all its records. */
export async function fetchGroupWrites(
  { redis, mongo }: Pick<Stores, "redis" | "mongo">,
  index: AliasedIndex,
  ids: readonly string[],
): Promise<IndexWrite[]> {
  if (ids.length === 0) return [];
  // Drawn before the groups are read: what is written later is projected again, under a higher one.
  const version = await redis.nextRevision();
  const groupIds = await fetchGroupIds(mongo, index, ids);
  const heldIds = [...groupIds.values()].flat();
  const tooLarge = new Set(heldIds.filter((id) => largeGroups.has(`${index.name}/${id}`)));
  const values = heldIds.filter((id) => !tooLarge.has(id));
  const query = { field: index.groupBy, values, most: index.bounds?.most };
  const { records, large } = await mongo.records.fetchGroups(index.record, query);
  for (const id of large) remember(`${index.name}/${id}`);
  for (const id of large) tooLarge.add(id);
  const writes: IndexWrite[] = [];
  for (const group of gatherGroups(index, groupIds, records)) {
    const held = groupIds.get(group.id) ?? [];
    if (!held.some((id) => tooLarge.has(id))) writes.push(toWrite(index, group, version));
    else {
      const document = await fetchLargeDocument(mongo, index as BoundedIndex, group.id, held);
      writes.push({ id: group.id, version, document });
    }
  }
  return writes;
}

/** One document a group, of these records. */
export function toGroupWrites(index: AliasedIndex, records: StoredRecord[], version: number): IndexWrite[] {
  return groupRecords(records, index.groupBy).map((group) => toWrite(index, group, version));
}

/** None of a group that holds nothing. */
function toWrite(index: AliasedIndex, { id, records }: RecordGroup, version: number): IndexWrite {
  const document = records.length > 0 ? index.document(records) : null;
  return { id, version, document: document && JSON.stringify(document) };
}

/** The document of a group of very many records, from its first ones and from counts. */
async function fetchLargeDocument(
  { records }: Stores["mongo"],
  index: BoundedIndex,
  id: string,
  heldIds: readonly string[],
): Promise<SearchDocument | null> {
  const { record, bounds } = index;
  const filter = { [index.groupBy]: heldIds };
  const sort = bounds.order.map((field): [string, 1] => [field, 1]);
  const [first, ...counts] = await Promise.all([
    records.fetchPage(record, { filter, sort, skip: 0, limit: bounds.most }),
    ...Object.values(bounds.counted).map((values) => records.count(record, { ...filter, ...values })),
  ]);
  if (first.length === 0) return null;
  const counted = Object.keys(bounds.counted).map((name, position) => [name, counts[position] ?? 0] as const);
  return index.document(showUnder(id, first, index), Object.fromEntries(counted));
}

function remember(key: string): void {
  if (largeGroups.size >= MOST_REMEMBERED) largeGroups.clear();
  largeGroups.add(key);
}
