/** The officers' daily update on the real engines where it is loaded before a snapshot of a day before. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, jest } from "@jest/globals";
import type { Appointment } from "../../api/resources/officer-appointment/record.ts";
import { load } from "../support/load-command.ts";
import { aFile, anUpdateLine, aPersonLine } from "../support/officer-lines.ts";
import { fetchStored, writeUpdate } from "../support/officers-update.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

jest.setTimeout(60_000);

const folder = makeOwnFolder();
const newRegister = registersPerTest();

/** What is stored of the company, by number, after these files. */
async function loadInOrder(files: string[]): Promise<Appointment[]> {
  const register = await newRegister();
  for (const file of files) expect(await load(register, [file])).toMatchObject({ exitCode: 0 });
  await expectStoresAgree(register.stores);
  const stored = await fetchStored(register, "company_number", COMPANY);
  return stored.map(({ data }) => data).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

const keyOf = ({ person_number, officer_role }: Appointment) => `${person_number} ${officer_role}`;

const COMPANY = "99000500";
const [ERRORED, MERGED, RETYPED, KEPT] = ["100000010001", "100000020001", "100000030001", "100000040001"];

/** A snapshot of a day, by default that before the update. */
function writeSnapshot(lines: string[], day = "20261101"): string {
  const path = join(folder, `Prod195_4321_ew_1_${day}.dat`);
  writeFileSync(path, aFile(`DDDDSNAP4321${day}`, lines));
  return path;
}

it("ends as the other way round: what it took away does not come with the snapshot", async () => {
  const numbers = [ERRORED, MERGED, RETYPED, KEPT];
  const snapshot = writeSnapshot(numbers.map((number) => aPersonLine({ number, born: "197001" })));
  const update = writeUpdate(folder, 4322, [
    anUpdateLine({ number: ERRORED, newType: "99" }),
    anUpdateLine({ oldNumber: MERGED, number: "200000020001" }),
    anUpdateLine({ number: RETYPED, newType: "00", born: "197001" }),
  ]);
  const expected = await loadInOrder([snapshot, update]);
  const found = expected.map((data) => [data.person_number, data.officer_role, data.date_of_birth?.year]);
  expect(found).toEqual([
    [RETYPED, "secretary", undefined],
    [KEPT, "director", 1970],
    ["200000020001", "director", undefined],
  ]);
  expect(await loadInOrder([update, snapshot])).toEqual(expected);
  expect(await loadInOrder([update, snapshot, update, snapshot])).toEqual(expected);
});

it("ends as the other way round: the correction of a nominee counts in what the snapshot brings", async () => {
  const number = "900000010001";
  const body = { number: "900000020001", isCorporate: true, forenames: "", surname: "SHELF LIMITED" };
  const lines = [
    aPersonLine({ number, type: "00" }),
    aPersonLine({ number }),
    aPersonLine({ ...body, type: "00" }),
  ];
  const snapshot = writeSnapshot(lines);
  const later = writeSnapshot(lines, "20261105");
  const correction = { company: "", oldType: "  ", newType: "  ", appointed: "" };
  const update = writeUpdate(folder, 4322, [
    anUpdateLine({ ...correction, number, surname: "RENAMED", born: "197001", address: "2 NEW LANE" }),
    anUpdateLine({ ...correction, ...body, isCorporate: false, surname: "PERSON", address: "3 NEW LANE" }),
  ]);
  const expected = await loadInOrder([snapshot, update]);
  const person = { name_elements: { surname: "RENAMED" }, address: { address_line_1: "2 New Lane" } };
  const birth = { date_of_birth: { month: 1, year: 1970 } };
  expect(expected).toMatchObject([{ ...person, ...birth }, person, { name: "SHELF LIMITED" }]);
  expect(expected[1]).not.toHaveProperty("date_of_birth");
  expect(await loadInOrder([update, snapshot])).toEqual(expected);
  expect(await loadInOrder([update, later])).toEqual(await loadInOrder([later]));
});

it("ends as the other way round: of several corrections of a nominee each counts for what the later ones leave out", async () => {
  const number = "900000030001";
  const correction = { number, company: "", oldType: "  ", newType: "  ", appointed: "", address: "" };
  const snapshot = writeSnapshot([aPersonLine({ number })]);
  const updates = [
    { surname: "FIRST", born: "197001", address: "2 NEW LANE" },
    { surname: "RENAMED", postcode: "LS1 4ZZ" },
  ].map((told, at) => writeUpdate(folder, 4322 + at, [anUpdateLine({ ...correction, ...told })]));
  const expected = await loadInOrder([snapshot, ...updates]);
  expect(expected).toMatchObject([
    {
      name_elements: { surname: "RENAMED" },
      date_of_birth: { month: 1, year: 1970 },
      address: { address_line_1: "2 New Lane", postal_code: "LS1 4ZZ" },
    },
  ]);
  expect(await loadInOrder([...updates, snapshot])).toEqual(expected);
});
