/** MongoDB answers pages and counts from its indexes exactly as the in-memory reader does. */
import { beforeAll, expect, it } from "@jest/globals";
import type { Filter, Page } from "../../api/shared/definitions/record-reader.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { createMemoryReader } from "../support/record-reader.ts";
import { openRegister } from "../support/register.ts";
import { anOfficer } from "../support/search-records.ts";

const [ONE, OTHER] = ["OnlyOneOfficerOfTheRegister", "AnotherOneOfOurFewOfficers1"];
const appointments = [
  ...anOfficer({ officer_id: ONE, forename: "Alex", surname: "Morgan", active_count: 30, resigned_count: 9 }),
  ...anOfficer({ officer_id: OTHER, forename: "Kim", surname: "Ünal", active_count: 7, resigned_count: 5 }),
];
const memory = createMemoryReader({ [appointmentRecord.collection]: appointments }).records;

const register = forAllTests(() => openRegister({ withWorker: false }));
beforeAll(async () => {
  await register.stores.mongo.writer.insertMissing(appointmentRecord, appointments);
});

const FILTERS: Filter[] = [
  { officer_id: ONE },
  { officer_id: [ONE] },
  { officer_id: [ONE, OTHER], is_resigned: false },
  { officer_id: OTHER, is_resigned: true, is_company_ended: false },
  { officer_id: "NobodyOfThisNameIsOnThisOne" },
  { officer_id: [] },
];
const SORTS: Page["sort"][] = [
  [
    ["is_resigned", 1],
    ["person_order", 1],
    ["appointment_id", 1],
  ],
  [
    ["is_resigned", -1],
    ["name_order", 1],
    ["appointment_id", -1],
  ],
];

it.each(FILTERS)("pages and counts of %j equal those in memory", async (filter) => {
  const { records } = register.stores.mongo;
  expect(await records.count(appointmentRecord, filter)).toBe(await memory.count(appointmentRecord, filter));
  for (const sort of SORTS) {
    for (const [skip, limit] of [
      [0, 1],
      [3, 5],
      [38, 10],
      [100, 2],
    ] as const) {
      const page = { filter, sort, skip, limit };
      const found = await records.fetchPage(appointmentRecord, page);
      const wanted = await memory.fetchPage(appointmentRecord, page);
      expect(found.map(({ _id }) => _id)).toEqual(wanted.map(({ _id }) => _id));
    }
  }
});
