/**
 * Owns the documents that are made of groups of records: what is read of MongoDB so that each is what the projection
 * makes of the whole group, and no more than that.
 *
 * The version of a document is drawn after the batch has been written and before its group is read, so that of two
 * workers that meet in a group the one with the higher version has read what both wrote. It follows what need not be
 * read: a record that this batch has just written is still as it was written unless another one has replaced it, which is
 * marked before (`fetchDisturbance`). On a first load that spares reading back what was written.
 */
import { isGone } from "../../api/core/gone.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { IndexWrite } from "../../api/core/stores/elasticsearch.ts";
import type { HeldRecord, StoredRecord } from "../../api/resources/define-record.ts";
import type { AliasedIndex, GroupBounds, SearchDocument } from "../../index-mappings/define-index.ts";
import { groupRecords } from "../walk-groups.ts";
import { fetchDisturbance } from "./versions.ts";

/** The records that a batch has written, all of them under a revision that is its own. */
export interface OwnRecords {
  revision: number;
  records: readonly StoredRecord[];
}

type BoundedIndex = AliasedIndex & { bounds: GroupBounds };

// Limit: ids of large groups remembered, so that the next batch does not begin to read them whole; a hint only.
const MOST_REMEMBERED = 10_000;
const largeGroups = new Set<string>();

/** One document a group, from all its records. */
export async function fetchGroupWrites(
  stores: Stores,
  index: AliasedIndex,
  ids: string[],
  own: OwnRecords | undefined,
): Promise<IndexWrite[]> {
  const version = await stores.redis.nextRevision();
  const isRemembered = (id: string) => largeGroups.has(`${index.name}/${id}`);
  const known = ids.filter(isRemembered);
  const asked = ids.filter((id) => !isRemembered(id));
  const { records, large } = await fetchGroups(stores, index, asked, own);
  for (const id of large) remember(`${index.name}/${id}`);
  const writes: IndexWrite[] = [];
  const groups = new Map(groupRecords(records, index.groupBy).map((group) => [group.id, group.records]));
  const isLarge = new Set(large);
  for (const id of asked.filter((one) => !isLarge.has(one))) {
    const group = groups.get(id) ?? [];
    writes.push({ id, version, document: group.length > 0 ? index.document(group) : null });
  }
  for (const id of [...known, ...large]) {
    writes.push({ id, version, document: await fetchLargeDocument(stores, index as BoundedIndex, id) });
  }
  return writes;
}

interface Found {
  records: StoredRecord[];
  large: string[];
}

/** What these groups hold, those of too many records left out. */
async function fetchGroups(
  { mongo: { records: reader, documents } }: Stores,
  index: AliasedIndex,
  ids: string[],
  own: OwnRecords | undefined,
): Promise<Found> {
  const { record, groupBy: field } = index;
  const query = { field, values: ids, most: index.bounds?.most };
  if (!own) return reader.fetchGroups(record, query);
  const exceptRevision = own.revision;
  const disturbance = await fetchDisturbance(documents, record.collection, exceptRevision);
  if (disturbance === "any") return reader.fetchGroups(record, query);
  const ownIds = disturbance === "none" ? [] : own.records.map(({ _id }) => _id);
  const [others, replaced] = await Promise.all([
    reader.fetchGroups(record, { ...query, exceptRevision }),
    reader.fetchHeld(record, ownIds, exceptRevision),
  ]);
  // What others have replaced since counts as they wrote it, also where they have moved it to another group or taken it away.
  const held = new Map<string, HeldRecord>(
    [...own.records, ...others.records, ...replaced].map((item) => [item._id, item]),
  );
  return {
    records: [...held.values()].filter((item): item is StoredRecord => !isGone(item)),
    large: others.large,
  };
}

/** The document of a group of very many records, from its first ones and from counts. */
async function fetchLargeDocument(
  { mongo: { records } }: Stores,
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
