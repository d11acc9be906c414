/** Indices built under other name rules than the code's are neither written nor searched. */
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { resolve } from "node:path";
import { Queue } from "bullmq";
import { UnavailableError } from "../../api/shared/runtime/errors.ts";
import { closeStores, openStores, type Stores } from "../../api/shared/stores/index.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { reindexCommand } from "../../ingest/commands/reindex.ts";
import { prepareStores } from "../../ingest/prepare.ts";
import { BATCH_QUEUE } from "../../ingest/queue/queue.ts";
import { addWorker } from "../support/further-worker.ts";
import { toStored } from "../support/stored.ts";
import { projectBatchRecords } from "../../ingest/projection/project.ts";
import { indices } from "../../index-mappings/index.ts";
import { NAMES_VERSION } from "../../index-mappings/names/mapping.ts";
import { prepareCommand } from "../../scripts/commands/setup.ts";
import { createUnderRules, recordRules } from "../support/index-rules.ts";
import { openRegister, testConfig, type TestRegister } from "../support/register.ts";
import { SAMPLE } from "../support/sample-register.ts";
import { aCompany } from "../support/search-records.ts";
import { waitUntil } from "../support/wait-until.ts";

const OTHER_RULES = NAMES_VERSION + 1;
const FILE = "companies/BasicCompanyDataAsOneFile-2026-11-01.zip";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  for (const close of closers.splice(0).reverse()) await close();
});

async function open(): Promise<TestRegister> {
  const register = await openRegister({ withWorker: false });
  closers.push(async () => {
    // Restores the version, since another test uses this register again.
    for (const name of ["companies", "officers"] as const) await recordRules(register, name, NAMES_VERSION);
    await register.close();
  });
  return register;
}

/** Opens stores in which nothing has been created. */
function openEmpty() {
  const config = testConfig();
  const stores = openStores(config);
  closers.push(async () => {
    await stores.mongo.dropDatabase();
    await stores.elasticsearch.deleteIndices();
    await closeStores(stores);
  });
  return { config, stores };
}

/** Matches the sentence about an index: its rules, the code's rules, and what to do. */
function sentenceAbout(index: string, rules = `version ${OTHER_RULES}`): RegExp {
  return new RegExp(
    `[Tt]he index \\S*${index}-v\\S* was built under ${rules} of the name rules, ` +
      `this release has version ${NAMES_VERSION}.*: start the release that built it, or stop the workers, .follow. and .watch. of that release and run .*reindex.\\.$`,
  );
}

describe("the rules of live indices", () => {
  it("are the recorded ones, with none for an index that records none or does not exist", async () => {
    const { elasticsearch } = openEmpty().stores;
    const names = indices.map(({ name }) => name);
    expect(await elasticsearch.fetchLiveIndices(names)).toEqual([]);
    const companies = await createUnderRules(elasticsearch, "companies", 7);
    const officers = await createUnderRules(elasticsearch, "officers", undefined);
    const live = await elasticsearch.fetchLiveIndices(names);
    expect(new Map(live.map(({ name, meta }) => [name, meta]))).toEqual(
      new Map([
        [companies, { names_version: 7 }],
        [officers, {}],
      ]),
    );
  });
});

describe("an index with other name rules", () => {
  it("makes prepare fail before it creates anything", async () => {
    const { stores } = openEmpty();
    await createUnderRules(stores.elasticsearch, "companies", OTHER_RULES);
    await createUnderRules(stores.elasticsearch, "officers", undefined);
    const preparing = prepareStores(stores, new Date());
    await expect(preparing).rejects.toThrow(sentenceAbout("companies"));
    await expect(preparing).rejects.toThrow(sentenceAbout("officers", "an unknown version"));
    expect(await stores.elasticsearch.fetchAliasedIndices(["disqualified-officers"])).toEqual([]);
  });

  it.each([
    ["prepare", prepareCommand, []],
    ["load", loadCommand, [`${SAMPLE}/${FILE}`]],
  ])("makes the command %s fail with one sentence", async (_name, command, args) => {
    const register = await open();
    await recordRules(register, "officers", OTHER_RULES);
    const { error } = await register.run(command, args, { encoding: "utf-8" });
    expect(error?.name).toBe("CommandError");
    expect(error?.message).toMatch(sentenceAbout("officers"));
    expect(await register.stores.mongo.records.count(companyRecord, {})).toBe(0);
  });

  it("is rebuilt by a demo whose data another release loaded", async () => {
    const register = await openRegister();
    closers.push(register.close);
    await register.load(FILE);
    await recordRules(register, "companies", OTHER_RULES);
    const commands = { prepare: prepareCommand, reindex: reindexCommand };
    const runCli = async (name: keyof typeof commands, ...flags: string[]) => {
      const options = Object.fromEntries(flags.map((flag) => [flag.replace("--", ""), "true"]));
      const { error, exitCode } = await register.run(commands[name], [], options);
      if (error || exitCode !== 0) throw error ?? new Error(`${name} ended with ${exitCode}`);
    };
    // Imported by its path, since no types are declared for it.
    const { prepareIndices } = (await import(resolve("scripts/bootstrap/demo.mjs"))) as {
      prepareIndices: (run: typeof runCli, task: { stage: (note: string) => void }) => Promise<void>;
    };
    await prepareIndices(runCli, { stage: () => undefined });
    expect(await register.stores.elasticsearch.count("companies")).toBe(200);
    await expect(prepareStores(register.stores, new Date())).resolves.toEqual([]);
  });

  it("gets no documents", async () => {
    const register = await open();
    const company = toStored(
      companyRecord,
      aCompany({ company_number: "00000001", company_name: "A LIMITED" }).data,
      1,
    );
    const write = () => projectBatchRecords(register.stores, companyRecord, [company]);
    await recordRules(register, "companies", OTHER_RULES);
    await expect(write()).rejects.toThrow(UnavailableError);
    await register.stores.elasticsearch.refresh();
    expect(await register.stores.elasticsearch.count("companies")).toBe(0);

    await recordRules(register, "companies", NAMES_VERSION);
    await write();
    await register.stores.elasticsearch.refresh();
    expect(await register.stores.elasticsearch.count("companies")).toBe(1);
  });

  it("makes a running load wait until the index fits", async () => {
    const register = await open();
    const { connection } = register.stores.redis;
    const queue = new Queue(BATCH_QUEUE, { connection, prefix: register.config.QUEUE_PREFIX });
    closers.push(() => queue.close());
    const loading = register.load(FILE);
    await waitUntil(async () => (await queue.getPrioritizedCount()) > 0, "a batch waits");
    await recordRules(register, "companies", OTHER_RULES);
    closers.push(addWorker(register));
    await waitUntil(async () => (await queue.getDelayedCount()) > 0, "the batch waits for its retry");
    await register.stores.elasticsearch.refresh();
    expect(await register.stores.elasticsearch.count("companies")).toBe(0);

    await recordRules(register, "companies", NAMES_VERSION);
    expect(await loading).toMatchObject({ exitCode: 0 });
    expect(await register.stores.elasticsearch.count("companies")).toBe(200);
  }, 60_000);

  it("makes a running API unready and its searches fail until the index fits", async () => {
    const register = await open();
    const search = async () => (await register.get("/search/companies?q=anything")).status;
    const ready = () => register.get("/readyz");
    expect(await search()).toBe(200);
    expect((await ready()).status).toBe(200);

    await recordRules(register, "officers", OTHER_RULES);
    expect(await ready()).toMatchObject({
      status: 503,
      body: { status: "not ready", checks: { indices: expect.stringMatching(sentenceAbout("officers")) } },
    });
    expect(await search()).toBe(503);

    await recordRules(register, "officers", NAMES_VERSION);
    expect(await search()).toBe(200);
    expect((await ready()).status).toBe(200);
  });

  it("is not searched by an API whose readiness was never checked", async () => {
    const register = await open();
    await recordRules(register, "companies", OTHER_RULES);
    expect(await register.get("/search/companies?q=anything")).toMatchObject({
      status: 503,
      body: { error: "Service unavailable: elasticsearch cannot be reached" },
    });
    expect((await register.get("/company/99999999")).status).toBe(404);
  });
});

describe("a process that starts on an index with other name rules", () => {
  /** Runs a process's entry file until it exits. */
  async function start(entry: string, stores: Stores, settings: Record<string, string>) {
    await createUnderRules(stores.elasticsearch, "companies", OTHER_RULES);
    const said: string[] = [];
    const environment = process.env;
    process.env = { ...environment, ...settings };
    jest.spyOn(process.stderr, "write").mockImplementation((text) => {
      said.push(String(text));
      return true;
    });
    jest.spyOn(process, "exit").mockImplementation((code) => {
      throw new Error(`exit with ${code ?? 0}`);
    });
    const exit = await import(entry).then(
      () => "started",
      (error: unknown) => String(error),
    );
    process.env = environment;
    return { exit, said };
  }

  it.each([
    ["the API", "../../api/main.ts"],
    ["the worker", "../../ingest/main.ts"],
  ])("exits with one sentence: %s", async (_name, entry) => {
    const { config, stores } = openEmpty();
    const settings = Object.fromEntries(Object.entries(config).map(([name, value]) => [name, String(value)]));
    const { exit, said } = await start(entry, stores, settings);
    expect(exit).toBe("Error: exit with 1");
    expect(said.map((text) => text.trimEnd())).toEqual([expect.stringMatching(sentenceAbout("companies"))]);
  });
});
