/** Owns what becomes of a record that is held, or of none, when sources state something of it. Pure. */
import { isDeepStrictEqual } from "node:util";
import { contentHash } from "../../api/core/identifiers.ts";
import type { Members } from "../../api/core/members.ts";
import type { HeldRecord, RecordDefinition, Statement } from "../../api/resources/define-record.ts";
import { isGone } from "../../api/core/gone.ts";
import { fold, prune, tableOf, type FindTable, type Told } from "./statement.ts";

/** What sources state of one record. */
export interface Incoming {
  /** Identity of the record. */
  id: string;
  statements: readonly Told[];
  /** Of a row without a day: its statement counts as later than what is held, but for what a later batch has told. */
  isUndated?: boolean;
  /** False for a record of which nothing is to be stated, or not any more; absent: of every one. */
  isMeant?: (held: HeldRecord | undefined) => boolean;
}

/** What decides beside the statements themselves. */
export interface Absorbing {
  record: RecordDefinition;
  /** Of the batch. */
  revision: number;
  findTable: FindTable;
}

// Of a record that nobody has stated: it counts as earlier than all.
const NOBODY: Statement[] = [{ at: "" }];

/** What is held of a record, as statements with all of their data. */
export function toldOf(held: HeldRecord | undefined): Told[] {
  if (!held) return [];
  // The cast: records have obeyed a schema of objects.
  const data = isGone(held) ? undefined : (held.data as Members);
  const { told = NOBODY, revision } = held;
  return told.map((kept) => ({ ...(!kept.event && { place: revision }), ...unpack(kept, data) }));
}

/**
 * The record as it is to be held once the statements are known of; null when nothing changes by them. An edition that finds a
 * record as it says does not raise its day where no other source has told of it, since that would write every record of every
 * edition; but for sources that keep it.
 *
 * Limit: an event that was published between two such editions and comes after the later one counts as newer than both.
 */
export function absorb(
  held: HeldRecord | undefined,
  incoming: Incoming,
  absorbing: Absorbing,
): HeldRecord | null {
  const { findTable } = absorbing;
  const { id, isUndated, isMeant } = incoming;
  if (isMeant?.(held) === false) return null;
  if (held && isRepeat(held, incoming, absorbing)) return null;
  // A later batch has written the record since that of a row without a day was cut.
  if (held && isUndated && held.revision > (incoming.statements[0]?.place ?? 0)) return null;
  const before = toldOf(held);
  const stated = isUndated ? placeUndated(incoming.statements, before) : incoming.statements;
  const statements = markAgain(prune([...before, ...stated], findTable), before, stated);
  const made = build(held, { id, update: held?.update, statements }, absorbing);
  const isSame =
    made.etag === held?.etag &&
    isDeepStrictEqual(sayingOf(made, findTable), sayingOf(held, findTable)) &&
    hasKeys(held, keysOfHeld(made));
  return isSame ? null : made;
}

/** True for one statement by which alone the record was told as it is: most rows of most editions. */
function isRepeat(held: HeldRecord, { statements }: Incoming, { record, findTable }: Absorbing): boolean {
  const [{ data, ...stamp } = { at: "" }, ...others] = statements;
  if (!data || stamp.of || others.length > 0) return false;
  const said = sayingOf({ told: [stamp], revision: 0 }, findTable);
  const isSaid = isDeepStrictEqual(said, sayingOf(held, findTable));
  return isSaid && contentHash(data) === held.etag && hasKeys(held, record.keysOf(data));
}

/** What sources have stated beside the content, in the form in which it is compared. */
export function sayingOf(
  { told = NOBODY, revision }: Pick<HeldRecord, "told" | "revision">,
  findTable: FindTable,
): unknown[] {
  return told.map(({ at, event, tells, of, gone, data, lacks, again, place = revision }) => {
    // What is told alone says no more on a later day, unless its source keeps the day.
    const isDayless = told.length === 1 && !event && !gone && !findTable(tells ?? "")?.keepsDay;
    // Where it stands is apart: an edition that is loaded again says the same in another batch.
    return [isDayless ? "" : at, event, tells, of, gone, data, lacks?.toSorted(), again && place];
  });
}

/** The record of these statements, and of no others. Its revision is that of the batch, or the next one of the record. */
export function build(
  held: HeldRecord | undefined,
  { id, statements, update }: Pick<Incoming, "id" | "statements"> & { update?: HeldRecord["update"] },
  { record, revision, findTable }: Absorbing,
): HeldRecord {
  const data = fold(statements, findTable);
  const next = held && held.revision >= revision ? held.revision + 1 : revision;
  const told = statements.map((statement) => {
    const kept = pack(statement, data);
    // The batch of a row is told where it is another one, which is seldom.
    if (!kept.event && kept.place === next) delete kept.place;
    return kept;
  });
  const [etag, rest] = [contentHash(data), { told, ...(update && { update }) }];
  if (!data) {
    const address = held && (isGone(held) ? held.address : record.incoming?.addressOf?.(held.data));
    return { _id: id, etag, revision: next, gone: true, ...(address && { address }), ...rest };
  }
  return { ...record.keysOf(data), _id: id, etag, revision: next, data, ...rest };
}

// A record keeps what its sources have stated as the difference from its own data, so that a statement which says just what
// is held costs no more than its stamp.

/** A statement as a record of this data keeps it; without data the record is gone. */
export function pack({ data, ...stamp }: Told, held: Members = {}): Statement {
  if (!data || data === held) return stamp;
  const own = Object.entries(data).filter(([name, value]) => !isDeepStrictEqual(value, held[name]));
  const lacks = Object.keys(held).filter((name) => held[name] !== undefined && data[name] === undefined);
  return {
    ...stamp,
    ...(own.length > 0 && { data: Object.fromEntries(own) }),
    ...(lacks.length > 0 && { lacks }),
  };
}

/** The statement with all of its data again. */
export function unpack({ data, lacks = [], ...stamp }: Statement, held: Members | undefined): Told {
  if (stamp.gone) return stamp;
  const whole: Members = { ...held, ...data };
  for (const name of lacks) Reflect.deleteProperty(whole, name);
  return { ...stamp, data: whole };
}

/** Rows without a day stand behind all that the record knows, and bear its last event: an older one that comes later is older. */
function placeUndated(statements: readonly Told[], before: readonly Told[]): Told[] {
  const { at = "" } = before.at(-1) ?? {};
  const event = before.findLast((statement) => statement.event)?.event;
  return statements.map((statement) => ({ ...statement, at, ...(event && { event }) }));
}

/**
 * Marks what rows of a file say that names the record twice: batches come in any order, so that each such row has to leave its
 * place, even where it changes nothing.
 *
 * Limit: a row that changes nothing leaves none in the first edition that names the record twice, where it comes before the other.
 */
function markAgain(statements: Told[], before: readonly Told[], stated: readonly Told[]): Told[] {
  if (before.length === 0) return statements;
  const isRow = ({ event, gone, of }: Told) => !event && !gone && !of;
  const rows = [...before, ...stated].filter(isRow);
  const isOther = (one: Told) => (other: Told) =>
    other.at === one.at &&
    tableOf(other) === tableOf(one) &&
    (other.again ?? !isDeepStrictEqual(other.data, one.data));
  return statements.map((one) => (isRow(one) && rows.some(isOther(one)) ? { ...one, again: true } : one));
}

// What a stored record is beside its keys.
const NO_KEYS = new Set(["_id", "etag", "revision", "told", "update", "data", "gone", "address"]);

/** By what a record is found and sorted, its identity left out. */
export function keysOfHeld(held: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(held).filter(([key]) => !NO_KEYS.has(key)));
}

/** False for a record that another release has stored, which found records by fewer keys, or by others. */
function hasKeys(held: object, keys: object): boolean {
  return Object.entries(keys).every(([key, value]) => (held as Record<string, unknown>)[key] === value);
}
