/** A register restored from a dump of MongoDB alone answers as before. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { reindexCommand } from "../../ingest/commands/reindex.ts";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import { dumpDatabase, restoreDatabase } from "../support/dump.ts";
import { openRegister, testConfig, type TestRegister } from "../support/register.ts";

const COMPANIES = "companies/BasicCompanyDataAsOneFile-2026-11-01.zip";
const FILES = [COMPANIES, "officers/Prod195_4321_ew_1_01112026010001.dat", "disqualified/Prod192_4287.txt"];
const ASKED = [
  "/company/99000064",
  "/company/99000064/officers",
  "/search/companies?q=leading%20zeros%20sample",
  "/search/officers?q=quillfeather",
  "/search/disqualified-officers?q=crookshaw-test",
  "/advanced-search/companies?company_status=active&size=50",
];

let original: TestRegister;
let before: unknown[];
let restored: TestRegister;

/** Opens a register on the restored database, with an empty Elasticsearch and a Redis that has lost everything. */
beforeAll(async () => {
  original = await openRegister();
  expect(await original.load(...FILES)).toMatchObject({ exitCode: 0 });
  before = await answersOf(original);
  const { MONGODB_URL, DATABASE_NAME } = testConfig();
  const dump = await dumpDatabase(original.config.MONGODB_URL, original.config.DATABASE_NAME);
  await restoreDatabase(MONGODB_URL, DATABASE_NAME, dump);
  // Opening a register prepares the stores, as `prepare` does.
  restored = await openRegister({ settings: { DATABASE_NAME } });
}, 60_000);
afterAll(async () => {
  await restored.close();
  await original.close();
});

async function answersOf(register: TestRegister): Promise<unknown[]> {
  const answers = await Promise.all(ASKED.map((path) => register.get(path)));
  return answers.map(({ status, body }, position) => ({ path: ASKED[position], status, body }));
}

describe("a register restored from a dump of MongoDB alone", () => {
  it("answers as before once it is prepared and reindexed", async () => {
    expect(before).toEqual(ASKED.map(() => expect.objectContaining({ status: 200 })));
    expect(await restored.stores.elasticsearch.count("companies")).toBe(0);
    expect(await restored.run(reindexCommand, [])).toMatchObject({ exitCode: 0 });
    expect(await answersOf(restored)).toEqual(before);
    expect(await restored.run(verifyCommand, [], { show: "20" })).toMatchObject({ exitCode: 0 });
  }, 60_000);

  it("changes nothing when the same file is loaded again", async () => {
    const { exitCode, messages, printed } = await restored.load(COMPANIES);
    expect(exitCode).toBe(0);
    expect([...messages, ...printed].join("\n")).toMatch(/written +0\n(.*\n)*?unchanged +200/);
  });

  it("has its MongoDB indexes again, which the dump does not contain", async () => {
    const namesIn = async ({ stores: { mongo } }: TestRegister) =>
      (await mongo.fetchIndexes("appointments")).map(({ name }) => name);
    const names = (await namesIn(restored)).toSorted();
    expect(names).toEqual((await namesIn(original)).toSorted());
    expect(names.length).toBeGreaterThan(1);
  });
});
