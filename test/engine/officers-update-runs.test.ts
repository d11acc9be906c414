/** Runs of the officers' daily update on the real engines: in their order, with gaps, and beside newer snapshots. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, jest } from "@jest/globals";
import { SourceError } from "../../api/core/errors.ts";
import { anUpdateLine, type UpdateTold } from "../support/officer-lines.ts";
import { load } from "../support/load-command.ts";
import { fetchHeld, loadSnapshots, SNAPSHOTS, UPDATE, writeUpdate } from "../support/officers-update.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import type { TestRegister } from "../support/register.ts";
import { fetchState } from "../support/register-state.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { SAMPLE } from "../support/sample-register.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

// Several loads of snapshots, on machines that have other things to do.
jest.setTimeout(180_000);

const folder = makeOwnFolder();
const newRegister = registersPerTest();

describe("runs", () => {
  const resignation = (day: string, told: UpdateTold = {}) =>
    anUpdateLine({
      company: "99000001",
      number: "199028780001",
      newType: "03",
      appointed: "20180503",
      resigned: day,
      ...told,
    });
  const statusOf = async (register: TestRegister) => {
    const appointments = await fetchHeld(register, "person_number", "199028780001");
    return appointments.map(({ data }) => data.resigned_on);
  };

  it("are applied in their order; a gap is refused until a person insists; an older run undoes nothing", async () => {
    const register = await loadSnapshots(await newRegister());
    const before = await fetchState(register.stores);
    const late = writeUpdate(folder, 4324, [resignation("20261103")]);
    const early = writeUpdate(folder, 4322, [resignation("20261101")]);
    const gap = await load(register, [late]);
    expect(gap.error).toBeInstanceOf(SourceError);
    expect(gap.error?.message).toMatch(/expected was run 4322: runs 4322 to 4323 are missing.*--force/);
    const reversed = await load(register, [late, early]);
    expect(reversed.error?.message).toMatch(/ascending order/);
    expect((await load(register, [late], { dryRun: "true" })).error?.message).toMatch(/are missing/);
    expect(await fetchState(register.stores)).toEqual(before);

    const forced = await load(register, [late], { force: "true" });
    expect(forced).toMatchObject({ exitCode: 0 });
    expect(forced.told[0]).toMatch(/runs 4322 to 4323 are missing, and what they told stays missing/);
    expect(await load(register, [early])).toMatchObject({ exitCode: 0 });
    expect(await statusOf(register)).toEqual(["2026-11-03"]);
    await expectStoresAgree(register.stores);
  });

  it("that a newer snapshot shows change nothing", async () => {
    const register = await loadSnapshots(await newRegister());
    const newer = SNAPSHOTS.slice(0, 3).map((path) => {
      const target = join(folder, path.replace("officers/", "").replace("4321", "4400"));
      const text = readFileSync(`${SAMPLE}/${path}`, "utf8");
      writeFileSync(target, text.replace("DDDDSNAP432120261101", "DDDDSNAP440020270101"));
      return target;
    });
    expect(await load(register, newer)).toMatchObject({ exitCode: 0 });
    const before = await fetchState(register.stores);
    const run = await register.load(UPDATE);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.told[0]).toMatch(/run 4322 is not newer than the snapshot of run 4400/);
    expect(await fetchState(register.stores)).toEqual(before);
  });

  it("a newer snapshot takes over what an update told, and brings back what it deleted", async () => {
    const register = await loadSnapshots(await newRegister());
    expect(await register.load(UPDATE)).toMatchObject({ exitCode: 0 });
    const target = join(folder, "Prod195_4400_ew_1_01012027010001.dat");
    const text = readFileSync(`${SAMPLE}/${SNAPSHOTS[0]}`, "utf8");
    writeFileSync(target, text.replace("DDDDSNAP432120261101", "DDDDSNAP440020270101"));
    expect(await load(register, [target])).toMatchObject({ exitCode: 0 });
    const appointments = await fetchHeld(register, "person_number", "199035630001");
    expect(appointments.map(({ is_resigned }) => is_resigned)).toEqual([false]);
    const deleted = await fetchHeld(register, "person_number", "199078100001");
    expect(deleted.map(({ company_number }) => company_number)).toContain("99000024");
    await expectStoresAgree(register.stores);
  });
});
