/**
 * Owns the documents that are made of groups of records: what is read of MongoDB so that each is what the projection
 * makes of the whole group, and no more than that.
 */
import type { Stores } from "../../api/core/stores/index.ts";
import type { IndexWrite } from "../../api/core/stores/elasticsearch.ts";
import type { StoredRecord } from "../../api/resources/define-record.ts";
import type { AliasedIndex, GroupBounds, SearchDocument } from "../../index-mappings/define-index.ts";
import { groupRecords } from "../walk-groups.ts";

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
  const isRemembered = (id: string) => largeGroups.has(`${index.name}/${id}`);
  const asked = ids.filter((id) => !isRemembered(id));
  const query = { field: index.groupBy, values: asked, most: index.bounds?.most };
  const { records, large } = await mongo.records.fetchGroups(index.record, query);
  for (const id of large) remember(`${index.name}/${id}`);
  const writes = toGroupWrites(index, records, version);
  const made = new Set([...writes.map(({ id }) => id), ...large]);
  for (const id of asked) if (!made.has(id)) writes.push({ id, version, document: null });
  for (const id of [...ids.filter(isRemembered)]) {
    const document = await fetchLargeDocument(mongo, index as BoundedIndex, id);
    writes.push({ id, version, document });
  }
  return writes;
}

/** One document a group, of these records. */
export function toGroupWrites(index: AliasedIndex, records: StoredRecord[], version: number): IndexWrite[] {
  return groupRecords(records, index.groupBy).map(({ id, records: group }) => {
    const document = index.document(group);
    return { id, version, document: document && JSON.stringify(document) };
  });
}

/** The document of a group of very many records, from its first ones and from counts. */
async function fetchLargeDocument(
  { records }: Stores["mongo"],
  { record, groupBy, bounds, document }: BoundedIndex,
  id: string,
): Promise<SearchDocument | null> {
  const filter = { [groupBy]: id };
  const sort = bounds.order.map((field): [string, 1] => [field, 1]);
  const [first, ...counts] = await Promise.all([
    records.fetchPage(record, { filter, sort, skip: 0, limit: bounds.most }),
    ...Object.values(bounds.counted).map((values) => records.count(record, { ...filter, ...values })),
  ]);
  if (first.length === 0) return null;
  const names = Object.keys(bounds.counted);
  return document(first, Object.fromEntries(names.map((name, position) => [name, counts[position] ?? 0])));
}

function remember(key: string): void {
  if (largeGroups.size >= MOST_REMEMBERED) largeGroups.clear();
  largeGroups.add(key);
}
