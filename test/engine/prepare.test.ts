/** The command `prepare`: two at once, MongoDB's indexes, and an index created beside stored records. */
import { afterEach, describe, expect, it } from "@jest/globals";
import { MongoClient } from "mongodb";
import { closeStores, openStores, type Stores } from "../../api/shared/stores/index.ts";
import { companiesIndex } from "../../index-mappings/companies/index.ts";
import { neededIndices } from "../../index-mappings/index.ts";
import { fetchRuleMismatch } from "../../index-mappings/name-rules.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { reindexCommand } from "../../ingest/commands/reindex.ts";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import { prepareStores } from "../../ingest/prepare.ts";
import { prepareCommand } from "../../scripts/commands/setup.ts";
import { askElasticsearch, examine, findingOf } from "../support/doctor.ts";
import { openRegister, runCommand, testConfig } from "../support/register.ts";
import { ID, SmallRegister } from "../support/reindex.ts";
import { SAMPLE } from "../support/sample-register.ts";

const COMPANY = `${SAMPLE}/companies/edge-cases/no-final-newline-lf.csv`;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Opens the same empty stores for two processes. */
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
  ["a minute apart, in the other order", "2026-11-21T06:11:00Z"],
])("two preparations at once leave one index per alias: %s", async (_what, other) => {
  const [first, second] = openTwice();
  const created = await Promise.all([
    prepareStores(first, new Date("2026-11-21T06:12:00Z")),
    prepareStores(second, new Date(other)),
  ]);
  expect(created.flat()).toHaveLength(neededIndices.length);

  // The streams' first timepoint, taken from the clock so that it comes before the first change.
  expect(await first.mongo.documents.fetch("events", "bounds")).toMatchObject({ deleted: {} });

  const { elasticsearch } = first;
  expect(await elasticsearch.write("companies", [{ id: "00000001", version: 1, document: {} }])).toEqual([]);
  await elasticsearch.refresh();
  expect(await elasticsearch.count("companies")).toBe(1);
  expect(await prepareStores(second, new Date("2026-11-21T06:20:00Z"))).toEqual([]);
});

it("the command names MongoDB's indexes too, and fails if another index conflicts with one", async () => {
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

describe("an index created anew beside stored records", () => {
  const UNFILLED =
    "companies: made anew beside stored records, of which searches find only those written since; to fill: " +
    "npm run cli -- reindex companies";

  /** Opens a register whose index of companies has been deleted. */
  async function openWithoutIndex(): Promise<SmallRegister> {
    const register = await SmallRegister.open();
    closers.push(() => register.close());
    await askElasticsearch(register.config, "DELETE", (await register.liveName()) ?? "");
    return register;
  }
  const prepare = async (register: SmallRegister) =>
    (await runCommand(register, prepareCommand, [], {})).printed;
  const fetchFinding = async (register: SmallRegister) =>
    findingOf(await examine(register), "Documents of the live indices");

  it("is named by prepare and doctor until a reindex has filled it, whatever is written meanwhile", async () => {
    const register = await openWithoutIndex();
    expect(await prepare(register)).toEqual([expect.stringMatching(/^created \S+companies-v/), UNFILLED]);
    await register.writeCompany(companiesIndex, ID, "WRITTEN SINCE LIMITED");
    expect(await prepare(register)).toEqual(["nothing is missing", UNFILLED]);
    expect(await fetchFinding(register)).toMatchObject({
      verdict: "fail",
      found: "companies: made anew beside stored records, of which searches find only those written since",
      hint: "npm run cli -- reindex companies",
    });
    await runCommand(register, reindexCommand, ["companies"], {});
    expect(await prepare(register)).toEqual(["nothing is missing"]);
    expect((await fetchFinding(register)).verdict).toBe("ok");
  });

  it("is named until verify --repair has filled it, and keeps its name rules", async () => {
    const register = await openWithoutIndex();
    await prepare(register);
    const repair = { index: "companies", repair: "true" };
    await runCommand(register, verifyCommand, [], { ...repair, dryRun: "true" });
    expect(await prepare(register)).toEqual(["nothing is missing", UNFILLED]);
    expect(await runCommand(register, verifyCommand, [], repair)).toMatchObject({ exitCode: 0 });
    expect(await prepare(register)).toEqual(["nothing is missing"]);
    expect(await fetchRuleMismatch(register.stores.elasticsearch)).toBeNull();
  });

  it("is named by doctor if it was empty when records were restored", async () => {
    const register = await SmallRegister.open();
    closers.push(() => register.close());
    await prepare(register);
    const live = (await register.liveName()) ?? "";
    await askElasticsearch(register.config, "POST", `${live}/_delete_by_query?refresh=true`, {
      query: { match_all: {} },
    });
    expect(await fetchFinding(register)).toMatchObject({
      verdict: "fail",
      found: "companies: none, although MongoDB has records",
      hint: "npm run cli -- reindex companies",
    });
  });

  it("is named by the load that creates it", async () => {
    const register = await openRegister();
    closers.push(() => register.close());
    const load = async () =>
      (await register.run(loadCommand, [COMPANY], { encoding: "utf-8" })).messages.filter((line) =>
        line.includes("made anew"),
      );
    expect(await load()).toEqual([]);
    const [live] = await register.stores.elasticsearch.fetchLiveIndices(["companies"]);
    await askElasticsearch(register.config, "DELETE", live?.name ?? "");
    expect(await load()).toEqual([UNFILLED]);
    expect(await load()).toEqual([]);
    expect(findingOf(await examine(register), "Documents of the live indices").verdict).toBe("fail");
  });
});
