/**
 * Owns the groups of records that make one search document each: the walk over all of them, each once and whole, and those of
 * some ids. The appointments of a person may be held under several ids (`api/core/stores/persons.ts`); of other indices an id is
 * that of its group.
 */
import { keyOf } from "../../api/core/key-of.ts";
import type { MongoStore } from "../../api/core/stores/mongo.ts";
import type { StoredRecord } from "../../api/resources/define-record.ts";
import { underId } from "../../api/resources/officer-appointment/persons.ts";
import type { StoredAppointment } from "../../api/resources/officer-appointment/record.ts";
import type { AliasedIndex } from "../../index-mappings/define-index.ts";

type Grouped = Pick<AliasedIndex, "record" | "groupBy">;

/** True when a document of the index is made of one record alone, and bears its revision as its version. */
export function bearsRevision({ groupBy }: Pick<AliasedIndex, "groupBy">): boolean {
  return groupBy === "_id";
}

/** The records that make one search document. */
export interface RecordGroup {
  /** The id of the document. */
  id: string;
  records: StoredRecord[];
}

/** How to walk. */
export interface Walk {
  /** Only groups behind this id. */
  after?: string;
  /** Only these members of each record, and its identity; absent: all. */
  members?: readonly string[];
}

/**
 * All groups of an index, a chunk of about a thousand records at a time, in the order of their ids by the bytes of UTF-8.
 * When MongoDB goes away it is waited for as the scanner does, and the walk continues behind the last group that it
 * returned. Memory is that of two chunks and of the largest group. What is written during the walk may or may not be seen;
 * a record that moves between groups meanwhile may be seen in both or in neither.
 */
export async function* walkGroups(
  { scanner }: Pick<MongoStore, "scanner">,
  { record, groupBy }: Grouped,
  how: Walk = {},
): AsyncGenerator<RecordGroup[]> {
  let chunks: AsyncGenerator<StoredRecord[], void> | undefined;
  // The last group of a chunk waits for the next one, which may hold more of it.
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

/** Records by the group they are in, in the order in which the groups were first met; `open` is met already. */
export function groupRecords(
  records: readonly StoredRecord[],
  groupBy: string,
  open?: RecordGroup,
): RecordGroup[] {
  const groups = new Map<string, RecordGroup>(open && [[open.id, open]]);
  for (const item of records) {
    const id = keyOf(item, groupBy);
    const group = groups.get(id);
    if (group) group.records.push(item);
    else groups.set(id, { id, records: [item] });
  }
  return [...groups.values()];
}

/** A record that is rewritten during the walk may come twice: the order is of groups, not of records. */
function distinct({ id, records }: RecordGroup): RecordGroup {
  return { id, records: [...new Map(records.map((item) => [item._id, item])).values()] };
}

/** Asks for the next item before the one at hand is worked on, so that two stores work at the same time. */
export async function* readAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T, void> {
  let next = items.next();
  try {
    for (let current = await next; !current.done; current = await next) {
      next = items.next();
      // A fault is told when the item is asked for.
      next.catch(() => undefined);
      yield current.value;
    }
  } finally {
    await next.catch(() => undefined);
    await items.return(undefined);
  }
}

/** Ids of documents, with those under which their records may be held: none of an id that is not shown any more. */
export type GroupIds = Map<string, readonly string[]>;

/**
 * The documents of these ids: an id that is not shown any more has none, and that which is shown instead is among them.
 * Asked after a version has been drawn: who learns of an id thereafter draws a higher one.
 */
export async function fetchGroupIds(
  { persons }: Pick<MongoStore, "persons">,
  index: Grouped,
  ids: readonly string[],
): Promise<GroupIds> {
  if (bearsRevision(index)) return new Map(ids.map((id) => [id, [id]]));
  const real = await persons.fetchRealIds(ids);
  const shown = ids.map((id) => real.get(id) ?? id);
  const derived = await persons.fetchDerivedIds(shown);
  return new Map([
    ...Array.from(real.keys(), (id): [string, string[]] => [id, []]),
    ...shown.map((id): [string, string[]] => [id, [id, ...(derived.get(id) ?? [])]]),
  ]);
}

/** Records as groups, each under the id that is shown; a group of which none is given is empty. */
export function gatherGroups(index: Grouped, ids: GroupIds, records: readonly StoredRecord[]): RecordGroup[] {
  const held = new Map(groupRecords(records, index.groupBy).map((group) => [group.id, group.records]));
  const recordsOf = (heldIds: readonly string[]) => heldIds.flatMap((one) => held.get(one) ?? []);
  return Array.from(ids, ([id, heldIds]) => ({ id, records: showUnder(id, recordsOf(heldIds), index) }));
}

/** Records as those of the person who is shown under this id. */
export function showUnder(id: string, records: StoredRecord[], index: Grouped): StoredRecord[] {
  // The cast: the one index of groups is that of officers.
  return bearsRevision(index) ? records : records.map((item) => underId(item as StoredAppointment, id));
}

/** All groups of an index. A person is met under several ids, and whole under the first of those that hold records. */
export async function* walkPersons(
  mongo: Pick<MongoStore, "scanner" | "records" | "persons">,
  index: Grouped,
): AsyncGenerator<RecordGroup[]> {
  for await (const groups of walkGroups(mongo, index)) {
    yield bearsRevision(index) ? groups : await mongo.scanner.patiently(() => join(mongo, index, groups));
  }
}

async function join(
  mongo: Pick<MongoStore, "records" | "persons">,
  index: Grouped,
  groups: RecordGroup[],
): Promise<RecordGroup[]> {
  const { record, groupBy: field } = index;
  const met = new Set(groups.map(({ id }) => id));
  const ids = await fetchGroupIds(mongo, index, [...met]);
  const values = [...ids.values()].flat().filter((id) => !met.has(id));
  const others = await mongo.records.fetchGroups(record, { field, values });
  const there = new Set([...met, ...others.records.map((item) => keyOf(item, field))]);
  const isFirst = (held: readonly string[]) => met.has(held.filter((id) => there.has(id)).sort()[0] ?? "");
  const own = new Map([...ids].filter(([, held]) => isFirst(held)));
  return gatherGroups(index, own, [...groups.flatMap(({ records }) => records), ...others.records]);
}
