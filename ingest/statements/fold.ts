/** Owns the fold: what a record is by all that its sources state of it, in whatever order they came. Pure. */
import { isDeepStrictEqual } from "node:util";
import { isMembers, type Members } from "../../api/core/members.ts";
import { mergeRecords } from "./merge.ts";
import { compareStatements, tableOf, type FindTable, type Table, type Told } from "./statement.ts";

// Limit: statements that a record remembers; beyond that the two oldest count as one. Few records have more than two.
const MOST_STATEMENTS = 6;

/** The data of a record, by its statements in their order; undefined: it is gone. */
export function fold(statements: readonly Told[], findTable: FindTable): Members | undefined {
  let folded: Folded = {};
  for (const statement of statements) folded = follow(folded, statement, findTable);
  return folded.data;
}

/** What came of the statements so far, and which address of a stream told it. */
interface Folded {
  data?: Members;
  uri?: string;
}

function follow(before: Folded, statement: Told, findTable: FindTable): Folded {
  const { gone, data, event, of, tells } = statement;
  // Two addresses may share a record: what another one told stays.
  if (gone) return event && before.uri !== undefined && before.uri !== event.uri ? before : {};
  if (!data) return before;
  if (!isPart(statement)) return { data, ...(event && { uri: event.uri }) };
  if (!before.data) return tells === undefined ? before : { data };
  const table = of ? undefined : findTable(tells ?? "");
  const merged = of
    ? setMembers(before.data, data, of)
    : table && mergeRecords(before.data, data, table.rules);
  // A table of another release: what it told of stands alone.
  return { ...before, data: (merged ?? data) as Members };
}

/** True for a statement that says some of a record and leaves the rest to others. */
function isPart(statement: Told): boolean {
  return tableOf(statement) !== undefined;
}

function setMembers(before: Members, told: Members, names: readonly string[]): Members {
  const data = { ...before };
  for (const name of names) {
    if (told[name] === undefined) Reflect.deleteProperty(data, name);
    else data[name] = told[name];
  }
  return data;
}

/**
 * The statements that still count, in their order: what is left out could not be seen again, whatever is stated later.
 * So a record comes to the same whether its statements come one by one, in any order, or all at once.
 */
export function prune(statements: readonly Told[], findTable: FindTable): Told[] {
  const ordered = newestOfPlaces(statements.toSorted(compareStatements));
  const counting = sinceReset(ordered);
  const kept = counting.filter(
    (earlier, at) => !counting.slice(at + 1).some((later) => isOutdated(earlier, later, findTable)),
  );
  return joinOldest(kept, findTable);
}

/** Of each address of a stream the highest timepoint counts, of equal ones the first, as of what is stated again at its place. */
function newestOfPlaces(ordered: readonly Told[]): Told[] {
  const newest = new Map<string, Told>();
  for (const statement of ordered) {
    const key = placeOf(statement);
    const known = newest.get(key);
    if (!known || outdoes(statement, known)) newest.set(key, statement);
  }
  return [...newest.values()].sort(compareStatements);
}

function placeOf(statement: Told): string {
  const { at, place, event, gone } = statement;
  return event ? event.uri : [at, place, gone, tableOf(statement)].join();
}

function outdoes(later: Told, earlier: Told): boolean {
  if (!later.event) return false;
  const difference = later.event.timepoint - (earlier.event?.timepoint ?? 0);
  // A row without a day stands behind the event whose stamp it bears.
  return difference > 0 || (difference === 0 && (later.place ?? 0) > (earlier.place ?? 0));
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
  const [name, laterName] = [tableOf(earlier), tableOf(later)];
  if (name === undefined || laterName === undefined) return false;
  if (later.tells === undefined) {
    return name === laterName && (earlier.of ?? []).every((member) => later.of?.includes(member));
  }
  const table = findTable(later.tells);
  if (table?.outdates.includes(name)) return true;
  return name === laterName && !earlier.of && table !== undefined && isHidden(earlier, later, table);
}

/** A source that leaves gaps: what an earlier edition told stays where the later one says nothing. */
function isHidden({ data: earlier }: Told, { data: later }: Told, { rules }: Table): boolean {
  if (!earlier || !later || !gives(later, earlier)) return false;
  return isDeepStrictEqual(mergeRecords(earlier, later, rules), later);
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
  // Two that count as one say as much as the first of them: everything, or by its table.
  const joined: Told = data ? { ...first, at: second.at, data } : second;
  delete joined.gone;
  return joinOldest([joined, ...others], findTable);
}
