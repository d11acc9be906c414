/** The officers' daily update on the real engines where it is loaded before a snapshot of a day before. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, jest } from "@jest/globals";
import { load } from "../support/load-command.ts";
import { aFile, anUpdateLine, aPersonLine } from "../support/officer-lines.ts";
import { fetchHeld, writeUpdate } from "../support/officers-update.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

jest.setTimeout(60_000);

const folder = makeOwnFolder();
const newRegister = registersPerTest();

const COMPANY = "99000500";
const [ERRORED, MERGED, RETYPED, KEPT] = ["100000010001", "100000020001", "100000030001", "100000040001"];

/** A snapshot of the day before the update. */
function writeSnapshot(): string {
  const path = join(folder, "Prod195_4321_ew_1_01112026010001.dat");
  const lines = [ERRORED, MERGED, RETYPED, KEPT].map((number) => aPersonLine({ number, born: "197001" }));
  writeFileSync(path, aFile("DDDDSNAP432120261101", lines));
  return path;
}

it("ends as the other way round: what it took away does not come with the snapshot", async () => {
  const snapshot = writeSnapshot();
  const update = writeUpdate(folder, 4322, [
    anUpdateLine({ number: ERRORED, newType: "99" }),
    anUpdateLine({ oldNumber: MERGED, number: "200000020001" }),
    anUpdateLine({ number: RETYPED, newType: "00", born: "197001" }),
  ]);
  const loadInOrder = async (files: string[]) => {
    const register = await newRegister();
    for (const file of files) expect(await load(register, [file])).toMatchObject({ exitCode: 0 });
    await expectStoresAgree(register.stores);
    const held = await fetchHeld(register, "company_number", COMPANY);
    return held.map(({ data }) => [data.person_number, data.officer_role, data.date_of_birth?.year]).sort();
  };
  const expected = [
    [RETYPED, "secretary", undefined],
    [KEPT, "director", 1970],
    ["200000020001", "director", undefined],
  ];
  expect(await loadInOrder([snapshot, update])).toEqual(expected);
  expect(await loadInOrder([update, snapshot])).toEqual(expected);
  expect(await loadInOrder([update, snapshot, update, snapshot])).toEqual(expected);
});
