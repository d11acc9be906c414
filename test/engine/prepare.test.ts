import { afterEach, expect, it } from "@jest/globals";
import { MongoClient } from "mongodb";
import { closeStores, openStores, type Stores } from "../../api/shared/stores/index.ts";
import { neededIndices } from "../../index-mappings/index.ts";
import { reindexCommand } from "../../ingest/commands/reindex.ts";
import { prepareStores } from "../../ingest/prepare.ts";
import { prepareCommand } from "../../scripts/commands/setup.ts";
import { askElasticsearch } from "../support/doctor.ts";
import { openRegister, runCommand, testConfig } from "../support/register.ts";
import { SmallRegister } from "../support/reindex.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Two processes on the same empty stores. */
function openTwice(): [Stores, Stores] {
  const config = testConfig();
  const both: [Stores, Stores] = [openStores(config), openStores(config)];
  closers.push(async () => {
    await both[0].mongo.dropDatabase();
    await both[0].elasticsearch.deleteIndices();
    for (const stores of both) await closeStores(stores);
  });
  return both;
}

it.each([
  ["in one minute", "2026-11-21T06:12:00Z"],
  ["a minute apart", "2026-11-21T06:13:00Z"],
  ["a minute apart, the clocks the other way round", "2026-11-21T06:11:00Z"],
])("two preparations at once leave one index behind each alias: %s", async (_what, other) => {
  const [first, second] = openTwice();
  const created = await Promise.all([
    prepareStores(first, new Date("2026-11-21T06:12:00Z")),
    prepareStores(second, new Date(other)),
  ]);
  expect(created.flat()).toHaveLength(neededIndices.length);

  // The first timepoint of the streams, by the clock: it comes before the first change.
  expect(await first.mongo.documents.fetch("events", "bounds")).toMatchObject({ deleted: {} });

  const { elasticsearch } = first;
  expect(await elasticsearch.write("companies", [{ id: "00000001", version: 1, document: {} }])).toEqual([]);
  await elasticsearch.refresh();
  expect(await elasticsearch.count("companies")).toBe(1);
  expect(await prepareStores(second, new Date("2026-11-21T06:20:00Z"))).toEqual([]);
});

it("the command names MongoDB's indexes, too, and fails where one is in the way of another", async () => {
  const register = await openRegister({ withWorker: false });
  closers.push(() => register.close());
  const { config } = register;
  const client = await MongoClient.connect(config.MONGODB_URL);
  closers.push(() => client.close());
  const people = client.db(config.DATABASE_NAME).collection("people");
  expect((await register.run(prepareCommand, [], {})).printed).toEqual(["nothing is missing"]);
  await people.dropIndex("email_1");
  expect((await register.run(prepareCommand, [], { dryRun: "true" })).printed).toEqual([
    "would create MongoDB people: email",
  ]);
  expect((await register.run(prepareCommand, [], {})).printed).toEqual(["created MongoDB people: email"]);

  await people.dropIndex("email_1");
  await people.createIndex({ email: 1 });
  for (const options of [{ dryRun: "true" }, {}] as Record<string, string>[])
    expect((await register.run(prepareCommand, [], options)).error?.message).toMatch(/people.*email_1/);
});

it("the command says how to fill what it has made anew, each time until it is filled", async () => {
  const register = await SmallRegister.open();
  closers.push(() => register.close());
  await askElasticsearch(register.config, "DELETE", (await register.liveName()) ?? "");
  const unfilled = "empty, although MongoDB has records; to fill them: npm run cli -- reindex companies";
  const prepare = async () => (await runCommand(register, prepareCommand, [], {})).printed;
  expect(await prepare()).toEqual([expect.stringMatching(/^created \S+companies-v/), unfilled]);
  expect(await prepare()).toEqual(["nothing is missing", unfilled]);
  await runCommand(register, reindexCommand, ["companies"], {});
  expect(await prepare()).toEqual(["nothing is missing"]);
});
