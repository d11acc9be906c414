/**
 * Owns the application of streaming events (bulk formats 5): of each address the highest timepoint wins, whatever the
 * order in which events, batches and workers come, and however often; against files the moment decides.
 *
 * Limit: an address whose record has got another identity (a corrected day of appointment), and that is deleted then, leaves
 * nothing under the former one: an older snapshot brings that back.
 *
 * Limit: a repeat of an event that a record knows changes nothing, also when a newer release would read it in another
 * way; what two events of one address and one timepoint tell apart is whatever came first.
 */
import { isGone } from "../../api/core/gone.ts";
import type { Members } from "../../api/core/members.ts";
import type { RecordDefinition } from "../../api/resources/define-record.ts";
import type { RowEvent } from "../sources/define-source.ts";
import type { Incoming } from "./absorb.ts";
import { isIdentity, settleAddresses, statesDeletion } from "./addresses.ts";
import type { Told as Statement } from "./statement.ts";
import { writeStatements, type Writing, type Written } from "./write.ts";
import type { KindOutcome, Truth } from "./write-rows.ts";

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
  const ids = incoming.map(({ id }) => id);
  const settled = await settleAddresses(mongo, record, events, { ids, ...writing });
  const outcome = [...new Map([...told, ...settled].map((item) => [item.held._id, item])).values()];
  const created = outcome.filter(({ effect }) => effect === "created").length;
  return { outcome, created, ...count(events, { told, settled }, writing.revision) };
}

/** Counts what became of events. Pure. */
export function count(
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
export function toIncoming(events: readonly PendingEvent[]): Incoming[] {
  const statements = new Map<string, Statement[]>();
  for (const event of events) {
    for (const id of idsOfEvent(event)) statements.set(id, [...(statements.get(id) ?? []), stateOf(event)]);
  }
  return [...statements].map(([id, ofRecord]) => ({ id, statements: ofRecord }));
}

function stateOf({ stamp, data }: PendingEvent): Statement {
  if (!data) return statesDeletion(stamp);
  const { uri, timepoint, published_at: at } = stamp;
  return { at, event: { uri, timepoint }, data };
}

/**
 * The records that an event is about. A deletion also stands under the id of its address, where that is no identity of a
 * record: whatever an older event tells of the address later finds it there.
 */
export function idsOfEvent({ id, data, location }: PendingEvent): string[] {
  if (data || isIdentity(location)) return [id ?? location.value];
  return [...new Set([location.value, ...(id === undefined ? [] : [id])])];
}
