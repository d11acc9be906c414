/** How records are stored in MongoDB: members used in lookups as fields, the rest as JSON text. */
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { MongoClient, type Collection } from "mongodb";
import type { Named } from "../../api/shared/stores/mongodb/writes.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { toStored } from "../support/stored.ts";
import { openRegister, type TestRegister } from "../support/register.ts";

let register: TestRegister;
let client: MongoClient;
let companies: Collection<Named>;
beforeAll(async () => {
  register = await openRegister({ withWorker: false });
  client = new MongoClient(register.config.MONGODB_URL);
  companies = client.db(register.config.DATABASE_NAME).collection("companies");
});
afterAll(async () => {
  await client.close();
  await register.close();
});

const data = (number: string) => ({
  // Members not in alphabetical order, names with a dollar or a dot, and a number that BSON returns as another type.
  ...{
    company_number: number,
    company_name: "ZEBRA LIMITED",
    type: "ltd",
    $from: 1.0,
    "a.b": 9007199254740991,
  },
});

it("returns what was written, with members in their order", async () => {
  const { mongo } = register.stores;
  const told = [{ at: "2026-11-01", tells: "company-csv" }];
  const record = { ...toStored(companyRecord, data("09000001"), 7), told };
  await mongo.writer.insertMissing(companyRecord, [record]);

  const [raw] = await companies.find({ _id: "09000001" }).toArray();
  expect(raw).toMatchObject({ revision: 7, data: JSON.stringify(record.data), told: JSON.stringify(told) });
  const reads = await Promise.all([
    mongo.records.fetchOne(companyRecord, { _id: "09000001" }),
    mongo.records.fetchStored(companyRecord, ["09000001"]).then(([one]) => one),
    mongo.records.fetchByIds(companyRecord, ["09000001"]).then(([one]) => one),
    mongo.records
      .fetchPage(companyRecord, { filter: { _id: "09000001" }, sort: [["_id", 1]], skip: 0, limit: 1 })
      .then(([one]) => one),
    mongo.records
      .fetchGroups(companyRecord, { field: "_id", values: ["09000001"] })
      .then(({ records: [one] }) => one),
    mongo.scanner
      .scan(companyRecord, {})
      .next()
      .then(({ value }) => (value as unknown[])[0]),
  ]);
  for (const read of reads) expect(read).toEqual(record);
  expect(Object.keys((reads[0] as typeof record).data as object)).toEqual(Object.keys(data("")));
});
