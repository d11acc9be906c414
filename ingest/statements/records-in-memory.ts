/**
 * Applies the changes of daily updates in memory, each to the result of those before it. The records are written if no
 * other process has written them since they were read; otherwise they are read and changed again.
 *
 * Safe to repeat: of what lines state the highest place counts, removed identities stay as tombstones, records store the
 * line that brought them, and a move writes the new record before it removes the former one.
 */
import { isDeepStrictEqual } from "node:util";
import { keyOf } from "../../api/shared/values/members.ts";
import {
  isTombstone,
  type RecordOrTombstone,
  type RecordDefinition,
  type StoredRecord,
} from "../../api/shared/definitions/define-record.ts";
import { correctNominees } from "../persons/facts.ts";
import { findMergeRules } from "../sources/index.ts";
import { build, statementsOf, type Absorbing } from "./absorb.ts";
import type { ChangeableRecords, RecordChange, Stated } from "./record-change.ts";
import { prune } from "./prune.ts";
import { isMoment, momentOfUpdate, nameOfRules, REMOVAL, type FullStatement } from "./statement.ts";
import { effectOf, fetchLookedUp, guardAttempts, writeAsRead } from "./write.ts";
import type { KindOutcome, KindWriting, Rewritten, MongoRecords, Written } from "./write.ts";

type Effect = "created" | "changed" | "removed" | "none";

// Names in `update.places`. `arrival`: the line that created the record or last brought it to its person number, type
// or day. `unchanged`: the last line that changed nothing, so that only its statement was stored.
const ARRIVAL = "arrival";
const UNCHANGED = "unchanged";

/** Applies changes of one kind of record, in order. What streams stated after the day of the changes' file stays. */
export async function applyChanges(
  mongo: MongoRecords,
  record: RecordDefinition,
  changes: readonly RecordChange[],
  writing: KindWriting & { productionDate: string },
): Promise<KindOutcome> {
  const fields = new Set(changes.flatMap(({ keys }) => Object.keys(keys)));
  const written = new Map<string, Written>();
  let first: { effect: Effect; warning?: string | undefined }[] = [];
  for (let attempt = 1, isWritten = false; !isWritten; attempt += 1) {
    guardAttempts(attempt, record);
    // Limit: all appointments of a batch's persons and companies are in memory, some 2 kB each.
    const found = await fetchLookedUp(mongo, record, changes);
    const memory = new RecordsInMemory(found, [...fields], { ...writing, record, findMergeRules });
    const applied = changes.map((change) => memory.apply(change));
    // Only the first attempt is counted: later ones find parts of it done.
    if (attempt === 1) first = applied;
    const rewritten = memory.rewritten();
    // Records of an earlier run are only `noted`: its entry in the change log makes their events. An earlier attempt
    // has no entry of its own, so its effects stay.
    for (const stored of applied.flatMap(({ ours }) => ours))
      written.set(stored._id, { stored, effect: written.get(stored._id)?.effect ?? "noted" });
    for (const { now, asRead } of rewritten)
      if (asRead || !isTombstone(now)) written.set(now._id, { stored: now, effect: effectOf(asRead, now) });
    // Tombstones are written last: a moved record is stored first, and a tombstone proves that its whole line is done.
    const [tombstones, records] = [true, false].map((isWanted) =>
      rewritten.filter(({ now }) => isTombstone(now) === isWanted),
    );
    const refused = await writeAsRead(mongo, record, [records ?? [], tombstones ?? []], writing.onReplace);
    isWritten = refused.size === 0;
  }
  const count = (wanted: Effect) => first.filter(({ effect }) => effect === wanted).length;
  const created = count("created");
  // After the other changes, which may have given a nominee an appointment. The places keep the order right.
  const corrected = await correctNominees(mongo, record, changes, writing);
  return {
    outcome: [...written.values()],
    written: created + count("changed") + corrected.written,
    ...{ created, removed: count("removed") },
    warnings: [...first.flatMap(({ warning }) => warning ?? []), ...corrected.warnings],
  };
}

/** The records that a batch's changes look up, with the changes so far. Pure. */
export class RecordsInMemory implements ChangeableRecords {
  private readonly now = new Map<string, RecordOrTombstone>();
  private readonly asRead: ReadonlyMap<string, RecordOrTombstone>;
  /** The records that an earlier run of this batch may have written. */
  private readonly earlier: readonly RecordOrTombstone[];
  private readonly idsByKey = new Map<string, Set<string>>();
  private readonly at: string;
  private place = 0;
  private effect: Effect = "none";

  constructor(
    records: Iterable<RecordOrTombstone>,
    private readonly fields: readonly string[],
    private readonly context: Absorbing & { productionDate: string },
  ) {
    this.at = momentOfUpdate(context.productionDate);
    for (const record of records) this.put(record);
    this.asRead = new Map(this.now);
    this.earlier = [...this.now.values()].filter(({ revision }) => revision >= context.revision);
  }

  /** Applies a change. `effect`: its first one, in any run of the batch. `ours`: what an earlier run wrote for it. */
  apply({ place, decide }: RecordChange) {
    this.place = place;
    this.effect = "none";
    const stated = ({ told = [] }: RecordOrTombstone) => told.filter((one) => one.place === place);
    const ours = this.earlier.filter((stored) => stated(stored).length > 0);
    const isChanged = (stored: RecordOrTombstone) =>
      !isTombstone(stored) && stored.update?.places[UNCHANGED] !== place && !stated(stored).every(isDeletion);
    if (ours.some(isChanged)) this.note("changed");
    const warning = decide?.(this);
    if (ours.some((stored) => stated(stored).some(isDeletion))) this.note("removed");
    return { effect: this.effect, warning, ours };
  }

  rewritten(): Rewritten[] {
    const entries = Array.from(this.now, ([id, now]) => ({ asRead: this.asRead.get(id), now }));
    return entries.filter(({ asRead, now }) => asRead !== now);
  }

  find(field: string, value: string): StoredRecord[] {
    // The record may have another value now.
    return [...(this.idsByKey.get(`${field}\t${value}`) ?? [])].flatMap((id) => {
      const record = this.get(id);
      return record && keyOf(record, field) === value ? record : [];
    });
  }

  get(id: string): StoredRecord | undefined {
    const stored = this.now.get(id);
    return stored && !isTombstone(stored) ? stored : undefined;
  }

  placeOfTombstone(id: string): number {
    const tombstones = (this.now.get(id)?.told ?? []).filter(isDeletion);
    return Math.max(0, ...tombstones.map(({ place = 0 }) => place));
  }

  isDeletedByEvent(id: string): boolean {
    const stored = this.now.get(id);
    return stored !== undefined && isTombstone(stored) && stored.told?.some(({ event }) => event) === true;
  }

  state(id: string, { from, own, removes = [], ...statement }: Stated): void {
    const { lasting } = this.context.findMergeRules(nameOfRules(statement) ?? "") ?? {};
    // A later event does not replace members that no event can state.
    const isLasting = statement.of?.every((member) => lasting?.includes(member));
    const isPassed = (one: RecordOrTombstone | undefined) => !isLasting && this.isStatedSince(one);
    if (from && isPassed(from)) return;
    const stored = this.now.get(id);
    const isMoved = from !== undefined && from._id !== id;
    const before = isMoved
      ? [...statementsOf(from), ...statementsOf(stored)].filter(movesAlong)
      : statementsOf(stored);
    if (removes.length > 0)
      before.push({ at: this.at, place: this.place, tells: REMOVAL, of: [...removes, "etag"], data: {} });
    const stamp = this.stamp(stored, from, own);
    const made = this.build(id, before, statement, stamp);
    const isOpen = !isPassed(stored);
    const isChanged = isMoved || made.etag !== stored?.etag;
    // Even a line that changes nothing is stored, so that an older update that arrives later does not undo it.
    // Its removals are stored, too: they also apply to earlier statements that arrive later. Limit: it is stored
    // only in the line's own appointment, since most companies' lines repeat what is stored of all appointments.
    const isNews = own !== undefined && !isDeepStrictEqual(statementsOf(made), statementsOf(stored));
    const isLater = isNews || !this.isRemoved(stored, removes);
    if (!isMoved && !(isOpen && (isChanged || isLater))) return;
    if (isChanged) this.note(from || this.get(id) ? "changed" : "created");
    const places = { ...stamp.places, [UNCHANGED]: this.place };
    if (isOpen) this.put(isChanged ? made : { ...made, update: { ...stamp, places } });
    if (isMoved) this.putTombstone(from._id);
  }

  remove(stored: StoredRecord): void {
    if (this.isStatedSince(stored)) return;
    this.putTombstone(stored._id);
    this.note("removed");
  }

  addTombstone(id: string): void {
    if (!this.get(id) && this.placeOfTombstone(id) < this.place) this.putTombstone(id);
  }

  private putTombstone(id: string): void {
    const stored = this.now.get(id);
    this.put(this.build(id, statementsOf(stored), { gone: true }, stored?.update));
  }

  /** Adds a statement. The revision follows that of the record as it was read, since the write replaces that one. */
  private build(
    id: string,
    before: FullStatement[],
    statement: Omit<FullStatement, "at">,
    update: RecordOrTombstone["update"],
  ) {
    const stated = [...before, { at: this.at, place: this.place, ...statement }];
    const statements = prune(stated, this.context.findMergeRules);
    return build(this.asRead.get(id), { id, statements, update }, this.context);
  }

  private stamp(stored: RecordOrTombstone | undefined, from: StoredRecord | undefined, own: Stated["own"]) {
    const days = [stored?.update?.day ?? "", from?.update?.day ?? "", this.context.productionDate];
    const places = { ...from?.update?.places, ...stored?.update?.places };
    const isArrival = own === "arrival";
    const moved = from && from._id !== stored?._id ? from._id : undefined;
    const left = isArrival ? moved : stored?.update?.left;
    return {
      day: days.sort().at(-1) ?? "",
      places: isArrival ? { ...places, [ARRIVAL]: this.place } : places,
      ...(left !== undefined && { left }),
    };
  }

  /** True when anything but a daily update stated the record later. */
  private isStatedSince(stored: RecordOrTombstone | undefined): boolean {
    return (stored?.told ?? []).some(
      ({ event, at }) => at > this.at && (event ?? (isMoment(at) || !at.includes("T"))),
    );
  }

  /** True when a line of this day has removed these members: another removal need not be stored. */
  private isRemoved(stored: RecordOrTombstone | undefined, members: readonly string[]): boolean {
    const removals = (stored?.told ?? []).filter(({ at, tells }) => at === this.at && tells === REMOVAL);
    const isOf = ({ of }: { of?: readonly string[] }) => members.every((member) => of?.includes(member));
    return members.length === 0 || removals.some(isOf);
  }

  private note(effect: Effect): void {
    if (this.effect === "none") this.effect = effect;
  }

  private put(record: RecordOrTombstone): void {
    this.now.set(record._id, record);
    for (const field of isTombstone(record) ? [] : this.fields) {
      const key = `${field}\t${keyOf(record, field)}`;
      this.idsByKey.set(key, (this.idsByKey.get(key) ?? new Set()).add(record._id));
    }
  }
}

function isDeletion({ gone, event }: Pick<FullStatement, "gone" | "event">): boolean {
  return gone === true && event === undefined;
}

/**
 * True for statements that a record keeps when it moves: those of streams and undated rows, and removals by updates.
 * Limit: if it joins another record, as in a merge, the removals of each also apply to earlier statements of the other.
 */
function movesAlong(statement: FullStatement): boolean {
  const name = nameOfRules(statement);
  return name === REMOVAL || (name === undefined && !isDeletion(statement));
}
