/** Snapshots and daily updates of officers, of the sample or of a test's own lines; also reads stored appointments. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { appointmentRecord, type StoredAppointment } from "../../api/resources/officer-appointment/record.ts";
import type { Rows } from "./event-batches.ts";
import { writeFile } from "./load-command.ts";
import { aFile } from "./officer-lines.ts";
import type { TestRegister } from "./register.ts";
import { SAMPLE } from "./sample-register.ts";

/** Paths of the snapshots before the update, relative to the sample. */
export const SNAPSHOTS = ["195_4321_ew", "195_4321_sc", "195_4321_ni", "216_4321_ew"].map(
  (name) => `officers/Prod${name}_1_01112026010001.dat`,
);
/** Path of the update, relative to the sample. */
export const UPDATE = "officers/Prod198_4322.dat";
/** Its lines, header and trailer included. */
export const updateLines = readFileSync(`${SAMPLE}/${UPDATE}`, "utf8").trimEnd().split("\n");

const snapshots = SNAPSHOTS.map((path) => {
  const [header = "", ...lines] = readFileSync(`${SAMPLE}/${path}`, "utf8").trimEnd().split("\n");
  return { name: basename(path), header, lines: lines.slice(0, -1) };
});
const companyOf = (line: string) => line.slice(0, 8);

/** Companies in the update, and all companies of its people: the update moves appointments to people who exist. */
const updated = (() => {
  const named = new Set(updateLines.flatMap((line) => [line.slice(19, 31), line.slice(31, 43)]));
  const ofPeople = snapshots
    .flatMap(({ lines }) => lines)
    .filter((line) => line.charAt(8) === "2" && named.has(line.slice(12, 24)));
  return new Set([...updateLines.slice(1, -1), ...ofPeople].map(companyOf));
})();

/** Writes the snapshots with the companies of the update, of `more`, and each file's first; returns the paths. */
export function writeSnapshots(folder: string, more: ReadonlySet<string> = new Set()): string[] {
  return snapshots.map(({ name, header, lines }) => {
    const companies = new Set([...updated, ...more, ...lines.slice(0, 1).map(companyOf)]);
    const some = lines.filter((line) => companies.has(companyOf(line)));
    return writeFile(folder, name, aFile(header, some));
  });
}

/** Writes the update of a run and returns its path. */
export function writeUpdate(folder: string, run: number, lines: string[]): string {
  return writeFile(folder, updateName(run), aFile(updateHeader(run), lines));
}

/** Lines of a snapshot as one batch; the day is the one before the first update, unless stated. */
export const aSnapshot = (rows: string[], day = "20261101"): Rows => ({
  ...{ source: "officers-snapshot", fileName: `Prod195_4321_ew_1_${day}.dat`, rows },
  first: `DDDDSNAP4321${day}`,
});

/** Lines of the update of a run as one batch. */
export const anUpdate = (rows: string[], run = FIRST_RUN): Rows => ({
  ...{ source: "officers-update", fileName: updateName(run), rows },
  first: updateHeader(run),
});

/** The sample's run, of 2 November 2026; one run a day follows. */
const FIRST_RUN = 4322;
const updateName = (run: number) => `Prod198_${run}.dat`;
const updateHeader = (run: number) => `DDDDUPDT${run}${20_261_102 + run - FIRST_RUN}`;

/** How many appointments are stored. */
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
