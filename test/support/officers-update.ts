/** Owns the officers' daily update of the sample register as tests on the real engines load it, and looks at appointments. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@jest/globals";
import { appointmentRecord, type StoredAppointment } from "../../api/resources/officer-appointment/record.ts";
import { aFile } from "./officer-lines.ts";
import { openRegister, type TestRegister } from "./register.ts";
import { fetchState, type RegisterState } from "./register-state.ts";
import { SAMPLE } from "./sample-register.ts";

/** The snapshots that the update comes behind, below the sample. */
export const SNAPSHOTS = ["195_4321_ew", "195_4321_sc", "195_4321_ni", "216_4321_ew"].map(
  (name) => `officers/Prod${name}_1_01112026010001.dat`,
);
/** The update, below the sample. */
export const UPDATE = "officers/Prod198_4322.dat";
/** Its lines, header and trailer included. */
export const updateLines = readFileSync(`${SAMPLE}/${UPDATE}`, "utf8").trimEnd().split("\n");

/** Loads the snapshots into a register, and gives it back. */
export async function loadSnapshots(register: TestRegister): Promise<TestRegister> {
  expect(await register.load(...SNAPSHOTS)).toMatchObject({ exitCode: 0 });
  return register;
}

/** What both stores hold behind snapshots and update, when nothing disturbs them. */
export async function fetchUndisturbed(): Promise<RegisterState> {
  const register = await openRegister();
  try {
    await loadSnapshots(register);
    expect(await register.load(UPDATE)).toMatchObject({ exitCode: 0 });
    return await fetchState(register.stores);
  } finally {
    await register.close();
  }
}

/** Writes an update of a run, one run a day, and gives its path. */
export function writeUpdate(folder: string, run: number, lines: string[]): string {
  const path = join(folder, `Prod198_${run}.dat`);
  const day = String(20_261_102 + run - 4322);
  writeFileSync(path, aFile(`DDDDUPDT${run}${day}`, lines));
  return path;
}

/** How many appointments are held. */
export function countAppointments({ stores }: TestRegister, filter = {}): Promise<number> {
  return stores.mongo.records.count(appointmentRecord, filter);
}

/** The appointments that have one of these values in a field. */
export async function fetchStored(
  { stores }: TestRegister,
  field: string,
  ...values: string[]
): Promise<StoredAppointment[]> {
  const { records } = await stores.mongo.records.fetchGroups(appointmentRecord, { field, values });
  // The cast: a collection holds what was written to it, records of its definition.
  return records as StoredAppointment[];
}
