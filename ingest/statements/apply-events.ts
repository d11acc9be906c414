/**
 * Owns the application of streaming events (bulk formats 5): of each address the highest timepoint wins, whatever the
 * order in which events, batches and workers come, and however often; against files the moment decides.
 *
 * Some addresses do not tell the identity of their record: an appointment has its own from company, person, role and day, and
 * the stream tells an id. So an event may tell another identity than an earlier one of its address (a corrected day), and a
 * deletion may come before anything has told which record it means. Whoever has written what an event tells looks
 * afterwards for older and newer events of the address: of two workers that meet at least one sees the other.
 *
 * Limit: an address whose record has got another identity, and that is deleted then, leaves nothing under the former one: an
 * older snapshot brings that back.
 *
 * Limit: a repeat of an event changes nothing, also when a newer release would read it in another way; of two events of one
 * address and one timepoint the first counts.
 */
import { isGone } from "../../api/core/gone.ts";
import { keyOf } from "../../api/core/key-of.ts";
import type { Members } from "../../api/core/members.ts";
import type { EventStamp, HeldRecord, RecordDefinition } from "../../api/resources/define-record.ts";
import type { RecordLocation } from "../../api/resources/incoming-resource.ts";
import type { RowEvent } from "../sources/define-source.ts";
import type { Incoming } from "./absorb.ts";
import type { Told } from "./statement.ts";
import { writeStatements, type Writing, type Written } from "./write.ts";
import type { KindOutcome, Truth } from "./write.ts";

/** An event on its way in. */
export interface PendingEvent extends RowEvent {
  /** The record's identity; absent: a deletion that does not tell it. */
  id?: string | undefined;
  /** What it tells; absent: that the resource is deleted. */
  data?: Members;
}

/** Applies events of one kind of record; those that are counted as nothing were repeats, older ones, or found nothing to remove. */
export async function applyEvents(
  mongo: Truth,
  record: RecordDefinition,
  events: readonly PendingEvent[],
  writing: Writing,
): Promise<KindOutcome> {
  const incoming = toIncoming(events);
  const told = await writeStatements(mongo, record, incoming, writing);
  const addressed = events.filter(({ location }) => !isIdentity(location));
  const named = incoming.map(({ id }) => id);
  const outdone = findOutdone(await fetchAddressed(mongo, record, addressed, named), addressed);
  const settled = await writeStatements(mongo, record, outdone, writing);
  const outcome = [...new Map([...told, ...settled].map((item) => [item.held._id, item])).values()];
  const created = outcome.filter(({ effect }) => effect === "created").length;
  return { outcome, created, ...count(events, { told, settled }, writing.revision) };
}

function count(
  events: readonly PendingEvent[],
  { told, settled }: { told: Written[]; settled: Written[] },
  revision: number,
): Pick<KindOutcome, "written" | "removed"> {
  const gone = new Set(settled.filter(({ held }) => isGone(held)).map(({ held }) => held._id));
  const changed = new Set(events.flatMap(({ data, id }) => (data ? (id ?? "") : [])));
  const isWritten = ({ effect, held }: Written) =>
    !isGone(held) &&
    !gone.has(held._id) &&
    changed.has(held._id) &&
    (effect !== "known" || held.revision === revision);
  const removed = [...told, ...settled].filter(({ effect }) => effect === "removed");
  const deletions = events.filter(({ data }) => data === undefined).length;
  return { written: told.filter(isWritten).length, removed: Math.min(removed.length, deletions) };
}

/** What is stated of each record. */
function toIncoming(events: readonly PendingEvent[]): Incoming[] {
  const statements = new Map<string, Told[]>();
  for (const event of events) {
    const { data } = event;
    const stated: Told = { ...stampOf(event.stamp), ...(data ? { data } : { gone: true }) };
    for (const id of idsOfEvent(event)) statements.set(id, [...(statements.get(id) ?? []), stated]);
  }
  return [...statements].map(([id, ofRecord]) => ({ id, statements: ofRecord }));
}

function stampOf({ uri, timepoint, published_at: at }: EventStamp): Pick<Told, "at" | "event"> {
  return { at, event: { uri, timepoint } };
}

/**
 * The records that an event is about. A deletion also stands under the id of its address, where that is no identity of a
 * record: whatever an older event tells of the address later finds it there.
 */
export function idsOfEvent({ id, data, location }: PendingEvent): string[] {
  if (data || isIdentity(location)) return [id ?? location.value];
  return [...new Set([location.value, ...(id === undefined ? [] : [id])])];
}

/** True where the record of a resource is held under the id of its address. */
function isIdentity({ field }: RecordLocation): boolean {
  return field === "_id";
}

/** Records of these addresses, of which the stream does not know the identity, and of these identities; none without such. */
async function fetchAddressed(
  { records }: Pick<Truth, "records">,
  record: RecordDefinition,
  addressed: readonly RowEvent[],
  ids: readonly string[],
): Promise<HeldRecord[]> {
  // One kind of record has one field for all its resources.
  const field = addressed[0]?.location.field;
  if (field === undefined) return [];
  const values = [...new Set(addressed.map(({ location }) => location.value))];
  const located = await records.fetchGroups(record, { field, values });
  const named = await records.fetchHeld(record, [...new Set([...values, ...ids])]);
  return [...new Map([...located.records, ...named].map((item) => [item._id, item])).values()];
}

/**
 * What older events of these addresses, or files that know them, have told under other identities than the newest one is over.
 * What a later snapshot holds of them stays.
 */
function findOutdone(held: readonly HeldRecord[], addressed: readonly RowEvent[]): Incoming[] {
  const newest = newestOf(held, addressed);
  const stampsFor = (item: HeldRecord | undefined) =>
    addressed.flatMap(({ stamp: { uri }, location }) => {
      const stamp = newest.get(uri);
      return item && stamp && isOutdone(item, stamp, location) ? stamp : [];
    });
  return held.flatMap((item) => {
    const statements = stampsFor(item).map((stamp) => ({ ...stampOf(stamp), gone: true as const }));
    const isMeant = (now: HeldRecord | undefined) => stampsFor(now).length > 0;
    return statements.length > 0 ? { id: item._id, statements, isMeant } : [];
  });
}

/** Of each address the newest event that is known. */
function newestOf(held: readonly HeldRecord[], events: readonly RowEvent[]): Map<string, EventStamp> {
  const known = held.flatMap(({ told = [] }) =>
    told.flatMap(({ event, at }) => (event ? { ...event, published_at: at } : [])),
  );
  const newest = new Map<string, EventStamp>();
  for (const stamp of [...events.map((event) => event.stamp), ...known])
    if (stamp.timepoint > (newest.get(stamp.uri)?.timepoint ?? -1)) newest.set(stamp.uri, stamp);
  return newest;
}

function isOutdone(held: HeldRecord, { uri, timepoint }: EventStamp, location: RecordLocation): boolean {
  if (isGone(held)) return false;
  const stamps = (held.told ?? []).flatMap(({ event }) => event ?? []);
  const own = stamps.find((event) => event.uri === uri);
  return own ? own.timepoint < timepoint : stamps.length === 0 && isAt(held, location);
}

/** True when the record is held under this id, and under this company where it belongs to one. */
function isAt(held: HeldRecord, { field, value, companyNumber }: RecordLocation): boolean {
  const isOfCompany = () =>
    companyNumber === undefined ||
    !("company_number" in held) ||
    keyOf(held, "company_number") === companyNumber;
  return keyOf(held, field) === value && isOfCompany();
}
