/** Drops statements of a record that later ones replace, and joins the oldest if too many are left. Pure functions. */
import { isDeepStrictEqual } from "node:util";
import { isMembers, pickMembers, type Members } from "../../api/shared/values/members.ts";
import { mergeRecords } from "./merge.ts";
import {
  compareStatements,
  fold,
  isPart,
  isLeftBy,
  isPatch,
  LASTING,
  leftOf,
  nameOfRules,
  PATCH,
  REMOVAL,
  type FindMergeRules,
  type FullStatement,
} from "./statement.ts";

// Limit: how many statements a record keeps; few have more than two. Beyond that, the oldest two that follow each other
// are joined: two of one source, else two of files. Events are joined only if no two such parts are left, as with seven
// events of seven addresses, since later events of their addresses replace them. The joined event keeps the first
// address; an event that arrives later, and is older than the second, leaves the first in place.
// Removals do not count and are not joined: an edition between two would count as older than both. There are few,
// since each has another set of the few members that are removed. Lasting members do not count either: later ones
// replace earlier ones.
const MOST_STATEMENTS = 6;
const NOT_JOINED: readonly (string | undefined)[] = [REMOVAL, LASTING];

/** The statements that can still count, in order. With later ones added, in any order, they give the same record. */
export function prune(statements: readonly FullStatement[], findMergeRules: FindMergeRules): FullStatement[] {
  if (statements.length < 2) return [...statements];
  const counting = sinceReset(newestOfPlaces(statements.toSorted(compareStatements)), findMergeRules);
  return joinOldest(dropReplaced(counting, findMergeRules), findMergeRules);
}

/** Keeps the highest timepoint of each stream address. Of equal ones, and of one place in a file, the first stays. */
function newestOfPlaces(ordered: readonly FullStatement[]): FullStatement[] {
  const newest = new Map<string, FullStatement>();
  for (const statement of ordered) {
    const { at, place = 0, event, gone, tells, of } = statement;
    const uri = isEvent(statement) ? event?.uri : undefined;
    // One line may remove different members of a person's appointments, and two of these may become one record.
    const key = uri ?? [at, place, gone, nameOfRules(statement), tells === REMOVAL && of].join();
    const known = newest.get(key);
    const isAhead = uri !== undefined && (event?.timepoint ?? 0) > (known?.event?.timepoint ?? 0);
    if (known && !isAhead) continue;
    newest.delete(key);
    newest.set(key, statement);
  }
  return [...newest.values()];
}

/**
 * Drops what comes before a statement of the whole record, except lasting members. Before an event, events of other
 * addresses stay: they count again once its address is deleted.
 * Limit: statements of files do not stay there, so a record of files and two addresses can depend on the order of
 * arrival.
 */
function sinceReset(ordered: readonly FullStatement[], findMergeRules: FindMergeRules): FullStatement[] {
  const start = ordered.findLastIndex((one) => !isPart(one) && !isEvent(one));
  let uri: string | undefined;
  let last = start;
  for (const [at, { event, gone, ...statement }] of ordered.entries()) {
    const isOfOther = gone && uri !== undefined && uri !== event?.uri;
    if (at < start || isPart(statement) || isOfOther) continue;
    uri = gone ? undefined : event?.uri;
    last = at;
  }
  return ordered.flatMap((one, at) =>
    at >= last || (at > start && isEvent(one)) ? one : lastingOf(one, findMergeRules),
  );
}

/** The lasting members of a part that is reset. */
function lastingOf(reset: FullStatement, findMergeRules: FindMergeRules): FullStatement[] {
  if (reset.tells === LASTING) return [reset];
  const { lasting = [] } = findMergeRules(nameOfRules(reset) ?? "") ?? {};
  const of = lasting.filter((member) => reset.of?.includes(member) !== false);
  return of.length > 0 ? [{ ...reset, tells: LASTING, of, data: pickMembers(reset.data ?? {}, of) }] : [];
}

/**
 * Drops parts that later statements replace.
 * Limit: the result depends on the order if an update arrives after a snapshot of a later day; it is then not applied.
 */
function dropReplaced(statements: readonly FullStatement[], findMergeRules: FindMergeRules): FullStatement[] {
  return statements.filter((one, at) => {
    const later = statements.slice(at + 1);
    const left = leftOf(one, later, findMergeRules);
    return !later.some((next) => isReplaced(left, next, findMergeRules));
  });
}

function isReplaced(earlier: FullStatement, later: FullStatement, findMergeRules: FindMergeRules): boolean {
  const name = nameOfRules(earlier);
  const isOfOne = name !== undefined && name === nameOfRules(later);
  if (isPatch(later)) return isOfOne && earlier.of?.every((member) => later.of?.includes(member)) === true;
  const rules = findMergeRules(later.tells ?? "");
  if (!rules || name === undefined) return false;
  const { leaves = [], data } = later;
  const isReplacing = rules.replaces.includes(name);
  if (isReplacing && leaves.length === 0) return true;
  // What the earlier one does not leave, it also replaces in statements before it that may still arrive.
  const isCovered = leaves.every((path) => isLeftBy(earlier.leaves ?? [], path));
  if (!(isOfOne || isReplacing) || earlier.of || !earlier.data || !data || !isCovered) return false;
  // A source may leave gaps: a value of an earlier edition stays where the later one has none.
  return gives(data, earlier.data) && isDeepStrictEqual(mergeRecords(earlier.data, data, rules.rules), data);
}

/** True when `one` has every member of `other`, at every depth. */
function gives(one: Members, other: Members): boolean {
  return Object.entries(other).every(([name, value]) => {
    const given = one[name];
    return isMembers(value) && isMembers(given) ? gives(given, value) : given !== undefined;
  });
}

function joinOldest(statements: FullStatement[], findMergeRules: FindMergeRules): FullStatement[] {
  if (statements.filter(({ tells }) => !NOT_JOINED.includes(tells)).length <= MOST_STATEMENTS)
    return statements;
  const at = oldestPair(statements) ?? statements.length;
  const [first, second, ...others] = statements.slice(at);
  if (!first || !second) return statements;
  const joined = join(first, second, findMergeRules);
  return joinOldest([...statements.slice(0, at), joined, ...others], findMergeRules);
}

/**
 * The position of the two statements to join: the first two or, if an event comes first, two parts of one source, two
 * of files, or two events. A patch is joined only with patches. Otherwise what it removes from an event would return
 * once an edition replaces the joined statement.
 */
function oldestPair(statements: readonly FullStatement[]): number | undefined {
  const names = statements.map(nameOfRules);
  const [first] = statements;
  if (first && names[0] === undefined && !isEvent(first)) return 0;
  const pairs = [...names.slice(1).keys()];
  const isOfOne = (at: number) => names[at] === names[at + 1] && !NOT_JOINED.includes(names[at]);
  const isOfFile = (at: number) => ![undefined, PATCH, ...NOT_JOINED].includes(names[at]);
  return (
    pairs.find((at) => isOfOne(at) && names[at] !== undefined) ??
    pairs.find((at) => isOfFile(at) && isOfFile(at + 1)) ??
    pairs.find(isOfOne)
  );
}

/** One statement for two. */
function join(first: FullStatement, second: FullStatement, findMergeRules: FindMergeRules): FullStatement {
  if (isPatch(first)) return joinPatches(first, second);
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
