/** Stored counts of an officer with very many appointments always equal a count over the companies. */
import { beforeEach, describe, expect, it } from "@jest/globals";
import { OFFICER_COUNTS } from "../../api/shared/stores/collections/officer-counts.ts";
import { PERSONS } from "../../api/shared/stores/collections/persons.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { countInactive } from "../../api/resources/officer-appointment-list/companies.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { amendChange, enterChange, type Change } from "../../ingest/log/changes.ts";
import { recountInactive } from "../../ingest/persons/inactive.ts";
import { appointment, batchRunner, company, event } from "../support/event-batches.ts";
import { followNow } from "../support/follow.ts";
import { collectCommands } from "../support/mongodb/collect-commands.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import type { TestRegister } from "../support/register.ts";
import { aCompany, anAppointment } from "../support/search-records.ts";

const newRegister = registersPerTest();
const OFFICER = "LargestOfficerOfTheRegister";
const APPOINTMENTS = 520;
const numberOf = (position: number) => String(position + 1).padStart(8, "0");

let register: TestRegister;
let stores: Stores;
let run: ReturnType<typeof batchRunner>;
beforeEach(async () => {
  register = await newRegister({}, false);
  ({ stores } = register);
  run = batchRunner(() => stores);
});

/** Loads appointments of one officer, each to another company; the first has ended, the second is the newest. */
const loadAppointments = (count: number) =>
  run({
    source: "api-json-lines",
    fileName: "officers.jsonl",
    rows: Array.from({ length: count }, (_, at) => JSON.stringify(toAppointment(at))),
  });

function toAppointment(position: number) {
  const ids = { id: `Appointment${String(position).padStart(16, "0")}`, officer: OFFICER };
  return appointment(numberOf(position), {
    ...{ ...ids, name: "MORGAN, Alex" },
    ...(position === 0 && { resigned_on: "2021-01-01" }),
    ...(position === 1 && { name: "FORMER, Alex", appointed_on: "2022-01-01" }),
  });
}

const dissolved = (position: number) => {
  const former = company("GONE LTD", numberOf(position)) as { data: object };
  return { ...former, data: { ...former.data, company_status: "dissolved" } };
};

/** Expects the stored count to equal a count over the companies, and returns it. */
async function fetchCount(): Promise<number | null> {
  const stored = await stores.mongo.records.fetchInactiveCount(OFFICER);
  expect(stored).toBe(await countInactive(stores.mongo.records, { officer_id: OFFICER }));
  return stored;
}

describe("the stored count of inactive appointments of an officer with very many", () => {
  it("follows companies as they are added, dissolved, restored and removed", async () => {
    await loadAppointments(APPOINTMENTS);
    expect(await fetchCount()).toBe(0);
    await run(event(dissolved(4), 1, "2026-11-02"));
    await run(event(dissolved(0), 2, "2026-11-02"));
    await run(event(company("THERE LTD", numberOf(5)), 3, "2026-11-02"));
    expect(await fetchCount()).toBe(1);
    await run(event(dissolved(5), 4, "2026-11-03"));
    expect(await fetchCount()).toBe(2);
    expect((await register.get(`/officers/${OFFICER}/appointments?items_per_page=1`)).body).toMatchObject({
      ...{
        total_results: APPOINTMENTS,
        active_count: APPOINTMENTS - 3,
        inactive_count: 2,
        resigned_count: 1,
      },
    });
    await run(event(company("AGAIN LTD", numberOf(4)), 5, "2026-11-04"));
    await run(event(dissolved(5), 6, "2026-11-04", "deleted"));
    expect(await fetchCount()).toBe(0);
  });

  it("is enough for a page, which looks up only a few companies for the officer's name", async () => {
    await loadAppointments(APPOINTMENTS);
    const path = `/officers/${OFFICER}/appointments?items_per_page=1`;
    expect((await register.get(path)).body).toMatchObject({ name: "Alex FORMER" });
    await run(event(dissolved(1), 1, "2026-11-02"));
    const commands = await collectCommands(async () => {
      const { body } = await register.get(path);
      expect(body).toMatchObject({
        name: "Alex MORGAN",
        inactive_count: 1,
        items: [{ name: "Alex FORMER" }],
      });
    });
    const lookedUp = commands
      .filter(({ find }) => find === companyRecord.collection)
      .map(({ filter }) => (filter as { _id: string | { $in: string[] } })._id);
    expect(lookedUp.map((ids) => (typeof ids === "string" ? 1 : ids.$in.length))).toEqual([1, 20]);
  });

  it.each<[string, Partial<Change>]>([
    ["before it noted what it replaces", {}],
    ["after it noted what it replaces", { standings: [] }],
  ])("follows the companies of a batch interrupted %s", async (_when, noted) => {
    await loadAppointments(APPOINTMENTS);
    const ids = { [companyRecord.collection]: [numberOf(7)] };
    const change = await enterChange(stores, { load: "a-load", job: "a-job", ids });
    await amendChange(stores.mongo.documents, change, noted);
    const line = { company_number: numberOf(7), company_name: "A LTD", company_status: "dissolved" };
    await stores.mongo.writer.insertMissing(companyRecord, [aCompany(line)]);
    await followNow(stores);
    expect(await fetchCount()).toBe(1);
  });

  it("includes the appointments that are stored under a derived id of the officer", async () => {
    const derived = "TheSameOfficerByADerivedId-";
    await stores.mongo.documents.put(PERSONS, { _id: derived, officer_id: OFFICER });
    const added = anAppointment({ officer_id: derived }, 0, { company_number: numberOf(APPOINTMENTS) });
    await stores.mongo.writer.insertMissing(appointmentRecord, [added]);
    await loadAppointments(APPOINTMENTS);
    await run(event(dissolved(APPOINTMENTS), 1, "2026-11-02"));
    expect(await stores.mongo.records.fetchInactiveCount(OFFICER)).toBe(1);
    expect(await recountInactive(stores, { isRepair: false, settle: () => Promise.resolve() })).toEqual({
      different: 0,
      repaired: 0,
    });
  });

  it("is not stored for other officers, whose count is made when asked for", async () => {
    await loadAppointments(20);
    await run(event(dissolved(4), 1, "2026-11-02"));
    expect(await stores.mongo.records.fetchInactiveCount(OFFICER)).toBeNull();
    expect((await register.get(`/officers/${OFFICER}/appointments`)).body).toMatchObject({
      ...{ active_count: 18, inactive_count: 1, resigned_count: 1 },
    });
  });

  it("is checked and repaired by verify", async () => {
    await loadAppointments(APPOINTMENTS);
    await stores.mongo.documents.amend(OFFICER_COUNTS, [{ _id: OFFICER, inactive: 7 }]);
    const recount = (isRepair: boolean, settle: () => Promise<unknown> = () => Promise.resolve()) =>
      recountInactive(stores, { isRepair, settle });
    // Left over from an officer who now has few appointments, so nobody reads it.
    await stores.mongo.documents.put(OFFICER_COUNTS, { _id: "former", version: 1, inactive: 7 });
    expect(await recount(false)).toEqual({ different: 1, repaired: 0 });
    expect(await recount(true)).toEqual({ different: 0, repaired: 1 });
    expect(await fetchCount()).toBe(0);
    // A version so high that no repair can replace it.
    const planted = { _id: OFFICER, version: Number.MAX_SAFE_INTEGER, inactive: 7 };
    await stores.mongo.documents.amend(OFFICER_COUNTS, [planted]);
    expect(await recount(true)).toEqual({ different: 1, repaired: 0 });
    await stores.mongo.documents.amend(OFFICER_COUNTS, [{ _id: OFFICER, version: 1, inactive: 0 }]);
    // The change of this company has not been followed yet.
    await stores.mongo.writer.insertMissing(companyRecord, [
      aCompany({ company_number: numberOf(7), company_name: "A LTD", company_status: "dissolved" }),
    ]);
    const ids = { [companyRecord.collection]: [numberOf(7)] };
    await enterChange(stores, { load: "a-load", job: "a-job", ids });
    expect(await recount(false, () => followNow(stores))).toEqual({ different: 0, repaired: 0 });
  });
});
