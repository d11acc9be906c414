/** Owns what a batch's changes make of what is held: which records are to be created, replaced and removed. Pure. */
import { isDeepStrictEqual } from "node:util";
import { isGone } from "../../api/core/gone.ts";
import type { Members } from "../../api/core/members.ts";
import type { Replacement } from "../../api/core/stores/mongo.ts";
import type {
  HeldRecord,
  RecordDefinition,
  StoredRecord,
  UpdateStamp,
} from "../../api/resources/define-record.ts";
import type { HeldChange, HeldEffect } from "./held-changes.ts";
import { HeldState, type HeldReading } from "./held-state.ts";
import { build, toldOf } from "./absorb.ts";
import { fold, prune } from "./fold.ts";
import { isDay, momentOfUpdate, tableOf, type FindTable, type Told } from "./statement.ts";
import { toStored } from "./stored.ts";

/** Where changes come from. */
export interface ChangesOrigin {
  /** Of their batch. */
  revision: number;
  /** The day of their file: what a stream has told later stays. */
  productionDate: string;
}

/** What one change comes to. */
export type ChangeEffect = "created" | "changed" | "removed" | "none";

type HeldReplacement = Replacement & { held: HeldRecord };

/** What is to be done. */
export interface ChangesPlan {
  creations: StoredRecord[];
  replacements: HeldReplacement[];
  /** Records that go, once those stand that are made of them. */
  removals: HeldReplacement[];
  /** Identities that were not held, and are to stay so. */
  foreseen: HeldRecord[];
  /** Records that an earlier run of this batch has written. */
  ours: HeldRecord[];
  /** Of each change, in order. */
  effects: ChangeEffect[];
  warnings: string[];
}

/** Follows the changes in order; each sees what those before it have made. */
export function planChanges(
  record: RecordDefinition,
  changes: readonly HeldChange[],
  reading: HeldReading,
  { findTable, ...origin }: ChangesOrigin & { findTable: FindTable },
): ChangesPlan {
  const state = new HeldState(reading);
  const earlier = findEarlier(reading, origin);
  const warnings: string[] = [];
  const effects = changes.map((change) => {
    const { effects: decided, warning } = change.decide(state);
    if (warning !== undefined) warnings.push(warning);
    const follower = new Follower(record, change, { state, origin, findTable });
    const followed = decided.map((effect) => follower.follow(effect)).find((effect) => effect !== "none");
    return followed ?? earlier.get(change.place) ?? "none";
  });
  const ours = reading.records.filter((held) => isOurs(held, changes, origin));
  return { ...diff(state), ours, effects, warnings };
}

/** Follows the effects of one change. */
class Follower {
  private readonly at: string;

  constructor(
    private readonly record: RecordDefinition,
    private readonly change: HeldChange,
    private readonly on: {
      state: HeldState;
      origin: ChangesOrigin;
      findTable: FindTable;
    },
  ) {
    this.at = momentOfUpdate(on.origin.productionDate);
  }

  follow(effect: HeldEffect): ChangeEffect {
    if (effect.kind === "write") return this.write(effect);
    if (effect.kind === "remove") return this.withdraw(effect.held) ? "removed" : "none";
    this.foresee(effect.id);
    return "none";
  }

  /** Keeps away what an older file would bring under an identity that is not held. */
  private foresee(id: string): void {
    const { state } = this.on;
    if (!state.get(id) && state.withdrawnAt(id) < this.change.place) this.leave(id);
  }

  private write({ data, from, aspects, members }: HeldEffect & { kind: "write" }): ChangeEffect {
    const { state, origin } = this.on;
    if (from && this.isToldSince(from)) return "none";
    const { _id: id, etag } = toStored(this.record, data, origin.revision);
    const held = state.get(id);
    const isMoved = from !== undefined && from._id !== id;
    if (!this.isToldSince(state.entries.get(id)?.now) && (isMoved || held?.etag !== etag)) {
      this.put(id, { data: data as Members, from, aspects, members: isMoved ? undefined : members });
    } else if (!isMoved) return "none";
    if (isMoved) this.withdraw(from);
    return from || held ? "changed" : "created";
  }

  /** What a stream or a snapshot has told later, or a stream deleted, stays as it is. */
  private isToldSince(held: HeldRecord | undefined): boolean {
    return (held?.told ?? []).some(({ event, at }) => at > this.at && (event !== undefined || isDay(at)));
  }

  private put(id: string, { data, from, aspects, members }: Made): void {
    const { state, findTable, origin } = this.on;
    const held = state.entries.get(id)?.now;
    const carried = this.carry(held, from);
    const statements = prune([...carried, this.state(data, carried, members)], findTable);
    const update = this.stamp([held, from], aspects, from && from._id !== id ? from._id : undefined);
    const { revision } = origin;
    state.put(
      this.following(
        id,
        build(held, { id, statements, update }, { record: this.record, revision, findTable }),
      ),
    );
  }

  /** What other sources have told stays; of a record that moves what these files told of it does not. */
  private carry(held: HeldRecord | undefined, from: StoredRecord | undefined): Told[] {
    if (!from || from._id === held?._id) return toldOf(held);
    const ofOthers = [...toldOf(from), ...toldOf(held)].filter(
      (statement) => tableOf(statement) === undefined && (!statement.gone || statement.event),
    );
    return prune(ofOthers, this.on.findTable);
  }

  /** What the change states of the record, so that with the others it comes to just these data. */
  private state(data: Members, carried: readonly Told[], members: readonly string[] | undefined): Told {
    const { tells, place } = this.change;
    const stamp = { at: this.at, place };
    if (members || tells === undefined) {
      const of = [...new Set([...(members ?? []), ...this.differing(carried, data)])];
      return { ...stamp, of, data: pick(data, of) };
    }
    const whole = { ...stamp, tells, data };
    const beneath = prune([...carried, whole], this.on.findTable).filter((statement) => statement !== whole);
    if (!fold(beneath, this.on.findTable)) return whole;
    const told = Object.keys(this.on.findTable(tells)?.rules ?? {});
    const beyond = this.differing(beneath, data).filter((name) => !told.includes(name));
    const all = [...told, ...beyond];
    return { ...stamp, tells, ...(beyond.length > 0 && { of: all }), data: pick(data, all) };
  }

  /** Members in which data differ from what statements come to. */
  private differing(statements: readonly Told[], data: Members): string[] {
    const before = fold(statements, this.on.findTable) ?? {};
    return namesOf(before, data).filter((name) => !isDeepStrictEqual(before[name], data[name]));
  }

  private stamp(
    befores: (HeldRecord | undefined)[],
    aspects: readonly string[],
    movedFrom: string | undefined,
  ): UpdateStamp {
    const [held, from] = befores;
    const places = Object.fromEntries(aspects.map((aspect) => [aspect, this.change.place]));
    const left = movedFrom ?? held?.update?.left ?? from?.update?.left;
    return {
      day: laterOf(held?.update?.day, from?.update?.day, this.on.origin.productionDate),
      places: { ...from?.update?.places, ...held?.update?.places, ...places },
      ...(left !== undefined && { left }),
    };
  }

  private withdraw(held: StoredRecord): boolean {
    if (this.isToldSince(held)) return false;
    this.leave(held._id);
    return true;
  }

  private leave(id: string): void {
    const { state, findTable, origin } = this.on;
    const held = state.entries.get(id)?.now;
    const gone: Told = { at: this.at, place: this.change.place, gone: true };
    const statements = prune([...toldOf(held), gone], findTable);
    const { revision } = origin;
    const made = build(
      held,
      { id, statements, update: held?.update },
      { record: this.record, revision, findTable },
    );
    state.put(this.following(id, made));
  }

  /** Replaced only as it was read, by a revision that has not been there before. */
  private following(id: string, made: HeldRecord): HeldRecord {
    const read = this.on.state.entries.get(id)?.asRead?.revision;
    return { ...made, revision: Math.max(this.on.origin.revision, (read ?? -1) + 1) };
  }
}

/** A record as a change makes it. */
interface Made {
  data: Members;
  from: StoredRecord | undefined;
  aspects: readonly string[];
  /** The members that are told; undefined: all. */
  members: readonly string[] | undefined;
}

function namesOf(...members: Members[]): string[] {
  return [...new Set(members.flatMap(Object.keys))];
}

function pick(members: Members, names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)));
}

function laterOf(...days: (string | undefined)[]): string {
  return days.reduce<string>((latest, day) => (day !== undefined && day > latest ? day : latest), "");
}

/** What an earlier run of this batch has done, by place: it counts as done by this one. */
function findEarlier({ records }: HeldReading, { revision }: ChangesOrigin): Map<number, ChangeEffect> {
  const earlier = new Map<number, ChangeEffect>();
  for (const held of records.filter((item) => item.revision >= revision)) {
    for (const { gone, event, place } of held.told ?? [])
      if (gone && !event && place) earlier.set(place, "removed");
    if (isGone(held)) continue;
    for (const place of Object.values(held.update?.places ?? {})) if (place) earlier.set(place, "changed");
  }
  return earlier;
}

/** True for a record that was written at the place of one of these changes by their own batch. */
function isOurs(held: HeldRecord, changes: readonly HeldChange[], { revision }: ChangesOrigin): boolean {
  if (held.revision < revision) return false;
  const first = changes[0]?.place ?? Infinity;
  const last = changes.at(-1)?.place ?? 0;
  const told = (held.told ?? []).map(({ place }) => place);
  return [...Object.values(held.update?.places ?? {}), ...told].some(
    (place) => place !== undefined && place >= first && place <= last,
  );
}

function diff(state: HeldState): Pick<ChangesPlan, "creations" | "replacements" | "removals" | "foreseen"> {
  const plan: ReturnType<typeof diff> = { creations: [], replacements: [], removals: [], foreseen: [] };
  for (const { asRead, now } of state.entries.values()) {
    if (!now || asRead === now) continue;
    if (!asRead && isGone(now)) plan.foreseen.push(now);
    else if (!asRead)
      plan.creations.push(now as StoredRecord); // it is not gone
    else (isGone(now) ? plan.removals : plan.replacements).push({ stored: now, held: asRead });
  }
  return plan;
}
