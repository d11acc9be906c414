/** Owns the removal of records from MongoDB by what a stream knows of them: address and id, seldom the whole resource. */
import { keyOf } from "../api/core/key-of.ts";
import type { MongoStore } from "../api/core/stores/mongo.ts";
import type { EventStamp, RecordDefinition, StoredRecord } from "../api/resources/define-record.ts";
import type { RecordLocation } from "../api/resources/incoming-resource.ts";
import type { RowEvent } from "./define-source.ts";
import { findTelling } from "./sources/index.ts";
import { identifyTombstones, stampOf, type Tombstone } from "./tombstones.ts";
import { releaseRecords, type Leaver, type WriteOptions } from "./writers/mongo.ts";
import { isOvertaken, retell } from "./writers/retell.ts";
import { compareStamps, isOlder } from "./writers/stored.ts";

/** A record to be removed. */
export interface Burial {
  tombstone: Tombstone;
  location: RecordLocation;
  /** The record's identity, where a change or a whole resource has told it. */
  id: string | undefined;
}

/** What has become of records. */
interface Released {
  removed: StoredRecord[];
  /** Those that a snapshot holds: as they are held now. */
  replaced: StoredRecord[];
}

type BurialMongo = Pick<MongoStore, "records" | "writer" | "documents">;

/**
 * Removes the records of deleted addresses, unless they know of the deletion, and returns them. The tombstone learns
 * first which record it stands for, so that an older snapshot finds it there.
 */
export async function bury(
  mongo: BurialMongo,
  record: RecordDefinition,
  burials: Burial[],
  onRemove: WriteOptions["onLeave"],
): Promise<Released> {
  if (burials.length === 0) return { removed: [], replaced: [] };
  const find = async (): Promise<[StoredRecord, Burial][]> => {
    const held = await fetchCandidates(mongo, record, burials);
    return held.flatMap((item) => {
      const burial = burials.find((candidate) => isMeant(item, candidate));
      return burial ? [[item, burial]] : [];
    });
  };
  const found = new Map((await find()).map(([{ _id }, { tombstone }]) => [tombstone.uri, _id]));
  const identified = burials.flatMap(({ tombstone, location, id }) => {
    const record_id =
      id ?? found.get(tombstone.uri) ?? (location.field === "_id" ? location.value : undefined);
    return record_id === undefined ? [] : { uri: tombstone.uri, record_id };
  });
  await identifyTombstones(mongo.documents, identified);
  const findLeavers = async () =>
    (await find()).map(([held, { tombstone }]): Leaver =>
      isOvertaken(tombstone, held) ? outlive(record, held, tombstone) : { held },
    );
  return releaseRecords(mongo, record, findLeavers, onRemove);
}

/**
 * A record that a snapshot holds which was made later than its deletion, as it would be had the two come in their order: as
 * that snapshot tells it, and knowing of the deletion.
 */
export function outlive(record: RecordDefinition, held: StoredRecord, tombstone: Tombstone): Leaver {
  const told = retell(record, undefined, held, { event: tombstone, findTelling });
  return { held, instead: { ...told, event: stampOf(tombstone) } };
}

/**
 * Removes the records under which resources were held before an event told their present identity (a corrected day
 * of appointment), and returns them. Of two that meet here the older event loses its record.
 */
export async function removeFormerSelves(
  mongo: BurialMongo,
  record: RecordDefinition,
  events: RowEvent[],
  onRemove: WriteOptions["onLeave"],
): Promise<Released> {
  const derived = events.filter(({ location }) => location.field !== "_id");
  if (derived.length === 0) return { removed: [], replaced: [] };
  const find = async () => {
    const held = await fetchByLocation(
      mongo,
      record,
      derived.map(({ location }) => location),
    );
    return derived.flatMap(({ stamp, location }) => {
      const ours = held.filter(
        (item) => isAt(item, location) && (item.event?.uri ?? stamp.uri) === stamp.uri,
      );
      const newest = ours
        .flatMap(({ event }) => event ?? [])
        .sort(compareStamps)
        .at(-1);
      if (!newest) return [];
      return ours
        .filter(({ event }) => (event?.timepoint ?? -1) < newest.timepoint)
        .map((item) => leaveFor(record, item, newest, location));
    });
  };
  return releaseRecords(mongo, record, find, onRemove);
}

/** What a later snapshot holds under the former identity stays, as that alone tells it, but not under the address. */
function leaveFor(
  record: RecordDefinition,
  held: StoredRecord,
  newest: EventStamp,
  { field, value }: RecordLocation,
): Leaver {
  const isKept = isOvertaken(newest, held);
  const instead = isKept ? retell(record, undefined, held, { event: newest, findTelling }) : undefined;
  return { held, instead: instead && keyOf(instead, field) !== value ? instead : undefined };
}

async function fetchCandidates(
  mongo: BurialMongo,
  record: RecordDefinition,
  burials: Burial[],
): Promise<StoredRecord[]> {
  const located = await fetchByLocation(
    mongo,
    record,
    burials.map(({ location }) => location),
  );
  const ids = burials.flatMap(({ id }) => id ?? []);
  const identified = ids.length > 0 ? await mongo.records.fetchByIds(record, ids) : [];
  return [...new Map([...located, ...identified].map((item) => [item._id, item])).values()];
}

async function fetchByLocation(
  { records }: Pick<MongoStore, "records">,
  record: RecordDefinition,
  locations: RecordLocation[],
): Promise<StoredRecord[]> {
  const [first] = locations;
  if (!first) return [];
  // One kind of record has one field for all its resources.
  const query = { field: first.field, values: locations.map(({ value }) => value) };
  return (await records.fetchGroups(record, query)).records;
}

function isMeant(held: StoredRecord, { tombstone, location, id }: Burial): boolean {
  if (!isOlder(held, tombstone)) return false;
  // What only files have told has no real id yet: the field then holds the derived one.
  const isUnnamed = location.field !== "_id" && keyOf(held, location.field) === held._id;
  return isAt(held, location) || (id === held._id && isUnnamed);
}

/** True when the record is held under this id, and under this company where it belongs to one. */
function isAt(held: StoredRecord, { field, value, companyNumber }: RecordLocation): boolean {
  if (keyOf(held, field) !== value) return false;
  const isOfCompany = companyNumber !== undefined && "company_number" in held;
  return !isOfCompany || keyOf(held, "company_number") === companyNumber;
}
