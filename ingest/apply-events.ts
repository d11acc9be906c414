/**
 * Owns the application of streaming events (bulk formats 5): of each address the highest timepoint wins, whatever the
 * order in which events, batches and workers come, and however often.
 *
 * How it is kept without a lock: a deletion sets its tombstone before it looks for the record, and a change looks for
 * a tombstone after it has written its record, so that of two workers that meet at least one sees the other. Records
 * are replaced and removed only as they were read, and carry the event that told them. Each step may be done again.
 *
 * A record remembers the day of its snapshot: an event of before that day comes as if it had come before it. So does one
 * of the day of a daily update or before, with what its line has told of an appointment, or taken away.
 *
 * Limit: the line of an update counts as telling the whole appointment: what an event of before told of it alone, and
 * which comes later, is left out but for gaps. What an update has moved to another identity does not learn its real id
 * from an older event that comes later.
 *
 * Limit: two addresses that share one record (a notification whose company was renumbered, a duplicate that the
 * register holds of an appointment) are one record here, which the newest change of either tells; deleting one
 * address removes it only while that change is of this address. An address whose record has got another identity
 * (a corrected day of appointment) leaves no tombstone for the former one: an older snapshot brings that back.
 *
 * Limit: a repeat of an event that a record knows changes nothing, also when a newer release would read it in another
 * way; what two events of one address and one timepoint tell apart is whatever came first.
 */
import type { DocumentStore } from "../api/core/stores/mongo.ts";
import type { Stores } from "../api/core/stores/index.ts";
import type { RecordDefinition, StoredRecord } from "../api/resources/define-record.ts";
import { writeBoth, type Leaving, type Told, type Truth } from "./both-stores.ts";
import { bury, removeFormerSelves, type Burial } from "./burials.ts";
import type { RowEvent } from "./define-source.ts";
import { findTelling } from "./sources/index.ts";
import { fetchTombstones, raiseTombstones, type Tombstone } from "./tombstones.ts";
import { fetchWithdrawals } from "./withdrawals.ts";
import type { PendingRecord } from "./writers/compare.ts";
import { writeRecords } from "./writers/mongo.ts";
import { compareStamps, isAfter, snapshotDayOf } from "./writers/stored.ts";
import { markDrawn } from "./writers/versions.ts";

/** An event on its way in. */
export interface PendingEvent extends RowEvent {
  /** The record that it tells; absent: it tells that the resource is deleted. */
  pending?: PendingRecord;
  /** The record's identity, where a deleted resource still came whole. */
  id?: string | undefined;
}

type ChangedEvent = PendingEvent & { pending: PendingRecord };

/** What became of a batch's events; those in neither count were repeats, older ones, or found nothing to remove. */
export interface EventCounts {
  written: number;
  removed: number;
}

/** Applies events of one kind of record to both stores. */
export async function applyEvents(
  stores: Stores,
  record: RecordDefinition,
  events: PendingEvent[],
  jobId: string,
): Promise<EventCounts> {
  const ids = events.map(recordIdOf);
  const told = events.flatMap(({ pending }) => pending?.stored ?? []);
  return writeBoth(stores, record, { jobId, ids, told }, (leaving) =>
    tellEvents(stores.mongo, record, events, leaving),
  );
}

/** Applies them to the truth alone. */
export async function tellEvents(
  truth: Truth,
  record: RecordDefinition,
  events: PendingEvent[],
  leaving: Leaving,
): Promise<Told<EventCounts>> {
  const { documents } = truth;
  const { collection } = record;
  const changed = events.filter((event): event is ChangedEvent => event.pending !== undefined);
  const deleted = events.filter(({ pending }) => pending === undefined);
  const burials = deleted.map((event) => toBurial(event, { ...event.stamp, collection }));
  await markDrawn(documents, collection);
  await raiseTombstones(
    documents,
    burials.map(({ tombstone }) => tombstone),
  );
  const { live, outdone } = await partByTombstones(documents, changed);
  // A deletion that came first may lack what an older change tells: which record it is about.
  burials.push(...outdone);
  const admitted = await leaveOutWithdrawn(truth, record, live);
  const written = await writeChanged(truth, record, admitted, leaving);
  const { outdone: since } = await partByTombstones(documents, live);
  const buried = await bury(truth, record, [...burials, ...since], leaving.onRemove);
  const former = await removeFormerSelves(truth, record, live, leaving.onRemove);
  const left = [buried, former].flatMap(({ removed, replaced }) => [...removed, ...replaced]);
  const gone = new Set(left.map(({ _id }) => _id));
  const kept = written.filter(({ _id }) => !gone.has(_id));
  return {
    written: [...written, ...buried.replaced, ...former.replaced],
    counts: { written: kept.length, removed: Math.min(buried.removed.length, deleted.length) },
  };
}

/** Each record once: of two addresses that share one the newer event tells it. */
function writeChanged(
  truth: Truth,
  record: RecordDefinition,
  live: ChangedEvent[],
  { onReplace }: Leaving,
): Promise<StoredRecord[]> {
  const oldestFirst = live.toSorted((a, b) => compareStamps(a.stamp, b.stamp));
  const pending = new Map(oldestFirst.map((event) => [event.pending.stored._id, event.pending]));
  return writeRecords(truth, record, [...pending.values()], { onLeave: onReplace, findTelling });
}

/** Changes of addresses that have been deleted since, as burials of their records, and the other ones. */
async function partByTombstones(
  documents: DocumentStore,
  changed: ChangedEvent[],
): Promise<{ live: ChangedEvent[]; outdone: Burial[] }> {
  const tombstones = await fetchTombstones(
    documents,
    changed.map(({ stamp }) => stamp.uri),
  );
  const live: ChangedEvent[] = [];
  const outdone: Burial[] = [];
  for (const event of changed) {
    const tombstone = tombstones.get(event.stamp.uri);
    if (tombstone && tombstone.timepoint >= event.stamp.timepoint) outdone.push(toBurial(event, tombstone));
    else live.push(event);
  }
  return { live, outdone };
}

/** Less what would bring back an identity that a daily update of the event's day or a later one has taken away. */
async function leaveOutWithdrawn(
  { documents, records }: Truth,
  record: RecordDefinition,
  live: ChangedEvent[],
): Promise<ChangedEvent[]> {
  const idOf = ({ pending }: ChangedEvent) => pending.stored._id;
  const withdrawals = await fetchWithdrawals(documents, record.collection, live.map(idOf));
  const isWithdrawn = (event: ChangedEvent) => {
    const day = withdrawals.get(idOf(event))?.day;
    return day !== undefined && !isAfter(event.stamp, snapshotDayOf(day));
  };
  const withdrawn = live.filter(isWithdrawn);
  if (withdrawn.length === 0) return live;
  const held = await records.fetchByIds(record, withdrawn.map(idOf));
  const heldIds = new Set(held.map(({ _id }) => _id));
  return live.filter((event) => !isWithdrawn(event) || heldIds.has(idOf(event)));
}

function toBurial(event: PendingEvent, tombstone: Tombstone): Burial {
  return { tombstone, location: event.location, id: event.pending?.stored._id ?? event.id };
}

function recordIdOf({ pending, id, location }: PendingEvent): string {
  return pending?.stored._id ?? id ?? location.value;
}
