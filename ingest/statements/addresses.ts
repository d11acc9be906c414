/**
 * Finds out which record belongs to an address after streaming events (bulk formats 5). Of each address the highest
 * timepoint wins, in whatever order and however often events arrive. Between events and files the moment decides.
 *
 * Two events of one address may identify different records, for example after a day was corrected: an appointment is
 * identified by company, person, role and day, but its address is an id. A deletion may also arrive before its record.
 * So a worker reads the address again after writing an event: of two workers at least one sees the other's write.
 * Limit: an address that changes its identity and is then deleted leaves no tombstone under the former identity. An
 * older snapshot then brings that record back.
 * Limit: a repeated event changes nothing, even if a newer release reads it differently. Of two events of one
 * address and timepoint the first counts.
 *
 * API-shaped rows have addresses, too: of one address a later answer may have another identity.
 */
import { keyOf } from "../../api/shared/values/members.ts";
import {
  isTombstone,
  type EventStamp,
  type RecordOrTombstone,
  type RecordDefinition,
} from "../../api/shared/definitions/define-record.ts";
import type { RecordLocation } from "../../api/shared/definitions/incoming-resource.ts";
import type { RowEvent } from "../sources/define-source.ts";
import type { Incoming } from "./absorb.ts";
import type { FullStatement } from "./statement.ts";
import { fetchLookedUp, writeStatements, type MongoRecords, type Writing, type Written } from "./write.ts";

type Stamp = Required<Pick<FullStatement, "at" | "event">>;

export function toStatement({ uri, timepoint, published_at: at }: EventStamp): Stamp {
  return { at, event: { uri, timepoint } };
}

/**
 * Removes records that older events of these addresses, or files, stored under other identities than the newest event
 * has. What a later snapshot stated of them stays. `ids`: the records to which the events were written; `stated`: the
 * outcome of these writes.
 */
export async function settleAddresses(
  mongo: MongoRecords,
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
  const stored = await fetchLookedUp(mongo, record, [lookup]);
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
  const settled = await writeStatements(mongo, record, incoming, writing);
  const shown = shownAgain(record, [...stated, ...settled], addressed);
  if (shown.length === 0) return settled;
  return [
    ...settled,
    ...(await settleAddresses(mongo, record, { addressed: shown, ids: [], stated: [] }, writing)),
  ];
}

/**
 * Addresses of written records that none of these events has: a deletion of another address may have brought them back.
 * While the record had that other address, a deletion of this one did not find it, and left a tombstone under its id.
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

/** True for a record stated by an older event of the address, or only by files and at the event's location. */
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

/** All rows, but of API-shaped ones with the same address, whose identities may differ, only the last. */
export function keepLastPerAddress(record: RecordDefinition, rows: Iterable<Incoming>): Incoming[] {
  return [...new Map(Array.from(rows, (row) => [addressOfRow(record, row)?.uri ?? row.id, row])).values()];
}

/**
 * Removes records that earlier API-shaped rows have stored at the addresses of these rows, under other identities. For
 * example, the identity changes when a day of appointment is corrected, or where a person's number is missing. Only a
 * row that creates a record can leave a former one behind, so nothing is read for other rows. `rows`: the last of each
 * address.
 * Limit: an event, or a row of a later moment, stays beside an older row of another identity. If two batches run at the
 * same time, the earlier of two rows may win when the later one repeats what is stored.
 */
export async function removeFormer(
  mongo: MongoRecords,
  record: RecordDefinition,
  { rows, stated }: { rows: readonly Incoming[]; stated: readonly Written[] },
  writing: Writing,
): Promise<Written[]> {
  // A record that an earlier run of the batch created is `known`.
  const isNew = ({ stored, effect }: Written) =>
    effect === "created" || (effect === "known" && stored.revision === writing.revision);
  const own = new Set(stated.filter(isNew).map(({ stored }) => stored._id));
  const news = rows.flatMap((row) => {
    const address = own.has(row.id) ? addressOfRow(record, row) : undefined;
    return address ? { row, address } : [];
  });
  const [first] = news;
  const field = first && record.incoming?.locate({ ...first.address, data: {} }).field;
  if (field === undefined || field === "_id") return [];
  const rowOf = new Map(news.map(({ row, address }) => [address.uri, row]));
  const filter = { [field]: news.map(({ address }) => address.id) };
  const ids = await mongo.records.fetchKeys(record, filter, "_id");
  const others = await mongo.records.fetchStored(
    record,
    ids.filter((id) => !own.has(id)),
  );
  const uriOf = (stored: RecordOrTombstone | undefined) =>
    !stored || isTombstone(stored) ? "" : record.incoming?.addressOf?.(stored.data).uri;
  const incoming = others.flatMap((stored): Incoming[] => {
    const uri = uriOf(stored) ?? "";
    const row = rowOf.get(uri);
    const isApplicable = (now: RecordOrTombstone | undefined) => uriOf(now) === uri;
    return row ? [{ ...row, id: stored._id, statements: row.statements.map(toDeletion), isApplicable }] : [];
  });
  return writeStatements(mongo, record, incoming, writing);
}

function addressOfRow({ incoming }: RecordDefinition, { statements }: Incoming) {
  const [{ data, tells, event } = {}] = statements;
  return data && tells === undefined && event === undefined ? incoming?.addressOf?.(data) : undefined;
}

function toDeletion({ at, place }: Incoming["statements"][number]) {
  return { at, ...(place !== undefined && { place }), gone: true as const };
}
