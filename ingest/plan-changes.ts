/** Owns what a batch's changes make of what is held: which records are to be created, replaced and removed. Pure. */
import type { Replacement } from "../api/core/stores/mongo.ts";
import type {
  RecordDefinition,
  SnapshotStamp,
  StoredRecord,
  UpdateStamp,
} from "../api/resources/define-record.ts";
import type { HeldChange, HeldEffect } from "./held-changes.ts";
import { HeldState, type HeldReading } from "./held-state.ts";
import type { Lasting } from "./lasting.ts";
import type { Tombstone } from "./tombstones.ts";
import type { Withdrawal } from "./withdrawals.ts";
import { withoutTold } from "./writers/retell.ts";
import { compareStamps, isAfter, snapshotDayOf, toStored } from "./writers/stored.ts";

/** Where changes come from. */
export interface ChangesOrigin {
  /** Of their batch. */
  revision: number;
  /** The day of their file: what a stream has told later stays. */
  productionDate: string;
}

/** All that changes look at. */
export interface ChangesReading extends HeldReading {
  /** What streams have deleted, by identity. */
  tombstones: ReadonlyMap<string, Tombstone>;
}

/** What one change comes to. */
export type ChangeEffect = "created" | "changed" | "removed" | "none";

/** What is to be done. */
export interface ChangesPlan {
  creations: StoredRecord[];
  replacements: (Replacement & { held: StoredRecord })[];
  removals: StoredRecord[];
  withdrawals: Withdrawal[];
  lasting: Lasting[];
  /** Records that an earlier run of this batch has written. */
  ours: StoredRecord[];
  /** Of each change, in order. */
  effects: ChangeEffect[];
  warnings: string[];
}

/** Follows the changes in order; each sees what those before it have made. */
export function planChanges(
  record: RecordDefinition,
  changes: readonly HeldChange[],
  reading: ChangesReading,
  origin: ChangesOrigin,
): ChangesPlan {
  const state = new HeldState(reading);
  const earlier = findEarlier(reading, origin);
  const warnings: string[] = [];
  const withdrawals = new Map<string, Withdrawal>();
  const lasting: Lasting[] = [];
  const snapshotDay = snapshotDayOf(origin.productionDate);
  const on = { state, reading, origin, snapshotDay, withdrawals, lasting };
  const effects = changes.map((change) => {
    const { effects: decided, warning } = change.decide(state);
    if (warning !== undefined) warnings.push(warning);
    const follower = new Follower(record, change, on);
    const followed = decided.map((effect) => follower.follow(effect)).find((effect) => effect !== "none");
    return followed ?? earlier.get(change.place) ?? "none";
  });
  const ours = reading.records.filter((held) => isOurs(held, changes, origin));
  return { ...diff(state), withdrawals: [...withdrawals.values()], lasting, ours, effects, warnings };
}

/** Follows the effects of one change. */
class Follower {
  constructor(
    private readonly record: RecordDefinition,
    private readonly change: HeldChange,
    private readonly on: {
      state: HeldState;
      reading: ChangesReading;
      origin: ChangesOrigin;
      /** Of the file: events of before this day yield to it. */
      snapshotDay: string;
      withdrawals: Map<string, Withdrawal>;
      lasting: Lasting[];
    },
  ) {}

  follow(effect: HeldEffect): ChangeEffect {
    if (effect.kind === "write") return this.write(effect);
    if (effect.kind === "remove") return this.withdraw(effect.held) ? "removed" : "none";
    if (effect.kind === "withdraw") this.foresee(effect.id);
    else this.last(effect);
    return "none";
  }

  /** Keeps away what an older file would bring under an identity that is not held. */
  private foresee(id: string): void {
    const { state } = this.on;
    if (state.get(id) || state.withdrawnAt(id) >= this.change.place) return;
    this.note({ record_id: id, isForeseen: true });
  }

  private last({ key, aspect, members }: HeldEffect & { kind: "last" }): void {
    const { place } = this.change;
    this.on.lasting.push({ key, aspect, members, place, day: this.on.origin.productionDate });
  }

  private note(withdrawn: Pick<Withdrawal, "record_id" | "isForeseen">): void {
    const { state, origin, withdrawals } = this.on;
    const { place } = this.change;
    const { revision, productionDate: day } = origin;
    state.withdraw(withdrawn.record_id, place);
    withdrawals.set(withdrawn.record_id, { ...withdrawn, place, day, revision });
  }

  private write({ data, from, aspects }: HeldEffect & { kind: "write" }): ChangeEffect {
    const { state, origin } = this.on;
    if (from && this.isToldSince(from)) return "none";
    const made = toStored(this.record, data, origin.revision);
    const held = state.get(made._id);
    const isMoved = from !== undefined && from._id !== made._id;
    if (!this.isRefused(made._id, held) && (isMoved || held?.etag !== made.etag)) {
      state.put(this.stamp(made, [held, from], aspects));
      this.on.withdrawals.delete(made._id);
    } else if (!isMoved) return "none";
    if (isMoved) this.withdraw(from);
    return from || held ? "changed" : "created";
  }

  /** What a stream has told or deleted later stays as it is. */
  private isRefused(id: string, held: StoredRecord | undefined): boolean {
    const { reading, snapshotDay } = this.on;
    if (held) return this.isToldSince(held);
    return isAfter(reading.tombstones.get(id), snapshotDay);
  }

  private isToldSince({ event }: StoredRecord): boolean {
    return isAfter(event, this.on.snapshotDay);
  }

  private stamp(
    made: StoredRecord,
    befores: (StoredRecord | undefined)[],
    aspects: readonly string[],
  ): StoredRecord {
    const { state, origin } = this.on;
    const [held, from] = befores;
    const events = befores.flatMap((before) => before?.event ?? []).sort(compareStamps);
    const event = events.at(-1);
    const update: UpdateStamp = {
      day: laterOf(held?.update?.day, from?.update?.day, origin.productionDate),
      places: { ...from?.update?.places, ...held?.update?.places, ...this.placesOf(aspects) },
    };
    const left = from && from._id !== made._id ? from._id : (held?.update?.left ?? from?.update?.left);
    if (left !== undefined) update.left = left;
    // Replaced only as it was read, by a revision that has not been there before.
    const readRevision = state.entries.get(made._id)?.asRead?.revision;
    const revision = readRevision === undefined ? made.revision : Math.max(made.revision, readRevision + 1);
    const snapshot = this.snapshotOf(befores, aspects);
    return { ...made, revision, update, ...(event && { event }), ...(snapshot && { snapshot }) };
  }

  /** An event that is older than what the line tells, or than what it was added to, does not undo it by coming later. */
  private snapshotOf(
    befores: (StoredRecord | undefined)[],
    aspects: readonly string[],
  ): SnapshotStamp | undefined {
    const { asSnapshot } = this.change;
    const before = befores.flatMap((item) => item?.snapshot ?? []).at(0);
    const isWhole = asSnapshot !== undefined && aspects.includes(asSnapshot.aspect);
    if (!isWhole) return before && withoutTold(before);
    return { day: laterOf(before?.day, this.on.snapshotDay), tells: asSnapshot.tells };
  }

  private placesOf(aspects: readonly string[]): UpdateStamp["places"] {
    return Object.fromEntries(aspects.map((aspect) => [aspect, this.change.place]));
  }

  private withdraw(held: StoredRecord): boolean {
    if (this.isToldSince(held)) return false;
    this.note({ record_id: held._id });
    return true;
  }
}

function laterOf(...days: (string | undefined)[]): string {
  return days.reduce<string>((latest, day) => (day !== undefined && day > latest ? day : latest), "");
}

/** What an earlier run of this batch has done, by place: it counts as done by this one. */
function findEarlier(
  { records, withdrawals }: ChangesReading,
  { revision }: ChangesOrigin,
): Map<number, ChangeEffect> {
  const earlier = new Map<number, ChangeEffect>();
  for (const withdrawal of withdrawals.values()) {
    const isRemoval = withdrawal.revision === revision && !withdrawal.isForeseen;
    if (isRemoval) earlier.set(withdrawal.place, "removed");
  }
  for (const held of records.filter((item) => item.revision >= revision)) {
    for (const place of Object.values(held.update?.places ?? {})) if (place) earlier.set(place, "changed");
  }
  return earlier;
}

/** True for a record that was written at the place of one of these changes by their own batch. */
function isOurs(held: StoredRecord, changes: readonly HeldChange[], { revision }: ChangesOrigin): boolean {
  if (held.revision < revision || !held.update) return false;
  const first = changes[0]?.place ?? Infinity;
  const last = changes.at(-1)?.place ?? 0;
  return Object.values(held.update.places).some(
    (place) => place !== undefined && place >= first && place <= last,
  );
}

function diff(state: HeldState): Pick<ChangesPlan, "creations" | "replacements" | "removals"> {
  const plan: ReturnType<typeof diff> = { creations: [], replacements: [], removals: [] };
  for (const { asRead, now } of state.entries.values()) {
    if (asRead === now) continue;
    if (!asRead) plan.creations.push(...(now ? [now] : []));
    else if (!now) plan.removals.push(asRead);
    else plan.replacements.push({ stored: now, held: asRead });
  }
  return plan;
}
