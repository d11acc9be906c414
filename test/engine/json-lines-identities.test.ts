/** API-shaped JSON lines in which a later answer gives another identity to the same address. */
import { readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { disqualifiedOfficerRecord } from "../../api/resources/disqualified-officer/record.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { appointmentSource } from "../support/day-sources.ts";
import { batchRunner, event, type Rows } from "../support/event-batches.ts";
import { deathOf, dyingAt } from "../support/dying-stores.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openRegister } from "../support/register.ts";
import { SAMPLE } from "../support/sample-register.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";
import type { Random } from "../../scripts/bench/random.ts";

const register = forAllTests(() => openRegister({ withWorker: false }));
const run = batchRunner(() => register.stores);

/** Leaves optional members out. */
const FEW: Random = { next: () => 1, below: () => 0, pick: ([first]) => first as never };

interface Resource {
  data: Record<string, unknown>;
}

const lines = (...resources: object[]): Rows => ({
  ...{ source: "api-json-lines", fileName: "lines.jsonl" },
  rows: resources.map((resource) => JSON.stringify(resource)),
});
const withData = (resource: Resource, members: object) => ({
  ...resource,
  data: { ...resource.data, ...members },
});

let companies = 98_700_000;
function newAppointment() {
  const company = String((companies += 1));
  const resource = appointmentSource.resource(company, "LINE", FEW) as Resource;
  const fetchData = async () => {
    const query = { field: "company_number", values: [company] };
    return (await register.stores.mongo.records.fetchGroups(appointmentRecord, query)).records.map(
      ({ data }) => data,
    );
  };
  return { resource, corrected: withData(resource, { appointed_on: "2020-01-02" }), fetchData };
}

it("an appointment with a corrected day is stored once, in one file or several", async () => {
  const { resource, corrected, fetchData } = newAppointment();
  await run(lines(resource));
  await run(lines(corrected));
  expect(await fetchData()).toMatchObject([{ appointed_on: "2020-01-02" }]);
  await run(lines(resource, corrected, withData(resource, { appointed_on: "2020-01-03" })));
  expect(await fetchData()).toMatchObject([{ appointed_on: "2020-01-03" }]);
  await run(lines(resource));
  expect(await fetchData()).toMatchObject([{ appointed_on: "2020-01-01" }]);
  await expectStoresAgree(register.stores);
});

it("the last line of an address counts, however often its file is loaded", async () => {
  const { resource, corrected, fetchData } = newAppointment();
  for (let time = 1; time <= 3; time += 1) {
    await run(lines(resource, corrected));
    expect(await fetchData()).toMatchObject([{ appointed_on: "2020-01-02" }]);
  }
  for (const others of [[resource, corrected], [corrected]]) {
    await run(lines(...others, resource));
    expect(await fetchData()).toMatchObject([{ appointed_on: "2020-01-01" }]);
  }
  await expectStoresAgree(register.stores);
});

it("the last line of an address counts in a first load too, however its lines fall into batches", async () => {
  const empty = [appointmentRecord.collection];
  const { resource, corrected, fetchData } = newAppointment();
  await run({ ...lines(resource), empty });
  await run({ ...lines(corrected), empty });
  expect(await fetchData()).toMatchObject([{ appointed_on: "2020-01-02" }]);
  const another = newAppointment();
  await run({ ...lines(another.resource, another.corrected), empty });
  expect(await another.fetchData()).toMatchObject([{ appointed_on: "2020-01-02" }]);
  await expectStoresAgree(register.stores);
});

it("the last line of an address counts if an answer omits the number, after a stream stated the appointment", async () => {
  const { resource, corrected, fetchData } = newAppointment();
  await run(event(resource, 1, "2026-11-02"));
  await run(lines(withData(resource, { person_number: undefined })));
  expect(await fetchData()).toMatchObject([{ appointment_id: expect.any(String) }]);
  await run(lines(corrected));
  expect(await fetchData()).toMatchObject([{ appointed_on: "2020-01-02" }]);
  await expectStoresAgree(register.stores);
});

it("the last line of an address counts at whichever write a worker is killed", async () => {
  const { resource, corrected, fetchData } = newAppointment();
  await run(lines(resource));
  const again = { ...lines(corrected), revision: 1_000 };
  for (let write = 1; await deathOf(run(again, dyingAt(register.stores, write, true)));) write += 1;
  expect(await fetchData()).toMatchObject([{ appointed_on: "2020-01-02" }]);
  await expectStoresAgree(register.stores);
});

it("a disqualified officer whose number comes and goes is stored once", async () => {
  const [first = ""] = readFileSync(`${SAMPLE}/streams/disqualified-officers.ndjson`, "utf8").split("\n");
  const resource = { ...(JSON.parse(first) as Resource), event: undefined };
  const count = () => register.stores.mongo.records.count(disqualifiedOfficerRecord, {});
  await run(lines(withData(resource, { person_number: undefined })));
  await run(lines(withData(resource, { person_number: "100000010001" })));
  expect(await count()).toBe(1);
  await run(lines(withData(resource, { person_number: undefined })));
  expect(await count()).toBe(1);
  await expectStoresAgree(register.stores);
});
