/** Statements (what one source says about one record): their order, and the record that they make. Pure functions. */
import { isMembers, type Members } from "../../api/shared/values/members.ts";
import type { RecordOrTombstone, Statement } from "../../api/shared/definitions/define-record.ts";
import { mergeRecords, type MemberRules } from "./merge.ts";

/** A statement with its full data; without data it says that the record is gone. */
export type FullStatement = Omit<Statement, "data" | "lacks"> & { data?: Members };

/** How statements of one source are merged with earlier statements. */
export interface MergeRules {
  rules: MemberRules;
  /**
   * Names of merge rules, or `PATCH`. A statement of these rules replaces earlier statements under those names, except
   * for the values that it leaves.
   */
  replaces: readonly string[];
  /**
   * Members that no event can state. What these rules state of them stays when an event or a deletion resets the
   * record, and also counts when it arrives after a later event.
   * Limit: what a patch states while the record is deleted is lost.
   */
  lasting?: readonly string[];
  /** True: the day of its last statement is always stored; absent: only beside other sources' statements. */
  keepsDay?: boolean;
}

/** Returns undefined for a name of another release. */
export type FindMergeRules = (name: string) => MergeRules | undefined;

export const PATCH = "patch";
/**
 * The name of a statement that removes members. No edition replaces it: where an edition's blanks mean nothing, what
 * was stated before the removal would return.
 */
export const REMOVAL = "removal";
/**
 * The name of what stays of a statement after a reset: its lasting members, which are added to what is stated next.
 * Merge rules of this name decide on members that the next statement gives, too.
 */
export const LASTING = "lasting";

/** The name of the merge rules of a statement; undefined: it states the whole record. */
export function nameOfRules({ tells, of }: Pick<FullStatement, "tells" | "of">): string | undefined {
  return tells ?? (of && PATCH);
}

/** The moment of a daily update: the end of its day, before a snapshot of the next day. */
export function momentOfUpdate(day: string): string {
  return `${day}T24`;
}

// Revisions count microseconds, and are higher. Places of daily updates are made of run and line, and are lower.
const LEAST_REVISION = 1e13;

/** The revision of the batch that a statement came with; undefined for events and daily updates, which store none. */
export function batchOf({ place = 0 }: FullStatement): number | undefined {
  return place < LEAST_REVISION ? undefined : place;
}

/** True for the moment of an event, or one given for rows; false for the day of an edition or a daily update. */
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
 * that was given for it, or that of the statement before it. Between equal moments the batch decides.
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

/** The data of the record that ordered statements make; undefined: the record is gone. */
export function fold(statements: readonly FullStatement[], findMergeRules: FindMergeRules) {
  let data: Members | undefined;
  let uri: string | undefined;
  let lasting: Members | undefined;
  for (const [at, one] of statements.entries()) {
    const { data: stated, event } = one;
    if (one.tells === LASTING) lasting = { ...lasting, ...stated };
    // Two addresses may share a record: deleting one keeps what the other stated.
    if (!stated && event && uri !== undefined && uri !== event.uri) continue;
    if (stated && isPart(one))
      data = mergePart(data, leftOf(one, statements.slice(at + 1), findMergeRules), findMergeRules);
    else
      [data, uri] = [
        stated && lasting ? withLasting(lasting, stated, findMergeRules) : stated,
        stated && event?.uri,
      ];
  }
  return data;
}

/** True for a statement of a part of the record: one with merge rules, or one of some members. */
export function isPart(statement: FullStatement): boolean {
  return nameOfRules(statement) !== undefined;
}

/** True for a statement of the members in `of`, which cannot create a record. */
export function isPatch({ tells, of }: Pick<FullStatement, "tells" | "of">): boolean {
  return of !== undefined && [undefined, REMOVAL, LASTING].includes(tells);
}

/** What still counts of a part: only what later statements, which would replace it, leave of it. */
export function leftOf(
  part: FullStatement,
  later: readonly FullStatement[],
  findRules: FindMergeRules,
): FullStatement {
  const name = nameOfRules(part) ?? "";
  const left = later.flatMap(({ leaves, tells = "" }) =>
    leaves && findRules(tells)?.replaces.includes(name) ? [leaves] : [],
  );
  if (!part.data || left.length === 0) return part;
  return { ...part, data: left.reduce<Members>(pickPaths, part.data) };
}

/** True when `leaves` has this path, or an object that contains it. */
export function isLeftBy(leaves: readonly string[], path: string): boolean {
  return leaves.some((one) => path === one || path.startsWith(`${one}.`));
}

/** The values at these paths. A list has no paths, so it is taken whole. */
function pickPaths(data: Members, paths: readonly string[]): Members {
  const picked: Members = {};
  for (const [name, value] of Object.entries(data)) {
    const within = paths.flatMap((path) => (path.startsWith(`${name}.`) ? path.slice(name.length + 1) : []));
    const isWhole = paths.includes(name) || (within.length > 0 && !isMembers(value));
    const kept = isMembers(value) && !isWhole ? pickPaths(value, within) : value;
    if (isWhole || (within.length > 0 && Object.keys(kept as Members).length > 0)) picked[name] = kept;
  }
  return picked;
}

/**
 * Adds `leaves` to statements of an earlier release, which stored none: one is recognised by standing beside an earlier
 * statement that it would replace now. It leaves all members of that statement.
 */
export function asStored(statements: readonly FullStatement[], findRules: FindMergeRules): FullStatement[] {
  return statements.map((one, at) => {
    if (at === 0 || one.leaves || one.tells === undefined) return one;
    const { replaces = [] } = findRules(one.tells) ?? {};
    const before = statements.slice(0, at).filter((earlier) => replaces.includes(nameOfRules(earlier) ?? ""));
    const leaves = new Set(before.flatMap(({ data = {} }) => Object.keys(data)));
    return leaves.size > 0 ? { ...one, leaves: [...leaves] } : one;
  });
}

/** What is stated, with the lasting members of earlier statements. */
function withLasting(lasting: Members, stated: Members, findRules: FindMergeRules): Members {
  const merged = { ...lasting, ...stated };
  for (const [member, merge] of Object.entries(findRules(LASTING)?.rules ?? {}))
    put(merged, member, merge(lasting[member], stated[member], { stored: lasting, incoming: stated }));
  return merged;
}

function put(members: Members, name: string, value: unknown): void {
  if (value === undefined) Reflect.deleteProperty(members, name);
  else members[name] = value;
}

function mergePart(before: Members | undefined, part: FullStatement, findRules: FindMergeRules) {
  const { data, of, tells } = part;
  // A patch of a missing record has no effect.
  if (!before || !data) return isPatch(part) ? before : data;
  const rules = findRules(tells ?? "")?.rules;
  // Without rules, such as those of another release, the statement replaces everything.
  if (!of) return rules ? (mergeRecords(before, data, rules) as Members) : data;
  const merged = { ...before };
  const merges = tells === LASTING ? rules : undefined;
  const records = { stored: data, incoming: before };
  for (const name of of) {
    const merge = merges?.[name];
    put(merged, name, merge ? merge(data[name], before[name], records) : data[name]);
  }
  return merged;
}
