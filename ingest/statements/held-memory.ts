/**
 * Owns the application of changes. A change looks at records and states something of them, as any source does; each sees what
 * those before it have made. All that a batch's changes look at is read, they are followed in memory, and what came of it is
 * written as long as nobody else has written in between; otherwise all of it is looked at again.
 *
 * Run again it does no harm: records remember up to which place they have been told, and a change asks them; identities that
 * were taken away stay as gone records, and of a move the new record is written before the former one goes.
 *
 * Limit: a stream that tells the former identity of a record while an update moves it is not undone by the move;
 * both are held until the stream's next event of that address.
 */
import { isGone } from "../../api/core/gone.ts";
import { keyOf } from "../../api/core/key-of.ts";
import type { HeldRecord, RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";
import { correctNominees } from "../persons/facts.ts";
import { findTable } from "../sources/index.ts";
import { build, toldOf, type Absorbing } from "./absorb.ts";
import { momentOfUpdate, prune, tableOf, type Told } from "./statement.ts";
import { effectOf, fetchLookedAt, guardLooks, writeAsRead } from "./write.ts";
import type { KindOutcome, Looks, Rewritten, Truth, Writing, Written } from "./write.ts";

/** A change to what is held. */
export interface HeldChange extends Looks {
  /** Its place in the series of updates: later ones are higher. */
  place: number;
  /** What is told of the nominee of a number: stated of all appointments by `persons/facts.ts`, and of none here. */
  correction?: { person_number: string; members: object };
  /** States what it tells; returns something odd that is to be counted as a warning. Absent: nothing by itself. */
  decide?: (held: HeldMemory) => string | undefined;
}

/** What a change states of one record. */
interface Stated extends Pick<Told, "tells" | "of" | "data"> {
  /** The record that it is made from; one of another identity is gone by it. Absent: a new one. */
  from?: StoredRecord | undefined;
  /** What of the record it tells: it remembers the place for each. */
  aspects: readonly string[];
}

/** What one change comes to. */
type Effect = "created" | "changed" | "removed" | "none";

/**
 * Applies changes of one kind of record, in order; those that are counted as nothing found everything as they say. What a stream
 * has told after the day of their file stays.
 */
export async function applyChanges(
  mongo: Truth,
  record: RecordDefinition,
  changes: readonly HeldChange[],
  writing: Writing & { productionDate: string },
): Promise<KindOutcome> {
  const fields = new Set(changes.flatMap(({ looksAt }) => Object.keys(looksAt)));
  const written = new Map<string, Written>();
  let first: { effect: Effect; warning?: string | undefined }[] = [];
  for (let look = 1, isWritten = false; !isWritten; look += 1) {
    guardLooks(look, record);
    // Limit: all appointments of the persons and companies of a batch are held in memory, some 2 kB each.
    const held = await fetchLookedAt(mongo, record, changes);
    const memory = new HeldMemory(held, [...fields], { ...writing, record, findTable });
    const followed = changes.map((change) => memory.follow(change));
    // A later look finds done what this one writes.
    if (look === 1) first = followed;
    const rewritten = memory.rewritten();
    // What an earlier run has written is told by that.
    for (const held of followed.flatMap(({ ours }) => ours)) written.set(held._id, { held, effect: "noted" });
    for (const { now, asRead } of rewritten)
      if (asRead || !isGone(now)) written.set(now._id, { held: now, effect: effectOf(asRead, now) });
    // What was moved goes only when it is held under its new identity. What was not held comes last: a repeat sees by it that
    // all of its line has been done.
    const [going, staying] = [true, false].map((is) => rewritten.filter(({ now }) => isGone(now) === is));
    const refused = await writeAsRead(mongo, record, [staying ?? [], going ?? []], writing.onLeave);
    isWritten = refused.size === 0;
  }
  const count = (wanted: Effect) => first.filter(({ effect }) => effect === wanted).length;
  const created = count("created");
  // Behind the others, some of which may have given an appointment to a nominee; the places say what came first.
  const corrected = await correctNominees(mongo, record, changes, writing);
  return {
    ...{ outcome: [...written.values()], corrected: corrected.ids },
    written: created + count("changed") + corrected.written,
    ...{ created, removed: count("removed") },
    warnings: [...first.flatMap(({ warning }) => warning ?? []), ...corrected.warnings],
  };
}

/** The records that the changes of a batch look at, found by key, with what has become of them so far. Pure. */
export class HeldMemory {
  private readonly now = new Map<string, HeldRecord>();
  private readonly asRead: ReadonlyMap<string, HeldRecord>;
  /** Those that an earlier run of this batch may have written. */
  private readonly earlier: readonly HeldRecord[];
  private readonly idsByKey = new Map<string, Set<string>>();
  private readonly at: string;
  private place = 0;
  private effect: Effect = "none";

  /** `fields`: those by whose keys records are looked for. */
  constructor(
    records: Iterable<HeldRecord>,
    private readonly fields: readonly string[],
    private readonly context: Absorbing & { productionDate: string },
  ) {
    this.at = momentOfUpdate(context.productionDate);
    for (const record of records) this.put(record);
    this.asRead = new Map(this.now);
    this.earlier = [...this.now.values()].filter(({ revision }) => revision >= context.revision);
  }

  /**
   * Follows a change; its effect is the first of those that it has on records, in this run of the batch or an earlier one.
   * `ours`: what an earlier run wrote for it.
   */
  follow({ place, decide }: HeldChange) {
    this.place = place;
    this.effect = "none";
    const warning = decide?.(this);
    const isTold = ({ update }: HeldRecord) => Object.values(update?.places ?? {}).includes(place);
    const stated = ({ told = [] }: HeldRecord) => told.filter((one) => one.place === place);
    const ours = this.earlier.filter((held) => isTold(held) || stated(held).length > 0);
    if (ours.some((held) => !isGone(held) && isTold(held))) this.note("changed");
    if (ours.some((held) => stated(held).some(isWithdrawal))) this.note("removed");
    return { effect: this.effect, warning, ours };
  }

  /** What is to be written. */
  rewritten(): Rewritten[] {
    const entries = Array.from(this.now, ([id, now]) => ({ asRead: this.asRead.get(id), now }));
    return entries.filter(({ asRead, now }) => asRead !== now);
  }

  find(field: string, value: string): StoredRecord[] {
    // An id stays under a key that its record has lost since.
    return [...(this.idsByKey.get(`${field}\t${value}`) ?? [])].flatMap((id) => {
      const record = this.get(id);
      return record && keyOf(record, field) === value ? record : [];
    });
  }

  get(id: string): StoredRecord | undefined {
    const held = this.now.get(id);
    return held && !isGone(held) ? held : undefined;
  }

  /** Place at which an update took this identity away; 0: none did. */
  withdrawnAt(id: string): number {
    const withdrawals = (this.now.get(id)?.told ?? []).filter(isWithdrawal);
    return Math.max(0, ...withdrawals.map(({ place = 0 }) => place));
  }

  /** States something of the record of an identity; what a stream or a snapshot has told later stays as it is. */
  state(id: string, { from, aspects, ...told }: Stated): void {
    if (from && this.isToldSince(from)) return;
    const held = this.now.get(id);
    const isMoved = from !== undefined && from._id !== id;
    // What other sources have told stays; of a record that moves what these files told of it does not.
    const before = isMoved ? [...toldOf(from), ...toldOf(held)].filter(isOfOthers) : toldOf(held);
    const made = this.build(id, before, told, this.stamp(held, from, aspects));
    const isOpen = !this.isToldSince(held);
    if (!isMoved && !(isOpen && made.etag !== held?.etag)) return;
    this.note(from || this.get(id) ? "changed" : "created");
    if (isOpen) this.put(made);
    if (isMoved) this.leave(from._id);
  }

  /** Takes away a record that is there. */
  remove(held: StoredRecord): void {
    if (this.isToldSince(held)) return;
    this.leave(held._id);
    this.note("removed");
  }

  /** Keeps away what an older file would bring under an identity that is not held. */
  withdraw(id: string): void {
    if (!this.get(id) && this.withdrawnAt(id) < this.place) this.leave(id);
  }

  private leave(id: string): void {
    const held = this.now.get(id);
    this.put(this.build(id, toldOf(held), { gone: true }, held?.update));
  }

  /** Replaced only as it was read, by a revision that has not been there before. */
  private build(id: string, before: Told[], told: Omit<Told, "at">, update: HeldRecord["update"]) {
    const stated = [...before, { at: this.at, place: this.place, ...told }];
    const statements = prune(stated, this.context.findTable);
    return build(this.asRead.get(id), { id, statements, update }, this.context);
  }

  private stamp(held: HeldRecord | undefined, from: StoredRecord | undefined, aspects: readonly string[]) {
    const left = from && from._id !== held?._id ? from._id : (held?.update?.left ?? from?.update?.left);
    const days = [held?.update?.day ?? "", from?.update?.day ?? "", this.context.productionDate];
    const places = Object.fromEntries(aspects.map((aspect) => [aspect, this.place]));
    return {
      day: days.sort().at(-1) ?? "",
      places: { ...from?.update?.places, ...held?.update?.places, ...places },
      ...(left !== undefined && { left }),
    };
  }

  /** True for what a stream, or a file that shows a whole day, has told later. */
  private isToldSince(held: HeldRecord | undefined): boolean {
    return (held?.told ?? []).some(({ event, at }) => at > this.at && (event ?? !at.includes("T")));
  }

  private note(effect: Effect): void {
    if (this.effect === "none") this.effect = effect;
  }

  private put(record: HeldRecord): void {
    this.now.set(record._id, record);
    for (const field of isGone(record) ? [] : this.fields) {
      const key = `${field}\t${keyOf(record, field)}`;
      this.idsByKey.set(key, (this.idsByKey.get(key) ?? new Set()).add(record._id));
    }
  }
}

/** True for what took an identity away by a file. */
function isWithdrawal({ gone, event }: Pick<Told, "gone" | "event">): boolean {
  return gone === true && event === undefined;
}

/** True for what streams and undated rows have told. */
function isOfOthers(statement: Told): boolean {
  return tableOf(statement) === undefined && !isWithdrawal(statement);
}
