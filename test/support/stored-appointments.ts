/** Appointments in memory, to which tests apply officers updates without an engine. */
import { expect } from "@jest/globals";
import { isTombstone, type RecordOrTombstone } from "../../api/shared/definitions/define-record.ts";
import { appointmentRecord, type StoredAppointment } from "../../api/resources/officer-appointment/record.ts";
import type { Outcome } from "../../ingest/sources/define-source.ts";
import type { RecordChange } from "../../ingest/statements/record-change.ts";
import { RecordsInMemory } from "../../ingest/statements/records-in-memory.ts";
import type { Rewritten } from "../../ingest/statements/write.ts";
import { officersSnapshot } from "../../ingest/sources/officers-snapshot.ts";
import { officersUpdate } from "../../ingest/sources/officers-update.ts";
import { findMergeRules } from "../../ingest/sources/index.ts";
import { stateNominee } from "../../ingest/sources/officers-update-rules.ts";
import { absorb } from "../../ingest/statements/absorb.ts";
import { momentOfUpdate } from "../../ingest/statements/statement.ts";
import { aPersonLine, type PersonFields } from "./officer-lines.ts";

/** The person of lines that name no other. */
export const NUMBER = "100000010001";
/** Day of the updates. */
export const DAY = "2026-11-02";

/** The result of the changes of a batch. */
export interface ChangesPlan {
  rewritten: Rewritten[];
  effects: string[];
  warnings: string[];
}

/** The plan of a batch that was interrupted before it removed anything. */
export function withoutRemovals(plan: ChangesPlan): ChangesPlan {
  return { ...plan, rewritten: plan.rewritten.filter(({ now }) => !isTombstone(now)) };
}

/** The stored appointments of a register. */
export class StoredAppointments {
  readonly all = new Map<string, RecordOrTombstone>();
  private revision = 1;

  /** Adds an appointment as a snapshot states it. */
  add(person: PersonFields & { type?: string }, members: object = {}, day = "2026-11-01"): this {
    const [outcome] = officersSnapshot.mapRows([{ line: 1, text: aPersonLine(person) }], {});
    if (outcome?.kind !== "record") throw new Error("no record");
    const data = { ...(outcome.data as StoredAppointment["data"]), ...members };
    const id = appointmentRecord.identify(data);
    const statements = [{ at: day, tells: "officers-snapshot", place: 1, data }];
    const absorbing = { record: appointmentRecord, revision: 1, findMergeRules };
    const made = absorb(this.all.get(id), { id, statements }, absorbing);
    if (made) this.all.set(id, made);
    return this;
  }

  /** Applies an update `times` times, as batches that are run again; returns the plan of the first time. */
  update(lines: string[], { run = 4322, times = 1 } = {}): ChangesPlan {
    const rows = lines.map((text, at) => ({ line: at + 2, text }));
    let first: ChangesPlan | undefined;
    for (let time = 1; time <= times; time += 1) {
      const outcomes = officersUpdate.mapRows(rows, { run: String(run) });
      const plan = this.plan(outcomes);
      this.write(plan);
      for (const outcome of outcomes) if (outcome.kind === "change") this.correct(outcome.change);
      first ??= plan;
    }
    if (!first) throw new Error("not applied");
    return first;
  }

  /** Plans the changes of a batch; `isAgain` for another run of the batch before. */
  plan(outcomes: Outcome[], { isAgain = false } = {}): ChangesPlan {
    const changes = outcomes.flatMap((outcome) => (outcome.kind === "change" ? outcome.change : []));
    expect(changes).toHaveLength(outcomes.length);
    if (!isAgain) this.revision += 2;
    const context = {
      record: appointmentRecord,
      revision: this.revision,
      productionDate: DAY,
      findMergeRules,
    };
    const memory = new RecordsInMemory(this.all.values(), ["company_number", "person_number"], context);
    const followed = changes.map((change) => memory.apply(change));
    return {
      rewritten: memory.rewritten(),
      effects: followed.map(({ effect }) => effect),
      warnings: followed.flatMap(({ warning }) => warning ?? []),
    };
  }

  /** States the correction of a nominee for all appointments under its person number. */
  private correct({ place, correction }: RecordChange): void {
    for (const stored of this.records.values()) {
      if (stored.person_number !== correction?.person_number) continue;
      const stated = stateNominee(stored.data, correction.members);
      const statements = stated ? [{ at: momentOfUpdate(DAY), place, ...stated }] : [];
      const absorbing = { record: appointmentRecord, revision: this.revision, findMergeRules };
      const made = absorb(stored, { id: stored._id, statements }, absorbing);
      if (made) this.all.set(stored._id, made);
    }
  }

  write({ rewritten }: ChangesPlan): void {
    for (const { now } of rewritten) this.all.set(now._id, now);
  }

  /** The appointments that exist, by identity. */
  get records(): Map<string, StoredAppointment> {
    const records = [...this.all.values()].filter(
      (stored): stored is StoredAppointment => !isTombstone(stored),
    );
    return new Map(records.map((stored) => [stored._id, stored]));
  }

  /** The identities that have a tombstone. */
  get tombstones(): string[] {
    return [...this.all.values()].flatMap((stored) => (isTombstone(stored) ? stored._id : []));
  }

  /** The data of these appointments, sorted by company, role, day and person. */
  get appointments(): StoredAppointment["data"][] {
    const key = ({ data }: StoredAppointment) =>
      `${data.company_number} ${data.officer_role} ${data.appointed_on} ${data.person_number}`;
    return [...this.records.values()].sort((a, b) => (key(a) < key(b) ? -1 : 1)).map(({ data }) => data);
  }
}
