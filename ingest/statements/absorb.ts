/** Applies incoming statements to a stored record, or makes a new record of them. Pure functions. */
import { isDeepStrictEqual } from "node:util";
import { contentHash, hashOnce } from "../../api/shared/values/identifiers.ts";
import type { Members } from "../../api/shared/values/members.ts";
import {
  isTombstone,
  type RecordOrTombstone,
  type RecordDefinition,
  type Statement,
} from "../../api/shared/definitions/define-record.ts";
import type { RecordStamps } from "../../api/shared/stores/mongodb/mongo.ts";
import { prune } from "./prune.ts";
import { asStored, batchOf, fold, isPatch, type FindMergeRules, type FullStatement } from "./statement.ts";

/** What sources state of one record. */
export interface Incoming {
  id: string;
  statements: readonly FullStatement[];
  /** True for a row without a day. It counts as newer than everything stored, except what a later batch has written. */
  isUndated?: boolean;
  /** The moment (UTC) at which undated rows count; later statements stay newer. Absent: now. */
  asOf?: string | undefined;
  /** True for stored statements that are dropped because their load is undone. */
  isUndone?: (statement: FullStatement) => boolean;
  /** Asked at each attempt to write: false when the statements do not apply to the stored record. */
  isApplicable?: (stored: RecordOrTombstone | undefined) => boolean;
}

export interface Absorbing {
  record: RecordDefinition;
  revision: number;
  findMergeRules: FindMergeRules;
}

// A record without statements counts as older than any statement.
const NO_STATEMENTS: Statement[] = [{ at: "" }];

/** The statements of a stored record, each with its full data. */
export function statementsOf(stored: RecordOrTombstone | undefined): FullStatement[] {
  if (!stored) return [];
  // The cast: every record's schema is an object.
  const data = isTombstone(stored) ? undefined : (stored.data as Members);
  const { told: statements = NO_STATEMENTS, revision } = stored;
  return statements.map((kept) => ({ ...(!kept.event && { place: revision }), ...unpack(kept, data) }));
}

/**
 * The record to store; null when nothing changes. If an edition repeats the only statement of a record, the stored day
 * stays, since a new one would rewrite every record. It is updated only if the merge rules have `keepsDay`.
 * Limit: an event published between two such editions but loaded after both counts as newer than both.
 */
export function absorb(stored: RecordOrTombstone | undefined, incoming: Incoming, absorbing: Absorbing) {
  const { findMergeRules } = absorbing;
  const { id, isUndated, isApplicable, isUndone } = incoming;
  if (isApplicable?.(stored) === false) return null;
  if (stored && isRepeat(stored, incoming, absorbing)) return null;
  const kept = asStored(statementsOf(stored), findMergeRules);
  const before = isUndone ? kept.filter((one) => !isUndone(one)) : kept;
  const stated = isUndated ? placeUndated(incoming, before, stored?.revision) : incoming.statements;
  const statements = prune([...before, ...stated], findMergeRules);
  const made = build(stored, { id, update: stored?.update, statements }, absorbing);
  const isSame =
    made.etag === stored?.etag &&
    isDeepStrictEqual(comparableOf(made, findMergeRules), comparableOf(stored, findMergeRules)) &&
    hasKeys(stored, keysOfStored(made));
  return isSame ? null : made;
}

/** False for rows that cannot be repeats, such as those of streams, which have moments. */
export function isRepeatable({ statements, isApplicable, isUndone }: Incoming): boolean {
  return statements.length === 1 && !statements[0]?.event && !isApplicable && !isUndone;
}

/** True when a row repeats the only statement of a record: a quick check that settles most rows of most editions. */
export function isRepeat(
  stored: RecordStamps,
  { statements }: Incoming,
  { record, findMergeRules }: Absorbing,
): boolean {
  const [{ data, ...stamp } = { at: "" }, ...others] = statements;
  if (!data || others.length > 0) return false;
  const incomingForm = comparableOf({ told: [stamp] }, findMergeRules);
  const isSameStatement = isDeepStrictEqual(incomingForm, comparableOf(stored, findMergeRules));
  return isSameStatement && hashOnce(data) === stored.etag && hasKeys(stored, record.keysOf(data));
}

/** The statements of a record without its content, in a form that can be compared. */
function comparableOf(
  { told: statements = NO_STATEMENTS }: Pick<RecordStamps, "told">,
  findMergeRules: FindMergeRules,
): unknown[] {
  return statements.map(({ at, event, tells, of, leaves, gone, data, lacks }) => {
    // The day of an only statement does not matter, unless its source keeps the day.
    const isDayless = statements.length === 1 && !event && !gone && !findMergeRules(tells ?? "")?.keepsDay;
    // Without the place: if an edition is loaded again, its rows come in other batches.
    return [isDayless ? "" : at, event, tells, of, leaves, gone, data, lacks?.toSorted()];
  });
}

/** Makes a record of exactly these statements. Its revision is the batch's, or the record's next if that is higher. */
export function build(
  stored: RecordOrTombstone | undefined,
  { id, statements, update }: Pick<Incoming, "id" | "statements"> & { update?: RecordOrTombstone["update"] },
  { record, revision, findMergeRules }: Absorbing,
): RecordOrTombstone {
  const data = fold(statements, findMergeRules);
  const next = stored && stored.revision >= revision ? stored.revision + 1 : revision;
  const packed = statements.map((statement) => {
    // Copied without the place: deleting a member would make the object slow from then on.
    const { place, ...kept } = pack(statement, data);
    // The place of a row is the revision of its batch, stored only where it differs from the record's.
    const isImplied = place === undefined || (!kept.event && place === next);
    return isImplied ? kept : { ...kept, place };
  });
  const stamps = { told: packed, ...(update && { update }) };
  if (data) {
    // A new record has not been compared before, so its hash is not known yet.
    const etag = stored ? hashOnce(data) : contentHash(data);
    // Not `{ ...keys, _id: … }`: adding members after a spread takes Node.js 20 some 50 times as long.
    return Object.assign(record.keysOf(data), { _id: id, etag, revision: next, data, ...stamps });
  }
  const address =
    stored && (isTombstone(stored) ? stored.address : record.incoming?.addressOf?.(stored.data));
  const etag = contentHash(data);
  return { _id: id, etag, revision: next, gone: true, ...(address && { address }), ...stamps };
}

/** A statement as it is stored: its stamp, and its differences from the record's data; often it has none. */
export function pack({ data, ...stamp }: FullStatement, stored: Members = {}): Statement {
  if (!data || data === stored) return stamp;
  const own = Object.entries(data).filter(([name, value]) => !isDeepStrictEqual(value, stored[name]));
  // A patch has no members except those in `of`.
  const names = isPatch(stamp) ? (stamp.of ?? []) : Object.keys(stored);
  const lacks = names.filter((name) => stored[name] !== undefined && data[name] === undefined);
  return {
    ...stamp,
    ...(own.length > 0 && { data: Object.fromEntries(own) }),
    ...(lacks.length > 0 && { lacks }),
  };
}

/** Reverses `pack`. */
export function unpack({ data, lacks = [], ...stamp }: Statement, stored?: Members): FullStatement {
  if (stamp.gone) return stamp;
  const whole: Members = { ...stored, ...data };
  const others = isPatch(stamp) ? Object.keys(whole).filter((name) => !stamp.of?.includes(name)) : [];
  for (const name of [...lacks, ...others]) Reflect.deleteProperty(whole, name);
  return { ...stamp, data: whole };
}

/**
 * Puts undated rows after all earlier statements: they get the moment of the last one. If a moment was given (`asOf`),
 * and no later batch has written the record, they get that. They also get the last event before them, so that an older
 * event that arrives later stays older.
 * A statement of a later batch is not earlier. The batch of an event or a daily update is not known: if a later batch
 * has written the record, they are earlier only if their moment is before the row's batch began.
 * Limit: if an older edition was loaded by force after the row's batch, the row may count as older than that edition.
 */
function placeUndated({ statements, asOf = "~" }: Incoming, before: readonly FullStatement[], revision = 0) {
  const [{ place: own = 0 } = {}] = statements;
  const isLate = revision > own;
  const latest = isLate ? momentOf(own) : "~";
  const earlier = before.filter((statement) => {
    const batch = batchOf(statement);
    return statement.at <= asOf && (batch === undefined ? statement.at <= latest : batch <= own);
  });
  const { at: last = "" } = earlier.at(-1) ?? {};
  const at = isLate || asOf === "~" ? last : asOf;
  const event = earlier.findLast((statement) => statement.event)?.event;
  return statements.map((statement) => ({ ...statement, at, ...(event && { event }) }));
}

/** When a batch was numbered: revisions count microseconds. */
function momentOf(revision: number): string {
  return new Date(revision / 1_000).toISOString();
}

const NO_KEYS = new Set(["_id", "etag", "revision", "told", "update", "data", "gone", "address"]);

/** The lookup and sort keys of a stored record. */
function keysOfStored(stored: object): Record<string, unknown> {
  const keys: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(stored)) if (!NO_KEYS.has(key)) keys[key] = value;
  return keys;
}

/** False for a record stored by a release with other keys. */
function hasKeys(stored: object, keys: object): boolean {
  return Object.entries(keys).every(([key, value]) => (stored as Record<string, unknown>)[key] === value);
}
