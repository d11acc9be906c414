/** Records damaged directly in MongoDB: `verify` names them and continues. */
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { MongoClient, type Collection, type Document } from "mongodb";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { repairSteps, UnreadableRecordError } from "../../api/shared/runtime/errors.ts";
import { reindexCommand } from "../../ingest/commands/reindex.ts";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { verify } from "../support/verify.ts";

const FILES = [
  "companies/BasicCompanyDataAsOneFile-2026-11-01.zip",
  "officers/Prod195_4321_ew_1_01112026010001.dat",
  "psc/psc-snapshot-2026-11-01_1of2.txt",
  "psc/psc-snapshot-2026-11-01_2of2.txt",
];

type Stored = Document & { _id: string };

let register: TestRegister;
let client: MongoClient;
beforeAll(async () => {
  register = await openRegister();
  await register.load(...FILES);
  client = new MongoClient(register.config.MONGODB_URL);
});
afterAll(async () => {
  await client.close();
  await register.close();
});

const collection = (name: string): Collection<Stored> =>
  client.db(register.config.DATABASE_NAME).collection<Stored>(name);

/** Damages the first matching record directly in MongoDB. */
async function damage(name: string, filter: Document, change: (stored: Stored) => Document): Promise<Stored> {
  const [stored] = await collection(name)
    .find(filter as never)
    .sort({ _id: 1 })
    .limit(1)
    .toArray();
  if (!stored) throw new Error(`${name} has no such record`);
  await collection(name).updateOne({ _id: stored._id }, { $set: change(stored) });
  return stored;
}

const half = ({ data }: Stored) => ({ data: String(data).slice(0, 40) });
const repair = () => register.run(verifyCommand, [], { repair: "true" });
const findReported = (lines: readonly string[]) =>
  lines.filter((line) => /records|unreadable|members|content|renew/.test(line));

it("names unreadable records and compares all others, until they are deleted and loaded again", async () => {
  const company = await damage("companies", {}, half);
  const appointment = await damage("appointments", {}, half);
  const reading = register.stores.mongo.records.fetchStored(companyRecord, [company._id]);
  await expect(reading).rejects.toThrow(UnreadableRecordError);
  const advice =
    `record ${company._id} of companies cannot be read, its stored text is damaged: in MongoDB's shell run ` +
    `db.getCollection("companies").deleteOne({ _id: "${company._id}" }), then load its edition again, ` +
    "then npm run cli -- verify --repair";
  await expect(reading).rejects.toThrow(advice);
  expect((await register.run(reindexCommand, ["companies"], { yes: "true" })).error?.message).toBe(advice);
  await register.run(reindexCommand, [], { discard: "true", yes: "true" });

  for (const options of [{}, { repair: "true" }] as Record<string, string>[]) {
    const { exitCode, printed, error } = await register.run(verifyCommand, [], options);
    expect([error, exitCode]).toEqual([undefined, 2]);
    expect(findReported(printed)).toEqual([
      "records in MongoDB: WRONG: 2 unreadable, 0 whose content does not match the etag, 0 with wrong key members",
      `  unreadable companies ${company._id}`,
      `  unreadable appointments ${appointment._id}`,
      `  to renew one: ${repairSteps("companies", company._id)}`,
    ]);
    expect(printed.join("\n")).toMatch(/^companies: equal: .*^officers: equal: .*^links of profiles: /ms);
  }

  await collection("companies").deleteOne({ _id: company._id });
  await collection("appointments").deleteOne({ _id: appointment._id });
  await register.load(...FILES.slice(0, 2));
  expect(await repair()).toMatchObject({ exitCode: 0 });
  expect((await verify(register)).report.equal).toBe(true);
});

it("names records whose key members differ from their content, and corrects the members", async () => {
  const appointment = await damage("appointments", { is_resigned: false }, () => ({ is_resigned: true }));
  const psc = await damage("pscs", {}, () => ({ company_number: "99999999" }));
  const { exitCode, printed } = await register.run(verifyCommand, [], {});
  expect(exitCode).toBe(2);
  const named = [
    `  members    appointments ${appointment._id}: is_resigned`,
    `  members    pscs ${psc._id}: company_number`,
  ];
  expect(findReported(printed)).toEqual([
    "records in MongoDB: WRONG: 0 unreadable, 0 whose content does not match the etag, 2 with wrong key members",
    ...named,
  ]);
  const repaired = await repair();
  expect(repaired.exitCode).toBe(0);
  expect(findReported(repaired.printed)).toEqual(["records in MongoDB: right; repaired: 2", ...named]);
  expect((await verify(register)).report.equal).toBe(true);
  expect(await collection("appointments").findOne({ _id: appointment._id })).toMatchObject({
    is_resigned: false,
  });
});

it("names records whose content does not match their etag, and leaves their members alone", async () => {
  const rename = ({ data }: Stored) => ({ data: String(data).replace(/("company_name":")/, "$1ALTERED ") });
  const company = await damage("companies", {}, rename);
  const { exitCode, printed } = await repair();
  expect(exitCode).toBe(2);
  expect(findReported(printed)).toEqual([
    "records in MongoDB: WRONG: 0 unreadable, 1 whose content does not match the etag, 0 with wrong key members",
    `  content    companies ${company._id}`,
    `  to renew one: ${repairSteps("companies", company._id)}`,
  ]);
});
