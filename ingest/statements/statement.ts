/** Owns statements, what one source says of one record: their order, those that count, and what a record is by them. Pure. */
import { isDeepStrictEqual } from "node:util";
import { isMembers, type Members } from "../../api/core/members.ts";
import type { HeldRecord, Statement } from "../../api/resources/define-record.ts";
import { mergeRecords, type Telling } from "./merge.ts";

// Limit: statements that a record remembers; beyond that the two oldest count as one. Few records have more than two.
const MOST_STATEMENTS = 6;

/** A statement with all of its data; it has none where the source says that the record is gone. */
export type Told = Omit<Statement, "data" | "lacks"> & { data?: Members };

/** How statements of one name are merged with what came before them. */
export interface Table {
  rules: Telling;
  /** Names of tables whose earlier statements say nothing beside one of this table; `PATCH` is one of the names. */
  outdates: readonly string[];
  /** True: the day of its last statement is always remembered; absent: only where other sources have told, too. */
  keepsDay?: boolean;
}

/** The table of a name; undefined for one that is not known any more. */
export type FindTable = (name: string) => Table | undefined;

/** What patches are called among the names of tables. */
export const PATCH = "patch";

/** The name of the table by which a statement is merged; undefined: it says everything. */
export function tableOf({ tells, of }: Pick<Told, "tells" | "of">): string | undefined {
  return tells ?? (of && PATCH);
}

/** When a daily update of a day counts: it tells all of that day, and a snapshot of the next one is made later. */
export function momentOfUpdate(day: string): string {
  return `${day}T24`;
}

/** True when an event or a daily update of this day or later has told of the record: what a snapshot of the day lacks stays. */
export function isToldSince({ told = [], update }: HeldRecord, day: string | undefined): boolean {
  if (day === undefined) return false;
  const isNewer = told.some(({ event, at }) => event !== undefined && at >= day);
  return isNewer || (update !== undefined && update.day > day);
}

/**
 * The order of statements: by moment. A snapshot bears its day, so that it comes before the events of that day; an
 * undated row bears the moment of what it came behind, and of equal moments the batch decides.
 */
export function compareStatements(a: Told, b: Told): number {
  const compare = (one: string, other: string) => Number(one > other) - Number(one < other);
  return (
    compare(a.at, b.at) ||
    (a.event?.timepoint ?? -1) - (b.event?.timepoint ?? -1) ||
    (a.place ?? 0) - (b.place ?? 0) ||
    compare(a.event?.uri ?? "", b.event?.uri ?? "") ||
    // Two sources of one day: one order is as good as another, if it is always the same.
    compare(tableOf(a) ?? "", tableOf(b) ?? "")
  );
}

/** The data of a record, by its statements in their order; undefined: it is gone. */
export function fold(statements: readonly Told[], findTable: FindTable): Members | undefined {
  let data: Members | undefined;
  // The address of a stream that told it.
  let uri: string | undefined;
  for (const one of statements) {
    const { data: told, event } = one;
    // Two addresses may share a record: what another one told stays.
    if (!told && event && uri !== undefined && uri !== event.uri) continue;
    if (told && isPart(one)) data = mergePart(data, one, findTable);
    else [data, uri] = [told, told && event?.uri];
  }
  return data;
}

/** True for a statement that says some of a record and leaves the rest to others. */
function isPart(statement: Told): boolean {
  return tableOf(statement) !== undefined;
}

function mergePart(before: Members | undefined, told: Told, find: FindTable): Members | undefined {
  const { data, of, tells } = told;
  // A patch says nothing of what is not there.
  if (!before || !data) return tells === undefined ? before : data;
  const rules = find(tells ?? "")?.rules;
  // A table of another release: what it told of stands alone.
  if (!of) return rules ? (mergeRecords(before, data, rules) as Members) : data;
  const merged = { ...before };
  for (const name of of) {
    if (data[name] === undefined) Reflect.deleteProperty(merged, name);
    else merged[name] = data[name];
  }
  return merged;
}

/**
 * The statements that still count, in their order: what is left out could not be seen again, whatever is stated later.
 * So a record comes to the same whether its statements come one by one, in any order, or all at once.
 */
export function prune(statements: readonly Told[], findTable: FindTable): Told[] {
  if (statements.length < 2) return [...statements];
  const counting = sinceReset(newestOfPlaces(statements.toSorted(compareStatements)));
  const kept = counting.filter(
    (earlier, at) => !counting.slice(at + 1).some((later) => isOutdated(earlier, later, findTable)),
  );
  return joinOldest(kept, findTable);
}

/** Of each address of a stream the highest timepoint counts, of equal ones the first, as of what is stated again at its place. */
function newestOfPlaces(ordered: readonly Told[]): Told[] {
  const newest = new Map<string, Told>();
  for (const statement of ordered) {
    const { at, place = 0, event, gone } = statement;
    const key = event?.uri ?? [at, place, gone, tableOf(statement)].join();
    const known = newest.get(key);
    const ahead = (event?.timepoint ?? 0) - (known?.event?.timepoint ?? 0);
    // A row without a day stands behind the event whose stamp it bears.
    const isAhead = event && (ahead > 0 || (ahead === 0 && place > (known?.place ?? 0)));
    if (known && !isAhead) continue;
    newest.delete(key);
    newest.set(key, statement);
  }
  return [...newest.values()];
}

/**
 * Without what stands before a statement that says everything. What other addresses told stays before an event: it comes to
 * light again once the address of the event is deleted.
 *
 * Limit: what files told before an event of one address does not, so that of a record of two addresses which files tell of,
 * too, it can show in which order they came.
 */
function sinceReset(ordered: readonly Told[]): Told[] {
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

/** False for a row without a day, which only bears the stamp of the event behind which it came. */
function isEvent({ event, place }: Told): boolean {
  return event !== undefined && place === undefined;
}

/** True when nothing of the earlier statement shows beside the later one. */
function isOutdated(earlier: Told, later: Told, findTable: FindTable): boolean {
  const name = tableOf(earlier);
  const isOfOne = name !== undefined && name === tableOf(later);
  if (later.of && later.tells === undefined)
    return isOfOne && (earlier.of ?? []).every((member) => later.of?.includes(member));
  const table = findTable(later.tells ?? "");
  if (!table || name === undefined) return false;
  if (table.outdates.includes(name)) return true;
  // Of a source that leaves gaps what an earlier edition told stays where the later one says nothing.
  if (!isOfOne || earlier.of || !earlier.data || !later.data || !gives(later.data, earlier.data))
    return false;
  return isDeepStrictEqual(mergeRecords(earlier.data, later.data, table.rules), later.data);
}

/** True when the one has every member of the other, at every depth. */
function gives(one: Members, other: Members): boolean {
  return Object.entries(other).every(([name, value]) => {
    const given = one[name];
    return isMembers(value) && isMembers(given) ? gives(given, value) : given !== undefined;
  });
}

function joinOldest(statements: Told[], findTable: FindTable): Told[] {
  const [first, second, ...others] = statements;
  if (!first || !second || statements.length <= MOST_STATEMENTS) return statements;
  const data = fold([first, second], findTable);
  if (!data) return joinOldest([second, ...others], findTable);
  // Two that count as one say as much as the first of them: everything, or by its table.
  const joined: Told = { ...first, at: second.at, data };
  delete joined.gone;
  return joinOldest([joined, ...others], findTable);
}
