/** The commands `status` and `settings`, the queue's state, --dry-run and --json. */
import { beforeAll, expect, it } from "@jest/globals";
import type { CommandDefinition } from "../../ingest/commands/define-command.ts";
import { companiesIndex } from "../../index-mappings/companies/index.ts";
import { reindexCommand } from "../../ingest/commands/reindex.ts";
import { fetchQueueState } from "../../ingest/queue/queue-state.ts";
import { openQueue, type BatchJob } from "../../ingest/queue/queue.ts";
import { writeKeptRows } from "../../ingest/refused-rows/refused-rows.ts";
import { commands } from "../../scripts/commands/index.ts";
import { keysCommands } from "../../scripts/commands/keys.ts";
import { prepareCommand, settingsCommand } from "../../scripts/commands/setup.ts";
import { statusCommand } from "../../scripts/commands/status.ts";
import { changedCommand } from "../support/changed-command.ts";
import { askElasticsearch } from "../support/doctor.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { beginBuild } from "../support/reindex.ts";
import { openRegister, testConfig } from "../support/register.ts";

const FILE = "companies/BasicCompanyDataAsOneFile-2026-11-01.zip";
const MINUTE_MS = 60_000;
const NEVER = { load: null, finished_at: null, age_ms: null, production_date: null, is_extract: false };

const register = forAllTests(openRegister);
let companies = 0;
beforeAll(async () => {
  await register.load(FILE);
  const row = { load: "other", file: "a.csv", source: "company-csv", line: 1, reason: "54 fields", text: "" };
  await writeKeptRows(register.stores.mongo.documents, [row]);
  companies = await register.stores.elasticsearch.count("companies");
});

async function runJson(command: CommandDefinition): Promise<unknown> {
  const { printed, error } = await register.run(command, [], { json: "true" });
  if (error) throw error;
  return JSON.parse(printed[0] ?? "");
}

it("status shows records, indices, the queue and the age of each source", async () => {
  expect(companies).toBeGreaterThan(0);
  expect(await runJson(statusCommand)).toMatchObject({
    records: expect.arrayContaining([
      { collection: "companies", records: companies, bytes: expect.any(Number) },
      { collection: "charges", records: 0, bytes: expect.any(Number) },
    ]),
    indices: expect.arrayContaining([
      expect.objectContaining({ alias: "companies", documents: companies, health: expect.any(String) }),
    ]),
    queue: { waiting: 0, active: 0, delayed: 0, failed: 0, oldestWaitingMs: null, workers: 1 },
    sources: expect.arrayContaining([
      {
        source: "company-csv",
        load: expect.stringMatching(/^2/),
        finished_at: expect.any(String),
        age_ms: expect.any(Number),
        production_date: "2026-11-01",
        is_extract: false,
      },
      { ...NEVER, source: "psc-snapshot" },
    ]),
  });
});

it("status shows the same as text", async () => {
  const { printed } = await register.run(statusCommand, []);
  expect(printed).toContainEqual(expect.stringMatching(new RegExp(`^ {2}companies +${companies} `)));
  expect(printed).toContainEqual(expect.stringMatching(/^ {2}company-csv +\d+ s ago +of 2026-11-01 /));
  expect(printed).toContainEqual(expect.stringMatching(/^ {2}psc-snapshot +never$/));
  const beginning = `${register.config.INDEX_PREFIX}companies-v`;
  expect(printed).toContainEqual(
    expect.stringMatching(new RegExp(`^ {2}${beginning}\\S+ +${companies} .* alias companies$`)),
  );
  expect(printed).toContainEqual("  0 waiting, 0 in progress, 0 to be retried, 0 failed");
});

it("status shows that the last load of a source was an extract", async () => {
  await register.load("companies/dissolved-extract.csv");
  const { printed } = await register.run(statusCommand, []);
  expect(printed).toContainEqual(expect.stringMatching(/^ {2}company-csv +\d+ s ago +an extract +2\S+$/));
});

it("status shows that the index before a reindex is kept for --back", async () => {
  const { error } = await register.run(reindexCommand, ["companies"]);
  expect(error).toBeUndefined();
  const { printed } = await register.run(statusCommand, []);
  const own = printed.filter((line) => line.includes(`${register.config.INDEX_PREFIX}companies-v`));
  expect(own.map((line) => line.split("  ").at(-1)).toSorted()).toEqual([
    "alias companies",
    "kept for reindex --back",
  ]);
}, 60_000);

it("status tells an index being built from the live one", async () => {
  const built = await beginBuild(register.stores, companiesIndex);
  const { indices } = (await runJson(statusCommand)) as { indices: { name: string; role: string }[] };
  expect(indices.find(({ name }) => name === built)?.role).toBe("being built");
  const { printed } = await register.run(statusCommand, []);
  expect(printed.find((line) => line.includes(built))).toMatch(/being built$/);
  await register.run(reindexCommand, ["companies"], { discard: "true", yes: "true" });
}, 60_000);

it("status shows the alias of an index that another deployment uses", async () => {
  const prefix = register.config.INDEX_PREFIX;
  const foreign = `${prefix}test-companies-v1-x`;
  const aliases = { [`${prefix}test-companies`]: {} };
  await askElasticsearch(register.config, "PUT", foreign, { aliases });
  const { printed } = await register.run(statusCommand, []);
  await askElasticsearch(register.config, "DELETE", foreign);
  expect(printed.find((line) => line.includes(foreign))).toMatch(/ alias test-companies$/);
});

it("the queue's depth and age come from its batches, its rate from the last ten minutes", async () => {
  const { connection } = register.stores.redis;
  const prefix = testConfig().QUEUE_PREFIX;
  const queue = openQueue(register.stores.redis, prefix);
  const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS + 30_000;
  await queue.add("company-csv", {} as BatchJob, { timestamp: now - 5_000 });
  await queue.add("company-csv", {} as BatchJob, { timestamp: now - 3_000 });
  const metrics = queue.toKey("metrics:completed");
  await connection.lpush(`${metrics}:data`, "10", "20");
  // Workers record a minute when the first batch of a later minute is done: three have been done since.
  const stateAfter = async (minutes: number) => {
    await connection.hset(metrics, { count: 33, prevCount: 30, prevTS: now - minutes * MINUTE_MS });
    return fetchQueueState(register.stores.redis, prefix, now);
  };
  const [running, resting, idle] = [await stateAfter(0), await stateAfter(2), await stateAfter(20)];
  await queue.obliterate({ force: true });
  await connection.del(metrics, `${metrics}:data`);
  await queue.close();
  expect(running).toEqual({
    ...{ waiting: 2, active: 0, delayed: 0, failed: 0, oldestWaitingMs: 5_000, workers: 0 },
    donePerMinute: 15,
  });
  expect(resting.donePerMinute).toBe((0 + 3 + 20 + 10) / 4);
  expect(idle.donePerMinute).toBeNull();
});

it("settings shows each value and its origin, without passwords", async () => {
  const secrets = { MONGODB_URL: "mongodb://u:pa55@db.example/", FOLLOW_KEY: "pa55" };
  const secretive = changedCommand(settingsCommand, ({ config }) => ({ config: { ...config, ...secrets } }));
  const shown = (await runJson(secretive)) as { name: string; value: unknown; from: string }[];
  const found = new Map(shown.map(({ name, ...rest }) => [name, rest]));
  expect([...found.keys()]).toEqual(Object.keys(register.config));
  expect(found.get("DATABASE_NAME")).toMatchObject({ value: register.config.DATABASE_NAME });
  expect(found.get("REDIS_URL")).toMatchObject({ from: "environment" });
  expect(found.get("MONGODB_URL")).toMatchObject({ value: "mongodb://****@db.example/" });
  expect(JSON.stringify(shown)).not.toContain("pa55");
});

it("prepare and keys create write nothing with --dry-run", async () => {
  const { mongo, elasticsearch } = register.stores;
  await elasticsearch.deleteIndices();
  const before = (await mongo.documents.fetchAll("api_keys", {})).length;
  const prepared = await register.run(prepareCommand, [], { dryRun: "true" });
  const names = "companies; officers; disqualified-officers; persons-with-significant-control";
  expect(prepared.printed).toEqual([`would create ${names}; words`]);
  expect(await elasticsearch.fetchAliasedIndices(["companies"])).toEqual([]);
  await register.run(keysCommands.create, [], { name: "tried", dryRun: "true" });
  expect(await mongo.documents.fetchAll("api_keys", {})).toHaveLength(before);
  await register.run(prepareCommand, [], {});
  expect(await elasticsearch.fetchAliasedIndices(["companies"])).toMatchObject([
    { alias: "companies", isOpen: true },
  ]);
});

const plainReaders = commands.filter(
  ({ effect, arguments: own = [], options }) =>
    effect === "reads" &&
    own.every(({ name }) => name.startsWith("[")) &&
    options.every(({ required }) => !required),
);

it.each(plainReaders.map((command) => [command.name, command] as const))(
  "%s prints only JSON with --json",
  async (_name, command) => {
    const { printed, error } = await register.run(command, [], { json: "true" });
    expect(error).toBeUndefined();
    expect(printed).not.toEqual([]);
    for (const line of printed) expect(() => JSON.parse(line) as unknown).not.toThrow();
  },
);
