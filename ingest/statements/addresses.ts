/**
 * Owns the addresses of streaming events (bulk formats 5): of each the highest timepoint wins, whatever the order in which
 * events, batches and workers come, and however often; against files the moment decides.
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
import type { EventStamp, HeldRecord, RecordDefinition } from "../../api/resources/define-record.ts";
import type { RecordLocation } from "../../api/resources/incoming-resource.ts";
import type { RowEvent } from "../sources/define-source.ts";
import type { Told } from "./statement.ts";
import { fetchLookedAt, writeStatements, type Truth, type Writing, type Written } from "./write.ts";

/** An event as a statement, without what it tells. */
type Stamp = Required<Pick<Told, "at" | "event">>;

export function toStatement({ uri, timepoint, published_at: at }: EventStamp): Stamp {
  return { at, event: { uri, timepoint } };
}

/**
 * States that what older events of these addresses, or files that know them, have told under other identities than the newest
 * one is over; what a later snapshot holds of them stays. `ids`: of the records that the events have been stated of.
 */
export async function settleAddresses(
  truth: Truth,
  record: RecordDefinition,
  { addressed, ids }: { addressed: readonly RowEvent[]; ids: readonly string[] },
  writing: Writing,
): Promise<Written[]> {
  // One kind of record has one field for all its resources.
  const [first] = addressed;
  if (!first) return [];
  const values = addressed.map(({ location }) => location.value);
  const looks = { looksAt: { [first.location.field]: values }, identities: [...values, ...ids] };
  const held = await fetchLookedAt(truth, record, [looks]);
  const newest = newestOf(held, addressed);
  const outdoing = (item: HeldRecord | undefined) =>
    addressed.flatMap(({ stamp: { uri }, location }) => {
      const stamp = newest.get(uri);
      return item && stamp && isOutdone(item, stamp, location) ? stamp : [];
    });
  const incoming = held.flatMap((item) => {
    const statements = outdoing(item).map((stamp) => ({ ...stamp, gone: true as const }));
    const isMeant = (now: HeldRecord | undefined) => outdoing(now).length > 0;
    return statements.length > 0 ? { id: item._id, statements, isMeant } : [];
  });
  return writeStatements(truth, record, incoming, writing);
}

/** Of each address the newest event that is known. */
function newestOf(held: readonly HeldRecord[], events: readonly RowEvent[]): Map<string, Stamp> {
  const newest = new Map<string, Stamp>();
  const known = held.flatMap(({ told = [] }) => told);
  for (const { at, event } of [...events.map(({ stamp }) => toStatement(stamp)), ...known])
    if (event && event.timepoint > (newest.get(event.uri)?.event.timepoint ?? -1))
      newest.set(event.uri, { at, event });
  return newest;
}

/** True for a record that an older event of the address told of, or files alone, that are of its company where it has one. */
function isOutdone(held: HeldRecord, { event }: Stamp, location: RecordLocation): boolean {
  if (isGone(held)) return false;
  const events = (held.told ?? []).flatMap((told) => told.event ?? []);
  if (events.length > 0)
    return events.some(({ uri, timepoint }) => uri === event.uri && timepoint < event.timepoint);
  const { field, value, companyNumber } = location;
  const isOfCompany = companyNumber !== undefined && "company_number" in held;
  return keyOf(held, field) === value && (!isOfCompany || keyOf(held, "company_number") === companyNumber);
}
