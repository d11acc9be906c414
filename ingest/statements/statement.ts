/** Statements (what one source says of one record): their order, which still count, what they make. Pure. */
import { isDeepStrictEqual } from "node:util";
import { isMembers, type Members } from "../../api/shared/values/members.ts";
import type { RecordOrTombstone, Statement } from "../../api/shared/definitions/define-record.ts";
import { mergeRecords, type MemberRules } from "./merge.ts";

// Limit: statements that a record keeps, few more than two; beyond that the two oldest are joined, but none with an event,
// which a later one of its address replaces. An event that comes later and is older than the second leaves the first in place.
const MOST_STATEMENTS = 6;

/** A statement with its full data; none where it says that the record is gone. */
export type FullStatement = Omit<Statement, "data" | "lacks"> & { data?: Members };

/** How statements of one source are merged with earlier statements. */
export interface MergeRules {
  rules: MemberRules;
  /** Names of the merge rules whose earlier statements a later statement of these rules replaces; `PATCH` is one of the names. */
  replaces: readonly string[];
  /** Names of the merge rules whose earlier statements lose a member, by this member, once a statement of these rules gives it. */
  replacesMembers?: Readonly<Record<string, readonly string[]>>;
  /** True: the day of its last statement is always stored; absent: only beside other sources' statements. */
  keepsDay?: boolean;
}

/** Returns undefined for a name of another release. */
export type FindMergeRules = (name: string) => MergeRules | undefined;

export const PATCH = "patch";

/** The name of the merge rules of a statement; undefined: it states the whole record. */
export function nameOfRules({ tells, of }: Pick<FullStatement, "tells" | "of">): string | undefined {
  return tells ?? (of && PATCH);
}

/** The moment of a daily update: the end of its day, before a snapshot of the next day. */
export function momentOfUpdate(day: string): string {
  return `${day}T24`;
}

// Places of daily updates are lower: run and line. Revisions count microseconds, and are higher.
const LEAST_REVISION = 1e13;

/** The revision of the batch that a statement came with; undefined where none is stored: of events and daily updates. */
export function batchOf({ place = 0 }: FullStatement): number | undefined {
  return place < LEAST_REVISION ? undefined : place;
}

/** True for the moment of an event, or of rows that were given one; false for the day of an edition or a daily update. */
export function isMoment(at: string): boolean {
  return at.length > momentOfUpdate("2026-11-01").length;
}

/** True when an event, a row of a given moment or a daily update is newer than a snapshot of this day. */
export function isStatedSince({ told: statements = [], update }: RecordOrTombstone, day: string | undefined) {
  if (day === undefined) return false;
  const isNewer = statements.some(({ event, at }) => (event ?? isMoment(at)) && at >= day);
  return isNewer || (update !== undefined && update.day > day);
}

/**
 * Orders statements by moment; a snapshot's day comes before the events of that day. An undated row has the moment
 * that it was given, or that of the statement before it, and of equal moments the batch decides.
 */
export function compareStatements(a: FullStatement, b: FullStatement): number {
  const compare = (one: string, other: string) => Number(one > other) - Number(one < other);
  return (
    compare(a.at, b.at) ||
    (a.event?.timepoint ?? -1) - (b.event?.timepoint ?? -1) ||
    (a.place ?? 0) - (b.place ?? 0) ||
    compare(a.event?.uri ?? "", b.event?.uri ?? "") ||
    // Two sources of one day: any fixed order will do.
    compare(nameOfRules(a) ?? "", nameOfRules(b) ?? "")
  );
}

/** The data that ordered statements make; undefined: it is gone. */
export function fold(statements: readonly FullStatement[], findMergeRules: FindMergeRules) {
  let data: Members | undefined;
  let uri: string | undefined;
  for (const [at, one] of statements.entries()) {
    const { data: stated, event } = one;
    // Two addresses may share a record: deleting one keeps what the other stated.
    if (!stated && event && uri !== undefined && uri !== event.uri) continue;
    if (stated && isPart(one))
      data = mergePart(data, withoutReplaced(one, statements.slice(at + 1), findMergeRules), findMergeRules);
    else [data, uri] = [stated, stated && event?.uri];
  }
  return data;
}

function isPart(statement: FullStatement): boolean {
  return nameOfRules(statement) !== undefined;
}

/** A part without the members that later statements replace. */
function withoutReplaced(part: FullStatement, later: readonly FullStatement[], findRules: FindMergeRules) {
  const name = nameOfRules(part) ?? "";
  const replaced = later.flatMap(({ tells, data }) => {
    const members = Object.entries(findRules(tells ?? "")?.replacesMembers ?? {});
    return members.flatMap(([member, of]) =>
      of.includes(name) && data?.[member] !== undefined ? member : [],
    );
  });
  const isLeft = ([member]: [string, unknown]) => !replaced.includes(member);
  if (!part.data || replaced.length === 0) return part;
  return { ...part, data: Object.fromEntries(Object.entries(part.data).filter(isLeft)) };
}

function mergePart(before: Members | undefined, part: FullStatement, findRules: FindMergeRules) {
  const { data, of, tells } = part;
  // A patch of a missing record has no effect.
  if (!before || !data) return tells === undefined ? before : data;
  const rules = findRules(tells ?? "")?.rules;
  // Without rules, such as those of another release, the statement replaces everything.
  if (!of) return rules ? (mergeRecords(before, data, rules) as Members) : data;
  const merged = { ...before };
  for (const name of of) {
    if (data[name] === undefined) Reflect.deleteProperty(merged, name);
    else merged[name] = data[name];
  }
  return merged;
}

/** The statements that can still count, ordered: with them, later ones in any order give the same record. */
export function prune(statements: readonly FullStatement[], findMergeRules: FindMergeRules): FullStatement[] {
  if (statements.length < 2) return [...statements];
  const counting = sinceReset(newestOfPlaces(statements.toSorted(compareStatements)));
  const kept = counting.filter(
    (earlier, at) => !counting.slice(at + 1).some((later) => isReplaced(earlier, later, findMergeRules)),
  );
  return joinOldest(kept, findMergeRules);
}

/** Keeps the highest timepoint of each stream address; of equals, and of one place of a file, the first. */
function newestOfPlaces(ordered: readonly FullStatement[]): FullStatement[] {
  const newest = new Map<string, FullStatement>();
  for (const statement of ordered) {
    const { at, place = 0, event, gone } = statement;
    const uri = isEvent(statement) ? event?.uri : undefined;
    const key = uri ?? [at, place, gone, nameOfRules(statement)].join();
    const known = newest.get(key);
    const isAhead = uri !== undefined && (event?.timepoint ?? 0) > (known?.event?.timepoint ?? 0);
    if (known && !isAhead) continue;
    newest.delete(key);
    newest.set(key, statement);
  }
  return [...newest.values()];
}

/**
 * Drops what comes before a statement of the whole record. Before an event, those of other addresses stay:
 * they count again once its address is deleted.
 * Limit: statements of files do not stay there, so that a record of files and two addresses can depend on the
 * order of arrival.
 */
function sinceReset(ordered: readonly FullStatement[]): FullStatement[] {
  const start = ordered.findLastIndex((one) => !isPart(one) && !isEvent(one));
  const rest = ordered.slice(Math.max(0, start));
  let uri: string | undefined;
  let last = 0;
  for (const [at, { event, gone, ...statement }] of rest.entries()) {
    const isOfOther = gone && uri !== undefined && uri !== event?.uri;
    if (isPart(statement) || isOfOther) continue;
    uri = gone ? undefined : event?.uri;
    last = at;
  }
  return rest.filter((one, at) => at >= last || isEvent(one));
}

/** False for a row without a day, which only has the stamp of the event before it. */
function isEvent({ event, place }: FullStatement): boolean {
  return event !== undefined && place === undefined;
}

function isReplaced(earlier: FullStatement, later: FullStatement, findMergeRules: FindMergeRules): boolean {
  const name = nameOfRules(earlier);
  const isOfOne = name !== undefined && name === nameOfRules(later);
  if (later.of && later.tells === undefined)
    return isOfOne && (earlier.of ?? []).every((member) => later.of?.includes(member));
  const rules = findMergeRules(later.tells ?? "");
  if (!rules || name === undefined) return false;
  if (rules.replaces.includes(name)) return true;
  // A source may leave gaps: a value of an earlier edition stays where the later one has none.
  const { data } = withoutReplaced(earlier, [later], findMergeRules);
  if (!isOfOne || earlier.of || !data || !later.data || !gives(later.data, data)) return false;
  return isDeepStrictEqual(mergeRecords(data, later.data, rules.rules), later.data);
}

/** True when the one has every member of the other, at every depth. */
function gives(one: Members, other: Members): boolean {
  return Object.entries(other).every(([name, value]) => {
    const given = one[name];
    return isMembers(value) && isMembers(given) ? gives(given, value) : given !== undefined;
  });
}

function joinOldest(statements: FullStatement[], findMergeRules: FindMergeRules): FullStatement[] {
  const at = oldestPair(statements);
  const [first, second, ...others] = statements.slice(at);
  if (!first || !second || statements.length <= MOST_STATEMENTS) return statements;
  const joined = join(first, second, findMergeRules);
  return joinOldest([...statements.slice(0, at), joined, ...others], findMergeRules);
}

/** The position of the statements to join: the first two or, where these are parts of what an event states, two parts. */
function oldestPair(statements: readonly FullStatement[]): number {
  const names = statements.map(nameOfRules);
  const [first] = statements;
  if (first && names[0] === undefined && !isEvent(first)) return 0;
  // Of one source, if possible: parts by other rules cover other members.
  const ofOne = names.findIndex((name, at) => name !== undefined && name === names[at + 1]);
  const parts = names.findIndex((name, at) => name !== undefined && names[at + 1] !== undefined);
  return Math.max(0, ofOne >= 0 ? ofOne : parts);
}

/** One statement for two; the second alone where the first has no effect without a record. */
function join(first: FullStatement, second: FullStatement, findMergeRules: FindMergeRules): FullStatement {
  if (isPatch(first)) return isPatch(second) ? joinPatches(first, second) : second;
  const data = fold([first, second], findMergeRules);
  if (!data) return second;
  // The joined statement covers as much as the first did: the whole record, or a part by its merge rules.
  const joined: FullStatement = { ...first, at: second.at, data };
  delete joined.gone;
  return joined;
}

function joinPatches(first: FullStatement, second: FullStatement): FullStatement {
  const of = new Set([...(first.of ?? []), ...(second.of ?? [])]);
  const before = Object.entries(first.data ?? {}).filter(([member]) => second.of?.includes(member) !== true);
  return { ...second, of: [...of], data: { ...Object.fromEntries(before), ...second.data } };
}

function isPatch(statement: FullStatement): boolean {
  return nameOfRules(statement) === PATCH;
}
