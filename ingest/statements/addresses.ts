/**
 * Owns the addresses by which a stream knows records whose identity follows from their content: an appointment has its
 * identity from company, person, role and day, and the stream tells an id of its own. An event may so tell another identity than
 * an earlier one of its address did (a corrected day), and a deletion may come before anything has told which record it means.
 *
 * How it is kept without a lock: whoever has written what an event tells looks afterwards for what older events of the
 * address have told, and for newer ones; so of two workers that meet at least one sees the other. Each step may be done again.
 */
import { isGone } from "../../api/core/gone.ts";
import { keyOf } from "../../api/core/key-of.ts";
import type { GroupReader, MongoStore } from "../../api/core/stores/mongo.ts";
import type { EventStamp, HeldRecord, RecordDefinition } from "../../api/resources/define-record.ts";
import type { RecordLocation } from "../../api/resources/incoming-resource.ts";
import type { RowEvent } from "../sources/define-source.ts";
import type { Incoming } from "./absorb.ts";
import type { Told } from "./statement.ts";
import { writeStatements, type Writing, type Written } from "./write.ts";

/** True where the record of a resource is held under the id of its address. */
export function isIdentity({ field }: RecordLocation): boolean {
  return field === "_id";
}

/** The statement that an event deletes the resource of its address. */
export function statesDeletion({ uri, timepoint, published_at }: EventStamp): Told {
  return { at: published_at, event: { uri, timepoint }, gone: true };
}

/**
 * Takes away what older events of these addresses, or files, have told under other identities than the newest one. What a
 * later snapshot holds of them stays. `ids`: identities that the events have named.
 */
export async function settleAddresses(
  mongo: Pick<MongoStore, "records" | "writer">,
  record: RecordDefinition,
  events: readonly RowEvent[],
  { ids, ...writing }: Writing & { ids: readonly string[] },
): Promise<Written[]> {
  const outdone = findOutdone(await fetchAddressed(mongo.records, record, events, ids), events);
  return outdone.length > 0 ? writeStatements(mongo, record, outdone, writing) : [];
}

/** Records of the addresses of which the stream does not know the identity, and of these identities; none without such. */
export async function fetchAddressed(
  records: GroupReader,
  record: RecordDefinition,
  events: readonly RowEvent[],
  ids: readonly string[],
): Promise<HeldRecord[]> {
  const locations = events.map(({ location }) => location).filter((location) => !isIdentity(location));
  const [first] = locations;
  if (!first) return [];
  const values = [...new Set(locations.map(({ value }) => value))];
  // One kind of record has one field for all its resources.
  const located = await records.fetchGroups(record, { field: first.field, values });
  const named = await records.fetchHeld(record, [...new Set([...values, ...ids])]);
  return [...new Map([...located.records, ...named].map((item) => [item._id, item])).values()];
}

/** What of these records is over. Pure. */
export function findOutdone(held: readonly HeldRecord[], events: readonly RowEvent[]): Incoming[] {
  const addressed = events.filter(({ location }) => !isIdentity(location));
  const byUri = new Map(addressed.map((event) => [event.stamp.uri, event]));
  const newest = newestOf(held, events);
  return held.flatMap((item) => [...byUri.values()].flatMap((event) => outdo(item, event, newest)));
}

/** Of each address the newest event that is known. */
function newestOf(held: readonly HeldRecord[], events: readonly RowEvent[]): Map<string, EventStamp> {
  const newest = new Map<string, EventStamp>();
  const note = (stamp: EventStamp) => {
    if (stamp.timepoint > (newest.get(stamp.uri)?.timepoint ?? -1)) newest.set(stamp.uri, stamp);
  };
  for (const { stamp } of events) note(stamp);
  for (const { event, at } of held.flatMap(({ told = [] }) => told))
    if (event) note({ ...event, published_at: at });
  return newest;
}

/** What a record that is there has of an older event of the address, or of a file that knows the address, is over. */
function outdo(
  held: HeldRecord,
  { stamp: { uri }, location }: RowEvent,
  newest: ReadonlyMap<string, EventStamp>,
): Incoming[] {
  const stamp = newest.get(uri);
  if (isGone(held) || !stamp) return [];
  const isTooOld = (item: HeldRecord | undefined) => {
    if (!item || isGone(item)) return false;
    const stamps = (item.told ?? []).flatMap(({ event }) => event ?? []);
    const own = stamps.find((event) => event.uri === uri);
    return own ? own.timepoint < stamp.timepoint : stamps.length === 0 && isAt(item, location);
  };
  return isTooOld(held) ? [{ id: held._id, statements: [statesDeletion(stamp)], isMeant: isTooOld }] : [];
}

/** True when the record is held under this id, and under this company where it belongs to one. */
function isAt(held: HeldRecord, { field, value, companyNumber }: RecordLocation): boolean {
  if (keyOf(held, field) !== value) return false;
  return (
    companyNumber === undefined ||
    !("company_number" in held) ||
    keyOf(held, "company_number") === companyNumber
  );
}
