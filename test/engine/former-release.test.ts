/** What a release before statements has stored is taken over: the stamps of its records, and what it knew to be gone. */
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { prepareStores } from "../../ingest/prepare.ts";
import { toStored } from "../../ingest/statements/stored.ts";
import { batchRunner, company, event, fetchHeldName, snapshot } from "../support/event-batches.ts";
import { openRegister, type TestRegister } from "../support/register.ts";

let register: TestRegister;
beforeAll(async () => {
  register = await openRegister({ withWorker: false });
});
afterAll(() => register.close());
const run = batchRunner(() => register.stores);

const stampOf = (uri: string, timepoint: number) => ({
  ...{ uri, timepoint, published_at: "2026-11-02T09:00:00.000Z" },
});

it("removals stay known, and records remember what told them", async () => {
  const { mongo } = register.stores;
  const [deleted, told] = ["99000071", "99000072"];
  const tombstone = { ...stampOf(`/company/${deleted}`, 10), collection: "companies", record_id: deleted };
  await mongo.documents.put("tombstones", { _id: tombstone.uri, ...tombstone });
  const withdrawal = { record_id: "an-appointment", place: 1, day: "2026-11-02", revision: 1 };
  await mongo.documents.put("withdrawals", { _id: "appointments/an-appointment", ...withdrawal });
  const data = { company_number: told, company_name: "TOLD BY THE STREAM LIMITED", type: "ltd" };
  const former = { ...toStored(companyRecord, data, 1), event: stampOf(`/company/${told}`, 10) };
  await mongo.writer.insertMissing(companyRecord, [former]);

  await prepareStores(register.stores, new Date());
  for (const collection of ["tombstones", "withdrawals"])
    expect(await mongo.documents.list(collection, {}, 1)).toEqual([]);
  const [removed] = await mongo.records.fetchHeld(appointmentRecord, ["an-appointment"]);
  expect(removed).toMatchObject({
    gone: true,
    told: [{ at: "2026-11-02T24", place: 1, gone: true }],
  });
  await run(snapshot("2026-11-01", "EDITION LIMITED", deleted));
  await run(event(company("OLDER LIMITED", deleted), 9, "2026-11-01"));
  expect(await fetchHeldName(register.stores, deleted)).toBeUndefined();
  await run(snapshot("2026-12-01", "BACK AGAIN LIMITED", deleted));
  expect(await fetchHeldName(register.stores, deleted)).toBe("BACK AGAIN LIMITED");

  await run(snapshot("2026-11-01", "EDITION LIMITED", told));
  expect(await run(event(company("OLDER LIMITED", told), 9, "2026-11-01"))).toMatchObject({ written: 0 });
  expect(await fetchHeldName(register.stores, told)).toBe("TOLD BY THE STREAM LIMITED");
  await run(snapshot("2026-12-01", "NEXT EDITION LIMITED", told));
  expect(await fetchHeldName(register.stores, told)).toBe("NEXT EDITION LIMITED");
});
