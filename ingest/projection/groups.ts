/**
 * Groups records: each group makes one search document. A person's records may be stored under several ids
 * (`shared/stores/collections/persons.ts`).
 */
import { keyOf } from "../../api/shared/values/members.ts";
import type { MongoStore } from "../../api/shared/stores/mongodb/mongo.ts";
import type { Scan } from "../../api/shared/stores/mongodb/scan.ts";
import type { StoredRecord } from "../../api/shared/definitions/define-record.ts";
import { withShownId } from "../../api/resources/officer-appointment/persons.ts";
import type { StoredAppointment } from "../../api/resources/officer-appointment/record.ts";
import type { AliasedIndex } from "../../api/shared/definitions/define-index.ts";

type Grouped = Pick<AliasedIndex, "record" | "groupBy">;

/** True when documents of the index have one record each, and its revision as their version. */
export function isOfOneRecord({ groupBy }: Pick<AliasedIndex, "groupBy">): boolean {
  return groupBy === "_id";
}

export interface RecordGroup {
  id: string;
  records: StoredRecord[];
}

export interface Walk extends Omit<Scan, "sortBy"> {
  /** Called with all records as they are stored. */
  onRead?: (records: readonly StoredRecord[]) => void;
}

/**
 * All groups of an index, ordered by the UTF-8 bytes of their ids. If MongoDB is unavailable, the walk waits as the
 * scanner does, then continues. Memory: two chunks of about a thousand records, and the largest group. Writes during
 * the walk may be missed; a record that changes its group may come twice or not at all.
 */
export async function* walkGroups(
  { scanner }: Pick<MongoStore, "scanner">,
  { record, groupBy }: Grouped,
  how: Walk = {},
): AsyncGenerator<RecordGroup[]> {
  let chunks: AsyncGenerator<StoredRecord[], void> | undefined;
  // The last group of a chunk may continue in the next.
  let open: RecordGroup | undefined;
  const next = async () => {
    chunks ??= readAhead(scanner.scan(record, { sortBy: groupBy, ...how }));
    try {
      return await chunks.next();
    } catch (error) {
      chunks = open = undefined;
      throw error;
    }
  };
  try {
    for (;;) {
      const { done, value: records } = await scanner.patiently(next);
      how.onRead?.(records ?? []);
      const groups = groupRecords(records ?? [], groupBy, open);
      open = done || groupBy === "_id" ? undefined : groups.pop();
      if (groups.length > 0) yield groups.map(distinct);
      if (done) return;
      const last = groups.at(-1);
      if (last) how = { ...how, after: last.id };
    }
  } finally {
    await chunks?.return();
  }
}

/** Groups records. Groups come in the order in which they first appear, after `open`, an unfinished group. */
export function groupRecords(records: readonly StoredRecord[], groupBy: string, open?: RecordGroup) {
  const groups = new Map<string, RecordGroup>(open && [[open.id, open]]);
  for (const item of records) {
    const id = keyOf(item, groupBy);
    const group = groups.get(id);
    if (group) group.records.push(item);
    else groups.set(id, { id, records: [item] });
  }
  return [...groups.values()];
}

/** The group with each record once: one that is rewritten during the walk may come twice. */
function distinct({ id, records }: RecordGroup): RecordGroup {
  return { id, records: [...new Map(records.map((item) => [item._id, item])).values()] };
}

/** Requests the next item before yielding the current one, so that two stores work at the same time. */
export async function* readAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T, void> {
  let next = items.next();
  try {
    for (let current = await next; !current.done; current = await next) {
      next = items.next();
      // Its error is thrown when the item is awaited.
      next.catch(() => undefined);
      yield current.value;
    }
  } finally {
    await next.catch(() => undefined);
    await items.return(undefined);
  }
}

/** By document id, the ids under which its records may be stored; an empty list for an id that is no longer shown. */
type GroupIds = Map<string, readonly string[]>;

/**
 * The ids that are now shown for these. Draw the version of the documents before the call: a process that learns of an
 * id later then draws a higher one.
 */
export async function fetchGroupIds(
  { persons }: Pick<MongoStore, "persons">,
  index: Grouped,
  ids: readonly string[],
): Promise<GroupIds> {
  if (isOfOneRecord(index)) return new Map(ids.map((id) => [id, [id]]));
  const real = await persons.fetchRealIds(ids);
  const shown = ids.map((id) => real.get(id) ?? id);
  const derived = await persons.fetchDerivedIds(shown);
  return new Map([
    ...Array.from(real.keys(), (id): [string, string[]] => [id, []]),
    ...shown.map((id): [string, string[]] => [id, [id, ...(derived.get(id) ?? [])]]),
  ]);
}

/** Groups records under the ids that are shown. An id without records gets an empty group. */
export function gatherGroups(index: Grouped, ids: GroupIds, records: readonly StoredRecord[]): RecordGroup[] {
  const stored = new Map(groupRecords(records, index.groupBy).map((group) => [group.id, group.records]));
  const recordsOf = (storedIds: readonly string[]) => storedIds.flatMap((one) => stored.get(one) ?? []);
  return Array.from(ids, ([id, storedIds]) => ({
    id,
    records: underShownId(id, recordsOf(storedIds), index),
  }));
}

/** The records as they are shown under this id. */
export function underShownId(id: string, records: StoredRecord[], index: Grouped): StoredRecord[] {
  // The cast: only the officers' index has groups.
  return isOfOneRecord(index) ? records : records.map((item) => withShownId(item as StoredAppointment, id));
}

/** All groups of an index. A person stored under several ids comes once, complete, at the first of these ids. */
export async function* walkPersons(
  mongo: Pick<MongoStore, "scanner" | "records" | "persons">,
  index: Grouped,
  how: Walk = {},
): AsyncGenerator<RecordGroup[]> {
  for await (const groups of walkGroups(mongo, index, how)) {
    yield isOfOneRecord(index) ? groups : await mongo.scanner.patiently(() => join(mongo, index, groups));
  }
}

async function join(mongo: Pick<MongoStore, "records" | "persons">, index: Grouped, groups: RecordGroup[]) {
  const { record, groupBy: field } = index;
  const met = new Set(groups.map(({ id }) => id));
  const ids = await fetchGroupIds(mongo, index, [...met]);
  const values = [...ids.values()].flat().filter((id) => !met.has(id));
  const others = await mongo.records.fetchGroups(record, { field, values });
  const existing = new Set([...met, ...others.records.map((item) => keyOf(item, field))]);
  const isFirst = (stored: readonly string[]) =>
    met.has(stored.filter((id) => existing.has(id)).sort()[0] ?? "");
  const own = new Map([...ids].filter(([, stored]) => isFirst(stored)));
  return gatherGroups(index, own, [...groups.flatMap(({ records }) => records), ...others.records]);
}
