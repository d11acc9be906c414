/** What a release before statements has stored: the stamps of its records are read, and what it kept apart is refused. */
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
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

it("records remember what told them", async () => {
  const { mongo } = register.stores;
  const told = "99000072";
  const data = { company_number: told, company_name: "TOLD BY THE STREAM LIMITED", type: "ltd" };
  const former = { ...toStored(companyRecord, data, 1), event: stampOf(`/company/${told}`, 10) };
  await mongo.writer.insertMissing(companyRecord, [former]);

  await run(snapshot("2026-11-01", "EDITION LIMITED", told));
  expect(await run(event(company("OLDER LIMITED", told), 9, "2026-11-01"))).toMatchObject({ written: 0 });
  expect(await fetchHeldName(register.stores, told)).toBe("TOLD BY THE STREAM LIMITED");
  await run(snapshot("2026-12-01", "NEXT EDITION LIMITED", told));
  expect(await fetchHeldName(register.stores, told)).toBe("NEXT EDITION LIMITED");
});

it("a database with deletions that are not read is refused, and says what to do", async () => {
  const { documents } = register.stores.mongo;
  await documents.put("tombstones", { _id: "/company/99000071", collection: "companies", timepoint: 10 });
  const prepared = prepareStores(register.stores, new Date());
  await expect(prepared).rejects.toThrow(/kept `tombstones` apart.*another DATABASE_NAME/);
});
