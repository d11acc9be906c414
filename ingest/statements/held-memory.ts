/**
 * Owns what a batch's changes make of what is held. A change looks at records in memory and states something of them, as
 * any source does; each sees what those before it have made. Pure: changes may be followed any number of times, since others
 * may write in between or a batch may be killed; records remember up to where they have been told, and a change asks them.
 */
import { isGone } from "../../api/core/gone.ts";
import { keyOf } from "../../api/core/key-of.ts";
import type {
  HeldRecord,
  RecordDefinition,
  StoredRecord,
  UpdateStamp,
} from "../../api/resources/define-record.ts";
import { build, toldOf } from "./absorb.ts";
import { prune } from "./fold.ts";
import type { Rewritten } from "./write.ts";
import { isDay, momentOfUpdate, tableOf, type FindTable, type Told } from "./statement.ts";

/** A change to what is held. */
export interface HeldChange {
  /** Its place in the series of updates: later ones are higher. */
  place: number;
  /** By field: keys of the records that it looks at, beside those of its identities. */
  looksAt: Readonly<Record<string, readonly string[]>>;
  /** Identities that it may create or take away. */
  identities: readonly string[];
  /** What is told of the nominee of a number: stated of all appointments by `persons/corrections.ts`, and of none here. */
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
export type ChangeEffect = "created" | "changed" | "removed" | "none";

/** Where changes come from. */
export interface ChangesOrigin {
  /** Of their batch. */
  revision: number;
  /** The day of their file: what a stream has told later stays. */
  productionDate: string;
}

type Context = ChangesOrigin & { record: RecordDefinition; findTable: FindTable };

/** The records that the changes of a batch look at, found by key, with what has become of them so far. */
export class HeldMemory {
  private readonly entries = new Map<string, { asRead?: HeldRecord; now: HeldRecord }>();
  private readonly idsByKey = new Map<string, Set<string>>();
  /** Records that an earlier run of this batch may have written. */
  private readonly earlier: HeldRecord[] = [];
  private readonly at: string;
  private place = 0;
  private effect: ChangeEffect = "none";

  /** `fields`: those by whose keys records are looked for. */
  constructor(
    records: Iterable<HeldRecord>,
    private readonly fields: readonly string[],
    private readonly context: Context,
  ) {
    this.at = momentOfUpdate(context.productionDate);
    for (const record of records) {
      this.entries.set(record._id, { asRead: record, now: record });
      this.enter(record);
      if (record.revision >= context.revision) this.earlier.push(record);
    }
  }

  /**
   * Follows a change; its effect is the first of those that it has on records, in this run of the batch or an earlier one.
   * `ours`: what an earlier run wrote for it.
   */
  follow({ place, decide }: HeldChange) {
    this.place = place;
    this.effect = "none";
    const warning = decide?.(this);
    const isTold = (held: HeldRecord) => Object.values(held.update?.places ?? {}).includes(place);
    const stated = ({ told = [] }: HeldRecord) => told.filter((one) => one.place === place);
    const ours = this.earlier.filter((held) => isTold(held) || stated(held).length > 0);
    if (ours.some((held) => !isGone(held) && isTold(held))) this.note("changed");
    if (ours.some((held) => stated(held).some(({ gone, event }) => gone && !event))) this.note("removed");
    return { effect: this.effect, warning, ours };
  }

  /** What is to be written. */
  rewritten(): Rewritten[] {
    return [...this.entries.values()].filter(({ asRead, now }) => asRead !== now);
  }

  find(field: string, value: string): StoredRecord[] {
    // An id stays under a key that its record has lost since.
    return [...(this.idsByKey.get(`${field}\t${value}`) ?? [])].flatMap((id) => {
      const record = this.get(id);
      return record && keyOf(record, field) === value ? record : [];
    });
  }

  get(id: string): StoredRecord | undefined {
    const held = this.entries.get(id)?.now;
    return held && !isGone(held) ? held : undefined;
  }

  /** Place at which an update took this identity away; 0: none did. */
  withdrawnAt(id: string): number {
    const told = this.entries.get(id)?.now.told ?? [];
    return Math.max(0, ...told.map(({ gone, event, place }) => (gone && !event ? (place ?? 0) : 0)));
  }

  /** States something of the record of an identity; what a stream or a snapshot has told later stays as it is. */
  state(id: string, { from, aspects, ...told }: Stated): void {
    if (from && this.isToldSince(from)) return;
    const held = this.entries.get(id)?.now;
    const isMoved = from !== undefined && from._id !== id;
    // What other sources have told stays; of a record that moves what these files told of it does not.
    const before = isMoved ? [...toldOf(from), ...toldOf(held)].filter(isOfOthers) : toldOf(held);
    const made = this.build(id, before, told, this.stamp(held, from, aspects));
    const isOpen = !this.isToldSince(held);
    if (!isMoved && !(isOpen && made.etag !== held?.etag)) return;
    this.note(from || (held && !isGone(held)) ? "changed" : "created");
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
    const held = this.entries.get(id)?.now;
    this.put(this.build(id, toldOf(held), { gone: true }, held?.update));
  }

  /** Replaced only as it was read, by a revision that has not been there before. */
  private build(id: string, before: Told[], told: Omit<Told, "at">, update?: UpdateStamp): HeldRecord {
    const statements = prune(
      [...before, { at: this.at, place: this.place, ...told }],
      this.context.findTable,
    );
    return build(this.entries.get(id)?.asRead, { id, statements, update }, this.context);
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

  private isToldSince(held: HeldRecord | undefined): boolean {
    return (held?.told ?? []).some(({ event, at }) => at > this.at && (event !== undefined || isDay(at)));
  }

  private note(effect: ChangeEffect): void {
    if (this.effect === "none") this.effect = effect;
  }

  private put(now: HeldRecord): void {
    this.entries.set(now._id, { ...this.entries.get(now._id), now });
    this.enter(now);
  }

  private enter(record: HeldRecord): void {
    if (isGone(record)) return;
    for (const field of this.fields) {
      const key = `${field}\t${keyOf(record, field)}`;
      this.idsByKey.set(key, (this.idsByKey.get(key) ?? new Set()).add(record._id));
    }
  }
}

/** True for what streams and undated rows have told. */
function isOfOthers(statement: Told): boolean {
  return tableOf(statement) === undefined && (!statement.gone || statement.event !== undefined);
}
