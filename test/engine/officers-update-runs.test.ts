/** Runs of the officers' daily update: their order, gaps between them, and newer snapshots. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it, jest } from "@jest/globals";
import { SourceError } from "../../api/shared/runtime/errors.ts";
import type { RecordOrTombstone } from "../../api/shared/definitions/define-record.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { aFile, anUpdateLine, aPersonLine } from "../support/officer-lines.ts";
import { load, writeFile } from "../support/load-command.ts";
import { fetchStored, UPDATE, writeUpdate, writeSnapshots } from "../support/officers-update.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import type { TestRegister } from "../support/register.ts";
import { fetchState } from "../support/register-state.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

// The tests load snapshots several times; the machine may be busy with other work.
jest.setTimeout(180_000);

const folder = makeOwnFolder();
const snapshots = writeSnapshots(folder);
const newRegister = registersPerTest();

/** Opens a register with the snapshots loaded. */
async function openLoaded(): Promise<TestRegister> {
  const register = await newRegister();
  expect(await load(register, snapshots)).toMatchObject({ exitCode: 0 });
  return register;
}

/** The same snapshots as of January, without the one for resigned officers. */
const newer = snapshots.slice(0, 3).map((path) => {
  const text = readFileSync(path, "utf8").replace("DDDDSNAP432120261101", "DDDDSNAP440020270101");
  return writeFile(folder, basename(path).replace("4321", "4400"), text);
});

describe("runs", () => {
  const resignation = (day: string) =>
    anUpdateLine({
      company: "99000001",
      number: "199028780001",
      newType: "03",
      appointed: "20180503",
      resigned: day,
    });
  const fetchResignations = async (register: TestRegister) => {
    const appointments = await fetchStored(register, "person_number", "199028780001");
    return appointments.map(({ data }) => data.resigned_on);
  };

  it("are applied in order; a gap needs --force; an older run undoes nothing", async () => {
    const register = await openLoaded();
    const before = await fetchState(register.stores);
    const late = writeUpdate(folder, 4324, [resignation("20261103")]);
    const early = writeUpdate(folder, 4322, [resignation("20261101")]);
    const gap = await load(register, [late]);
    expect(gap.error).toBeInstanceOf(SourceError);
    expect(gap.error?.message).toMatch(/is run 4324, and runs 4322 to 4323 are missing: load .*--force/);
    const reversed = await load(register, [late, early]);
    expect(reversed.error?.message).toMatch(/ascending order/);
    expect((await load(register, [late], { dryRun: "true" })).error?.message).toMatch(/are missing/);
    expect(await fetchState(register.stores)).toEqual(before);

    const forced = await load(register, [late], { force: "true" });
    expect(forced).toMatchObject({ exitCode: 0 });
    expect(forced.messages[0]).toMatch(/runs 4322 to 4323 are missing: their changes stay missing/);
    expect(await load(register, [early])).toMatchObject({ exitCode: 0 });
    expect(await fetchResignations(register)).toEqual(["2026-11-03"]);
    await expectStoresAgree(register.stores);
  });

  it("older than a snapshot change no record that it names, and add those that it lacks", async () => {
    const register = await openLoaded();
    expect(await load(register, newer)).toMatchObject({ exitCode: 0 });
    const before = await fetchState(register.stores);
    const run = await register.load(UPDATE);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.messages[0]).toMatch(/run 4322 is not newer than the snapshot of run 4400/);
    const { records } = await expectStoresAgree(register.stores);
    const named = await fetchNamed(register, "2027-01-01");
    expect(named.length).toBeGreaterThan(20);
    expect(named.map((id) => records[id])).toEqual(named.map((id) => before.records[id]));
    const brought = Object.keys(records).filter((id) => !(id in before.records));
    expect(brought.length).toBeGreaterThan(0);
  });

  it("are applied even if a later partial snapshot lacks what they state", async () => {
    const register = await newRegister();
    const [person, other] = ["100000010001", "100000020001"].map((number) => ({
      company: "99000500",
      number,
    }));
    const snapshotOf = (day: string, run: number, lines: string[]) => {
      const name = `Prod195_${run}_ew_1_${day}.dat`;
      return writeFile(folder, name, aFile(`DDDDSNAP${run}${day}`, lines));
    };
    const both = [aPersonLine(person), aPersonLine(other)];
    expect(await load(register, [snapshotOf("20261101", 4321, both)])).toMatchObject({ exitCode: 0 });
    // Partial snapshots omit officers who have resigned meanwhile.
    expect(await load(register, [snapshotOf("20270101", 4400, [aPersonLine(other)])])).toMatchObject({
      exitCode: 0,
    });
    const update = writeUpdate(folder, 4322, [
      anUpdateLine({ ...person, newType: "03", resigned: "20261102" }),
      anUpdateLine({ ...other, newType: "03", resigned: "20261102" }),
    ]);
    expect(await load(register, [update])).toMatchObject({ exitCode: 0 });
    const stored = await fetchStored(register, "company_number", "99000500");
    const resignations = stored.map(({ person_number, data }) => [person_number, data.resigned_on]);
    expect(resignations.sort()).toEqual([
      [person?.number, "2026-11-02"],
      [other?.number, undefined],
    ]);
    await expectStoresAgree(register.stores);
  });

  it("are overridden by a newer snapshot, which also restores what they deleted", async () => {
    const register = await openLoaded();
    expect(await register.load(UPDATE)).toMatchObject({ exitCode: 0 });
    expect(await load(register, newer.slice(0, 1))).toMatchObject({ exitCode: 0 });
    const appointments = await fetchStored(register, "person_number", "199035630001");
    expect(appointments.map(({ is_resigned }) => is_resigned)).toEqual([false]);
    const deleted = await fetchStored(register, "person_number", "199078100001");
    expect(deleted.map(({ company_number }) => company_number)).toContain("99000024");
    await expectStoresAgree(register.stores);
  });
});

/** The ids of records that a snapshot of this day states, in the form of `fetchState`. */
async function fetchNamed({ stores }: TestRegister, day: string): Promise<string[]> {
  const named: string[] = [];
  for await (const chunk of stores.mongo.scanner.scan(appointmentRecord, { members: ["told"] })) {
    const isNamed = ({ told = [] }: RecordOrTombstone) => told.some(({ at }) => at === day);
    named.push(...chunk.filter(isNamed).map(({ _id }) => `appointments/${_id}`));
  }
  return named;
}
