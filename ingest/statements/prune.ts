/** Which statements of a record still count: what later ones replace goes, and of too many the oldest are joined. Pure. */
import { isDeepStrictEqual } from "node:util";
import { isMembers, type Members } from "../../api/shared/values/members.ts";
import { mergeRecords } from "./merge.ts";
import {
  compareStatements,
  fold,
  isPart,
  nameOfRules,
  PATCH,
  withoutReplaced,
  type FindMergeRules,
  type FullStatement,
} from "./statement.ts";

// Limit: statements that a record keeps, few more than two; beyond that the two oldest are joined. What is joined to an event goes
// when that does, and of what comes later and is older than the second the joined one counts as older.
const MOST_STATEMENTS = 32;

/** The statements that can still count, ordered: with them, later ones in any order give the same record. */
export function prune(statements: readonly FullStatement[], findMergeRules: FindMergeRules): FullStatement[] {
  if (statements.length < 2) return [...statements];
  const counting = sinceReset(newestOfPlaces(statements.toSorted(compareStatements)));
  const kept = dropReplaced(counting, findMergeRules);
  // Of what is left of two statements, the later may replace the earlier.
  const isWhole = kept.every((one) => counting.includes(one));
  return joinFirst(isWhole ? kept : dropReplaced(kept, findMergeRules), findMergeRules);
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

function dropReplaced(statements: readonly FullStatement[], findMergeRules: FindMergeRules): FullStatement[] {
  return statements.flatMap((one, at) => remainderOf(one, statements.slice(at + 1), findMergeRules) ?? []);
}

/**
 * What still counts of a statement beside later ones: all of it, nothing, or what it removed.
 * Limit: this depends on the order where an update comes after a snapshot of a later day. Such updates are not applied.
 */
function remainderOf(
  statement: FullStatement,
  later: readonly FullStatement[],
  findMergeRules: FindMergeRules,
) {
  let rest = statement;
  for (const one of later) {
    if (!isReplaced(rest, one, findMergeRules)) continue;
    const { keepsRemoved } = findMergeRules(one.tells ?? "") ?? {};
    const removed = (keepsRemoved?.(rest.data ?? {}) ?? []).filter((member) =>
      removes(rest, member, findMergeRules),
    );
    if (removed.length === 0) return undefined;
    const { at, place } = rest;
    rest = { at, ...(place !== undefined && { place }), of: [...removed, "etag"], data: {} };
  }
  return rest;
}

function removes(
  { of, tells, data }: FullStatement,
  member: string,
  findMergeRules: FindMergeRules,
): boolean {
  if (!data || data[member] !== undefined) return false;
  return tells === undefined ? of?.includes(member) === true : findMergeRules(tells)?.removesBlanks === true;
}

function isReplaced(earlier: FullStatement, later: FullStatement, findMergeRules: FindMergeRules): boolean {
  const name = nameOfRules(earlier);
  const isOfOne = name !== undefined && name === nameOfRules(later);
  if (isPatch(later)) return isOfOne && coversPatch(later, earlier);
  const rules = findMergeRules(later.tells ?? "");
  if (!rules || name === undefined) return false;
  if (rules.replaces.includes(name)) return true;
  if (!isOfOne || earlier.of || !later.data) return false;
  // A source may leave gaps: a value of an earlier edition stays where the later one has none.
  const { data } = withoutReplaced(earlier, [later], findMergeRules);
  if (!data || !gives(later.data, data)) return false;
  return isDeepStrictEqual(mergeRecords(data, later.data, rules.rules), later.data);
}

/** True where the one removes all that the other does, too: a snapshot that replaces it would bring back what it gives. */
function coversPatch(one: FullStatement, other: FullStatement): boolean {
  const { of = [], data = {} } = other;
  return of.every(
    (member) => one.of?.includes(member) && (data[member] !== undefined || one.data?.[member] === undefined),
  );
}

/** True when the one has every member of the other, at every depth. */
function gives(one: Members, other: Members): boolean {
  return Object.entries(other).every(([name, value]) => {
    const given = one[name];
    return isMembers(value) && isMembers(given) ? gives(given, value) : given !== undefined;
  });
}

/** Joins the first two of too many: before them is nothing that one of the two may have removed. */
function joinFirst(statements: FullStatement[], findMergeRules: FindMergeRules): FullStatement[] {
  const [first, second, ...others] = statements;
  if (!first || !second || statements.length <= MOST_STATEMENTS) return statements;
  const data = fold([first, second], findMergeRules);
  // A part adds to the first, unless that is a patch, which has no effect without a record; a whole record takes its place.
  const isAdded = data && !isPatch(first) && (second.gone ?? isPart(second));
  const joined: FullStatement = isAdded ? { ...first, data } : second;
  if (isAdded) delete joined.gone;
  return joinFirst([joined, ...others], findMergeRules);
}

/** False for a row without a day, which only has the stamp of the event before it. */
function isEvent({ event, place }: FullStatement): boolean {
  return event !== undefined && place === undefined;
}

function isPatch(statement: FullStatement): boolean {
  return nameOfRules(statement) === PATCH;
}
