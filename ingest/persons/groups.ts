/**
 * Owns the groups of records that make one search document each, where the appointments of a person may be held under
 * several ids (`api/core/stores/persons.ts`): from ids to those that are shown, to their records, to documents. Of other
 * indices an id is that of its group.
 */
import { keyOf } from "../../api/core/key-of.ts";
import type { MongoStore } from "../../api/core/stores/mongo.ts";
import type { StoredRecord } from "../../api/resources/define-record.ts";
import { underId } from "../../api/resources/officer-appointment/persons.ts";
import type { StoredAppointment } from "../../api/resources/officer-appointment/record.ts";
import type { AliasedIndex } from "../../index-mappings/define-index.ts";
import { bearsRevision } from "../projection/search-index.ts";
import { groupRecords, walkGroups, type RecordGroup } from "../projection/walk-groups.ts";

type Grouped = Pick<AliasedIndex, "record" | "groupBy">;

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
