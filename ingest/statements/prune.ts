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

// Limit: statements that a record keeps, few more than two; beyond that the two oldest are joined. Events, which later ones of
// their addresses replace, are joined only where no two parts can be, as of seven events of seven addresses: the joined one keeps
// the first address. An event that comes later and is older than the second leaves the first in place.
const MOST_STATEMENTS = 6;

/** The statements that can still count, ordered: with them, later ones in any order give the same record. */
export function prune(statements: readonly FullStatement[], findMergeRules: FindMergeRules): FullStatement[] {
  if (statements.length < 2) return [...statements];
  const counting = sinceReset(newestOfPlaces(statements.toSorted(compareStatements)));
  const kept = dropReplaced(counting, findMergeRules);
  // Of what is left of two statements, the later may replace the earlier.
  const isWhole = kept.every((one) => counting.includes(one));
  return joinOldest(isWhole ? kept : dropReplaced(kept, findMergeRules), findMergeRules);
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

function joinOldest(statements: FullStatement[], findMergeRules: FindMergeRules): FullStatement[] {
  const at = oldestPair(statements);
  const [first, second, ...others] = statements.slice(at);
  if (!first || !second || statements.length <= MOST_STATEMENTS) return statements;
  const joined = join(first, second, findMergeRules);
  return joinOldest([...statements.slice(0, at), joined, ...others], findMergeRules);
}

/**
 * The position of the statements to join: the first two or, where these are parts of what an event states, two parts. A patch and
 * a part that is none are not joined: what the patch removed of the event would come back.
 */
function oldestPair(statements: readonly FullStatement[]): number {
  const names = statements.map(nameOfRules);
  const [first] = statements;
  if (first && names[0] === undefined && !isEvent(first)) return 0;
  // Of one source, if possible: parts by other rules cover other members.
  const ofOne = names.findIndex((name, at) => name !== undefined && name === names[at + 1]);
  const parts = names.findIndex(
    (name, at) => name !== undefined && names[at + 1] !== undefined && (name !== PATCH || at === 0),
  );
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

/** False for a row without a day, which only has the stamp of the event before it. */
function isEvent({ event, place }: FullStatement): boolean {
  return event !== undefined && place === undefined;
}

function isPatch(statement: FullStatement): boolean {
  return nameOfRules(statement) === PATCH;
}
