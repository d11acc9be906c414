/** The officers' daily update when it is loaded before a snapshot of an earlier day. */
import { expect, it } from "@jest/globals";
import type { Appointment } from "../../api/resources/officer-appointment/record.ts";
import { appointment, batchRunner, event, type Rows } from "../support/event-batches.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { anUpdateLine, aPersonLine } from "../support/officer-lines.ts";
import { anUpdate, aSnapshot, fetchStored } from "../support/officers-update.ts";
import { openRegister } from "../support/register.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

const register = forAllTests(() => openRegister({ withWorker: false }));
const run = batchRunner(() => register.stores);

const COMPANY = "99000500";
const [ERRORED, MERGED, RETYPED, KEPT] = ["100000010001", "100000020001", "100000030001", "100000040001"];
const PERSON = /([129])000(000\d0001)/g;

let orders = 0;

/** Loads the files; returns the company's stored appointments, ordered by number. */
async function loadInOrder(files: Rows[]): Promise<Appointment[]> {
  // Each order has its own company and persons, so all can share one register.
  orders += 1;
  const own = String(orders).padStart(3, "0");
  const company = `99001${own}`;
  const toOwn = (line: string) => line.replaceAll(COMPANY, company).replaceAll(PERSON, `$1${own}$2`);
  for (const file of files)
    expect(await run({ ...file, rows: file.rows.map(toOwn) })).toMatchObject({ refused: 0 });
  const stored = await fetchStored(register, "company_number", company);
  const data = stored.map((record) => record.data).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const shared = JSON.stringify(data)
    .replaceAll(company, COMPANY)
    .replaceAll(new RegExp(`([129])${own}(000\\d0001)`, "g"), "$1000$2");
  return JSON.parse(numberIds(shared)) as Appointment[];
}

const keyOf = ({ person_number, officer_role }: Appointment) => `${person_number} ${officer_role}`;

/** Replaces ids, which are derived from the numbers, by the places where they first occur. */
function numberIds(text: string): string {
  const ids = [...new Set(text.match(ID) ?? [])];
  return text.replaceAll(ID, (id) => `id-${ids.indexOf(id)}`);
}

const ID = /(?<=[/"])[\w-]{27}(?=[/"])/g;

it("a snapshot loaded after the update does not bring back what the update removed", async () => {
  const numbers = [ERRORED, MERGED, RETYPED, KEPT];
  const snapshot = aSnapshot(numbers.map((number) => aPersonLine({ number, born: "197001" })));
  const update = anUpdate([
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
  await expectStoresAgree(register.stores);
});

it("the correction of a nominee applies to appointments of an older snapshot loaded later", async () => {
  const number = "900000010001";
  const body = { number: "900000020001", isCorporate: true, forenames: "", surname: "SHELF LIMITED" };
  const lines = [
    aPersonLine({ number, type: "00" }),
    aPersonLine({ number }),
    aPersonLine({ ...body, type: "00" }),
  ];
  const snapshot = aSnapshot(lines);
  const later = aSnapshot(lines, "20261105");
  const correction = { company: "", oldType: "  ", newType: "  ", appointed: "" };
  const update = anUpdate([
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
  await expectStoresAgree(register.stores);
});

it("several corrections of a nominee each apply for what later ones do not state", async () => {
  const number = "900000030001";
  const correction = { number, company: "", oldType: "  ", newType: "  ", appointed: "", address: "" };
  const snapshot = aSnapshot([aPersonLine({ number })]);
  const updates = [
    { surname: "FIRST", born: "197001", address: "2 NEW LANE" },
    { surname: "RENAMED", postcode: "LS1 4ZZ" },
  ].map((members, at) => anUpdate([anUpdateLine({ ...correction, ...members })], 4322 + at));
  const expected = await loadInOrder([snapshot, ...updates]);
  expect(expected).toMatchObject([
    {
      name_elements: { surname: "RENAMED" },
      date_of_birth: { month: 1, year: 1970 },
      address: { address_line_1: "2 New Lane", postal_code: "LS1 4ZZ" },
    },
  ]);
  expect(await loadInOrder([...updates, snapshot])).toEqual(expected);
  await expectStoresAgree(register.stores);
});

it("the correction of a nominee applies to an older event loaded later, but not to a newer one", async () => {
  const number = "900000040001";
  const correction = { number, company: "", oldType: "  ", newType: "  ", appointed: "", surname: "RENAMED" };
  const update = anUpdate([anUpdateLine(correction)]);
  const ids = { id: `event-${COMPANY}`, officer: "an-officer" };
  const resource = appointment(COMPANY, { ...ids, name: "STREAM, Una", person_number: number });
  const [older, newer] = [event(resource, 1, "2026-11-01"), event(resource, 1, "2026-11-05")];
  const expected = await loadInOrder([older, update]);
  expect(expected).toMatchObject([{ name_elements: { surname: "RENAMED" } }]);
  expect(await loadInOrder([update, older])).toEqual(expected);
  expect(await loadInOrder([update, newer])).toEqual(await loadInOrder([newer]));
  await expectStoresAgree(register.stores);
});
