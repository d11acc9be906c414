/** What a release before this form of records has stored: loads refuse it in words, and the API serves it as it is. */
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { MongoClient } from "mongodb";
import type { Named } from "../../api/shared/stores/mongodb/writes.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { fetchMissing, prepareStores } from "../../ingest/prepare.ts";
import { toStored } from "../support/stored.ts";
import { openRegister, type TestRegister } from "../support/register.ts";

let register: TestRegister;
beforeAll(async () => {
  register = await openRegister({ withWorker: false });
});
afterAll(() => register.close());

it("is refused by what prepares the stores, with what to do, and still read", async () => {
  const { stores, config } = register;
  const data = { company_number: "09000002", company_name: "OLD FORM LIMITED" };
  const former = toStored(companyRecord, data, 3);
  const client = new MongoClient(config.MONGODB_URL);
  await client
    .db(config.DATABASE_NAME)
    .collection<Named>("companies")
    .insertOne({ ...former });
  await client.close();

  const refusal = /stored `companies` in another form: load the register again under another DATABASE_NAME/;
  await expect(prepareStores(stores, new Date())).rejects.toThrow(refusal);
  await expect(fetchMissing(stores)).rejects.toThrow(refusal);
  expect(await stores.mongo.records.fetchOne(companyRecord, { _id: "09000002" })).toEqual(former);
});
