/** Reads many records, each once: all that match a filter, or groups of records that share a value of a field. */
import type { Collection, Document, Filter } from "mongodb";
import type { Budget } from "../../runtime/deadlines.ts";
import { keyOf } from "../../values/members.ts";
import { isTombstone, type RecordOrTombstone, type StoredRecord } from "../../definitions/define-record.ts";
import type { Filter as RecordFilter } from "../../definitions/record-reader.ts";
import { fromForm, fromForms } from "./form.ts";
import { boundsOf, partsOf, partsOfFilter, projectionOf, toQuery } from "./filters.ts";
import type { Named } from "./writes.ts";

export interface GroupQuery {
  /** Top-level text field with an index. */
  field: string;
  values: readonly string[];
  /** A group of more records than this is not read, only named (`large`); absent: all groups are read. */
  most?: number | undefined;
}

/** A record or tombstone without its content. */
export type RecordStamps = Omit<RecordOrTombstone, "data">;

interface FoundGroups {
  records: StoredRecord[];
  /** Values of the groups that have more than `most` records. */
  large: string[];
}

// Limit: records of one answer, some 1.2 kB each. It also bounds the records read in vain of a group that is too large.
const CHUNK_RECORDS = 1_000;

interface Reading {
  /** Members to read besides `_id`; absent: all. */
  members?: readonly string[] | undefined;
  /** A single member to leave out. */
  without?: string;
  budget?: Budget | undefined;
}

/** All documents that match the filter, each once: a store may return one twice that is rewritten meanwhile. */
export async function findAll<T extends Document>(
  collection: Collection<T>,
  filter: RecordFilter,
  { members, without, budget }: Reading = {},
) {
  // The cast: the driver's types do not know the members of a filter.
  const reading = without === undefined ? projectionOf(members) : { projection: { [without]: 0 } };
  const find = (part: RecordFilter) =>
    collection.find(toQuery(part) as never, { ...reading, ...boundsOf(budget) }).toArray();
  const found = new Map<unknown, Awaited<ReturnType<typeof find>>[number]>();
  for (const part of partsOfFilter(filter)) {
    for (const document of await find(part)) found.set(document._id, document);
  }
  return [...found.values()];
}

/** Records and tombstones with these ids. */
export async function fetchStored(
  collection: Collection<Named>,
  ids: readonly string[],
): Promise<RecordOrTombstone[]> {
  if (ids.length === 0) return [];
  return fromForms(await findAll(collection, { _id: ids }), collection.collectionName);
}

/** The same without the content of the records. */
export async function fetchStamps(
  collection: Collection<Named>,
  ids: readonly string[],
): Promise<RecordStamps[]> {
  const found = await findAll(collection, { _id: ids }, { without: "data" });
  return fromForms(found, collection.collectionName);
}

/** Reads groups. `most` bounds the memory for each. */
export async function fetchGroups(collection: Collection<Named>, query: GroupQuery): Promise<FoundGroups> {
  const found: FoundGroups = { records: [], large: [] };
  const parts = partsOf([...new Set(query.values)]);
  // The loop also reaches the halves that it appends.
  for (const values of parts) {
    if (values.length === 0) continue;
    const { records, tooLarge } = await readGroups(collection, { ...query, values });
    if (tooLarge === undefined) found.records = found.records.concat(records);
    else {
      found.large.push(tooLarge);
      parts.push(...halvesOf(values.filter((value) => value !== tooLarge)));
    }
  }
  return found;
}

/** Halves the list, so that not all its groups are read again for every one of them that is too large. */
function halvesOf(values: readonly string[]): (readonly string[])[] {
  const middle = Math.ceil(values.length / 2);
  return [values.slice(0, middle), values.slice(middle)];
}

/** Reads the groups of one query's values. Stops at the first group that turns out to be too large. */
async function readGroups(
  collection: Collection<Named>,
  { field, values, most = Infinity }: GroupQuery,
): Promise<{ records: StoredRecord[]; tooLarge?: string }> {
  // By id: a record that is rewritten during the read may be returned twice.
  const records = new Map<string, StoredRecord>();
  const counts = new Map<string, number>();
  // The cast: the driver's types do not know which fields are texts.
  const filter = { [field]: { $in: [...values] } } as Filter<Named>;
  const cursor = collection.find(filter, { batchSize: CHUNK_RECORDS });
  try {
    while (await cursor.hasNext()) {
      for (const form of cursor.readBufferedDocuments()) {
        if (isTombstone(form) || records.has(form._id)) continue;
        // The cast: tombstones were skipped above.
        const item = fromForm(form, collection.collectionName) as StoredRecord;
        const value = keyOf(item, field);
        const count = (counts.get(value) ?? 0) + 1;
        if (count > most) return { records: [], tooLarge: value };
        counts.set(value, count);
        records.set(item._id, item);
      }
    }
    return { records: [...records.values()] };
  } finally {
    await cursor.close().catch(() => undefined);
  }
}
