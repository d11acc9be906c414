/**
 * Orders streaming events (bulk formats 5): of each address the highest timepoint wins, in whatever order and
 * however often events arrive. Between events and files the moment decides.
 *
 * Two events of an address may name different identities, as after a corrected day: an appointment's identity
 * is company, person, role and day, its address an id. A deletion may come before its record is known. So a
 * worker that has written an event reads the address again: of two workers at least one sees the other.
 * Limit: an address that changes its identity and is then deleted leaves no tombstone under the former
 * identity, which an older snapshot brings back.
 * Limit: a repeated event changes nothing, even if a newer release reads it differently. Of two events of one
 * address and timepoint the first counts.
 */
import { isTombstone } from "../../api/shared/values/tombstone.ts";
import { keyOf } from "../../api/shared/values/members.ts";
import type {
  EventStamp,
  RecordOrTombstone,
  RecordDefinition,
} from "../../api/shared/definitions/define-record.ts";
import type { RecordLocation } from "../../api/shared/definitions/incoming-resource.ts";
import type { RowEvent } from "../sources/define-source.ts";
import type { FullStatement } from "./statement.ts";
import { fetchLookedUp, writeStatements, type MongoRecords, type Writing, type Written } from "./write.ts";

type Stamp = Required<Pick<FullStatement, "at" | "event">>;

export function toStatement({ uri, timepoint, published_at: at }: EventStamp): Stamp {
  return { at, event: { uri, timepoint } };
}

/**
 * Removes what older events of these addresses, or files, stored under other identities than the newest
 * event; what a later snapshot stated of them stays. `ids`: the records that the events were written to; `stated`: what those
 * became.
 */
export async function settleAddresses(
  truth: MongoRecords,
  record: RecordDefinition,
  {
    addressed,
    ids,
    stated,
  }: { addressed: readonly RowEvent[]; ids: readonly string[]; stated: readonly Written[] },
  writing: Writing,
): Promise<Written[]> {
  // All resources of one kind of record are found by the same field.
  const [first] = addressed;
  if (!first) return [];
  const values = addressed.map(({ location }) => location.value);
  const lookup = { keys: { [first.location.field]: values }, identities: [...values, ...ids] };
  const stored = await fetchLookedUp(truth, record, [lookup]);
  const newest = newestOf(stored, addressed);
  const superseding = (item: RecordOrTombstone | undefined) =>
    addressed.flatMap(({ stamp: { uri }, location }) => {
      const stamp = newest.get(uri);
      return item && stamp && isSuperseded(item, stamp, location) ? stamp : [];
    });
  const incoming = stored.flatMap((item) => {
    const statements = superseding(item).map((stamp) => ({ ...stamp, gone: true as const }));
    const isApplicable = (now: RecordOrTombstone | undefined) => superseding(now).length > 0;
    return statements.length > 0 ? { id: item._id, statements, isApplicable } : [];
  });
  const settled = await writeStatements(truth, record, incoming, writing);
  const shown = shownAgain(record, [...stated, ...settled], addressed);
  if (shown.length === 0) return settled;
  return [
    ...settled,
    ...(await settleAddresses(truth, record, { addressed: shown, ids: [], stated: [] }, writing)),
  ];
}

/**
 * The addresses of records that none of these events is of: a deletion may have brought them up again. While another one was
 * shown, their own deletion did not find the record and left a tombstone under their id.
 */
function shownAgain(
  { incoming }: RecordDefinition,
  written: readonly Written[],
  events: readonly RowEvent[],
) {
  const uris = new Set(events.map(({ stamp: { uri } }) => uri));
  return written.flatMap(({ stored }): RowEvent[] => {
    const address = isTombstone(stored) ? undefined : incoming?.addressOf?.(stored.data);
    if (!incoming || !address || uris.has(address.uri)) return [];
    const stamp = { uri: address.uri, timepoint: -1, published_at: "" };
    return [{ stamp, location: incoming.locate({ ...address, data: {} }) }];
  });
}

function newestOf(stored: readonly RecordOrTombstone[], events: readonly RowEvent[]): Map<string, Stamp> {
  const newest = new Map<string, Stamp>();
  const known = stored.flatMap(({ told: statements = [] }) => statements);
  for (const { at, event } of [...events.map(({ stamp }) => toStatement(stamp)), ...known])
    if (event && event.timepoint > (newest.get(event.uri)?.event.timepoint ?? -1))
      newest.set(event.uri, { at, event });
  return newest;
}

/** True for a record stated by an older event of the address or, at its location, by files alone. */
function isSuperseded(stored: RecordOrTombstone, { event }: Stamp, location: RecordLocation): boolean {
  if (isTombstone(stored)) return false;
  const events = (stored.told ?? []).flatMap((told) => told.event ?? []);
  if (events.length > 0)
    return events.some(({ uri, timepoint }) => uri === event.uri && timepoint < event.timepoint);
  const { field, value, companyNumber } = location;
  const isOfCompany = companyNumber !== undefined && "company_number" in stored;
  return (
    keyOf(stored, field) === value && (!isOfCompany || keyOf(stored, "company_number") === companyNumber)
  );
}
