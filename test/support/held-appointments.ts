/** Owns a plain model of a register that holds appointments, to which updates are applied without any engine. */
import { expect } from "@jest/globals";
import type { StoredRecord } from "../../api/resources/define-record.ts";
import { appointmentRecord, type StoredAppointment } from "../../api/resources/officer-appointment/record.ts";
import type { Outcome } from "../../ingest/define-source.ts";
import { planChanges, type ChangesPlan } from "../../ingest/plan-changes.ts";
import { officersSnapshot } from "../../ingest/sources/officers-snapshot.ts";
import { officersUpdate } from "../../ingest/sources/officers-update.ts";
import type { Withdrawal } from "../../ingest/withdrawals.ts";
import { toStored } from "../../ingest/writers/stored.ts";
import { aPersonLine, type PersonTold } from "./officer-lines.ts";

/** The person whom lines are about that name no other. */
export const NUMBER = "100000010001";
/** Day of the updates. */
export const DAY = "2026-11-02";

/** What a register holds, as far as these tests look. */
export class HeldAppointments {
  records = new Map<string, StoredAppointment>();
  withdrawals = new Map<string, Withdrawal>();
  private revision = 1;

  /** As a snapshot holds it. */
  hold(told: PersonTold & { type?: string }, members: object = {}): this {
    const [outcome] = officersSnapshot.mapRows([{ line: 1, text: aPersonLine(told) }], {});
    if (outcome?.kind !== "record") throw new Error("no record");
    const data = { ...(outcome.data as StoredAppointment["data"]), ...members };
    const stored = toStored(appointmentRecord, data, 1) as StoredAppointment;
    this.records.set(stored._id, stored);
    return this;
  }

  /** Applies an update as often as is said, as batches that are run again. */
  update(lines: string[], { run = 4322, times = 1 } = {}): ChangesPlan {
    const rows = lines.map((text, at) => ({ line: at + 2, text }));
    let first: ChangesPlan | undefined;
    for (let time = 1; time <= times; time += 1) {
      const plan = this.plan(officersUpdate.mapRows(rows, { run: String(run) }));
      this.write(plan);
      first ??= plan;
    }
    if (!first) throw new Error("not applied");
    return first;
  }

  plan(outcomes: Outcome[]): ChangesPlan {
    const changes = outcomes.flatMap((outcome) => (outcome.kind === "change" ? outcome.change : []));
    expect(changes).toHaveLength(outcomes.length);
    const reading = {
      records: [...this.records.values()] as StoredRecord[],
      fields: ["_id", "company_number", "person_number"],
      ...{ withdrawals: this.withdrawals, tombstones: new Map() },
    };
    this.revision += 2;
    return planChanges(appointmentRecord, changes, reading, { revision: this.revision, productionDate: DAY });
  }

  write({ creations, replacements, removals, withdrawals }: ChangesPlan): void {
    for (const item of creations) this.records.set(item._id, item as StoredAppointment);
    for (const { stored } of replacements) this.records.set(stored._id, stored as StoredAppointment);
    for (const { _id } of removals) this.records.delete(_id);
    for (const withdrawal of withdrawals) this.withdrawals.set(withdrawal.record_id, withdrawal);
  }

  /** Data by company and role, in that order. */
  get held(): StoredAppointment["data"][] {
    const key = ({ data }: StoredAppointment) =>
      `${data.company_number} ${data.officer_role} ${data.appointed_on} ${data.person_number}`;
    return [...this.records.values()].sort((a, b) => (key(a) < key(b) ? -1 : 1)).map(({ data }) => data);
  }
}
