/** The checks of `doctor`: a healthy register, planted faults, and the command itself. */
import { beforeAll, describe, expect, it, jest } from "@jest/globals";
import { MongoClient } from "mongodb";
import { fetchKeys, removeKey, type ApiKey } from "../../api/shared/access/api-keys.ts";
import { addTestClient } from "../support/oauth.ts";
import { addTestKey } from "../support/keys.ts";
import type { ServerState } from "../../api/shared/stores/health.ts";
import { readState } from "../../api/shared/stores/redis/redis.ts";
import { findIndex } from "../../index-mappings/index.ts";
import { reindexCommand } from "../../ingest/commands/reindex.ts";
import { writeKeptRows } from "../../ingest/refused-rows/refused-rows.ts";
import { addBuild, removeBuild } from "../../ingest/log/followers.ts";
import { BEGINNING } from "../../api/shared/stores/collections/positions.ts";
import { prepareStores } from "../../ingest/prepare.ts";
import { checks, doctorCommand, type Examined } from "../../scripts/commands/doctor.ts";
import { askElasticsearch, examine, findingOf } from "../support/doctor.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { keepLoad } from "../support/loads.ts";
import { openRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";

let oldKey: ApiKey;
let clientId = "";
const register = forAllTests(openRegister);
const newRegister = registersPerTest();
beforeAll(async () => {
  const { exitCode } = await register.load("companies/BasicCompanyDataAsOneFile-2026-11-01.zip");
  expect(exitCode).toBe(0);
});

async function onDatabase(work: (client: MongoClient) => Promise<unknown>): Promise<void> {
  const client = new MongoClient(register.config.MONGODB_URL);
  await work(client).finally(() => client.close());
}

const beginBuild = (_id: string) =>
  addBuild(register.stores.mongo.documents, findIndex("companies"), { _id, position: BEGINNING });

/** Makes Redis report another policy: really changing it would affect everybody who shares the engine. */
async function pretendPolicy(policy: string): Promise<void> {
  const { connection, health } = register.stores.redis;
  const state = await health.fetchState();
  const info = (await connection.info()).replace(/^maxmemory_policy:.*$/m, `maxmemory_policy:${policy}`);
  jest.spyOn(health, "fetchState").mockResolvedValue({ ...state, ...readState(info) });
}

it("finds no fault in a healthy register", async () => {
  const examined = await examine(register);
  // Disks, and the memory and persistence of Redis, depend on whoever runs the engines.
  const ofEngines = /^(Disk|Memory)/;
  const faults = examined.filter(({ verdict, title }) => verdict !== "ok" && !ofEngines.test(title));
  expect(faults).toEqual([]);
});

describe("a planted fault is found, and no longer reported once it is mended", () => {
  const index = (name: string) => `${register.config.INDEX_PREFIX}${name}`;
  const documents = () => register.stores.mongo.documents;

  /** Title, verdict, finding, repair; then a function that plants the fault, and one that mends it. */
  const faults: [string, string, RegExp, RegExp, () => Promise<unknown>, () => Promise<unknown>][] = [
    [
      "Indexes of MongoDB",
      "fail",
      /missing: appointments: person_number/,
      /cli -- prepare/,
      () =>
        onDatabase((client) =>
          client.db(register.config.DATABASE_NAME).collection("appointments").dropIndex("person_number_1"),
        ),
      () => prepareStores(register.stores, new Date()),
    ],
    [
      "Eviction in Redis",
      "fail",
      /maxmemory-policy allkeys-lru/,
      /CONFIG SET maxmemory-policy noeviction/,
      () => pretendPolicy("allkeys-lru"),
      () => Promise.resolve(jest.restoreAllMocks()),
    ],
    [
      "Refresh of the live indices",
      "fail",
      /companies-v\S+: refresh is off/,
      /PUT \S+companies-v\S+\/_settings {"index\.refresh_interval": null}/,
      () =>
        askElasticsearch(register.config, "PUT", `${index("companies")}/_settings`, {
          "index.refresh_interval": "-1",
        }),
      () =>
        askElasticsearch(register.config, "PUT", `${index("companies")}/_settings`, {
          "index.refresh_interval": null,
        }),
    ],
    [
      "Write blocks of the live indices",
      "fail",
      /officers-v\S+: index\.blocks\.write/,
      /PUT \S+officers-v\S+\/_settings {"index\.blocks\.write": null}.*verify --repair/,
      () =>
        askElasticsearch(register.config, "PUT", `${index("officers")}/_settings`, {
          "index.blocks.write": true,
        }),
      () =>
        askElasticsearch(register.config, "PUT", `${index("officers")}/_settings`, {
          "index.blocks.write": null,
        }),
    ],
    [
      "Documents of the live indices",
      "fail",
      /^companies: made anew beside stored records, of which/,
      /^npm run cli -- reindex companies$/,
      async () => {
        const [live] = await register.stores.elasticsearch.fetchLiveIndices(["companies"]);
        await askElasticsearch(register.config, "DELETE", live?.name ?? "");
        await prepareStores(register.stores, new Date());
      },
      () => register.run(reindexCommand, ["companies"], {}),
    ],
    [
      "Last load of each format",
      "fail",
      /^29990101T000000000-aaaa failed: a made-up reason$/,
      /loads show 29990101T000000000-aaaa.*load --resume 29990101T000000000-aaaa/,
      () =>
        keepLoad(documents(), {
          _id: "29990101T000000000-aaaa",
          state: "failed",
          reason: "a made-up reason",
          surveyed: [],
        }),
      () => documents().remove("loads", "29990101T000000000-aaaa"),
    ],
    [
      "Last load of each format",
      "fail",
      /^29990101T000000000-bbbb was interrupted$/,
      /load --resume 29990101T000000000-bbbb/,
      () => keepLoad(documents(), { _id: "29990101T000000000-bbbb", state: "running", surveyed: [] }),
      () => documents().remove("loads", "29990101T000000000-bbbb"),
    ],
    [
      "Last load of each format",
      "fail",
      /^29990101T000000000-cccc failed$/,
      /loads show 29990101T000000000-cccc says why; once that is fixed, load its files again; if/,
      () =>
        keepLoad(documents(), {
          _id: "29990101T000000000-cccc",
          state: "failed",
          files: ["-"],
          surveyed: [],
        }),
      () => documents().remove("loads", "29990101T000000000-cccc"),
    ],
    [
      "Last load of each format",
      "fail",
      /^29990101T000000000-dddd is partly undone$/,
      /^npm run cli -- loads undo 29990101T000000000-dddd undoes the rest$/,
      () => keepLoad(documents(), { _id: "29990101T000000000-dddd", state: "undone" }),
      () => documents().remove("loads", "29990101T000000000-dddd"),
    ],
    [
      "Refused rows",
      "warn",
      /^1 row of 1 load$/,
      /refused-rows list/,
      () =>
        writeKeptRows(documents(), [
          { load: "a-load", file: "a.csv", line: 2, source: "company-csv", reason: "odd", text: "x" },
        ]),
      () => documents().removeBetween("dead_letters", { after: "", before: "~" }),
    ],
    [
      "API keys",
      "warn",
      /^old one expired on 2026-01-01T00:00:00\.000Z$/,
      /keys create.*keys revoke/,
      () =>
        addTestKey(documents(), "an-old-key", {
          name: "old one",
          expires_at: "2026-01-01T00:00:00.000Z",
        }).then((key) => (oldKey = key)),
      () => removeKey(documents(), oldKey),
    ],
    [
      "Address at which people sign in",
      "warn",
      /^PUBLIC_URL is not set, and there is 1 web client$/,
      /set PUBLIC_URL to the https address/,
      () => addTestClient(register.stores, { name: "signing in" }).then(({ id }) => (clientId = id)),
      () => documents().remove("web_clients", clientId),
    ],
    [
      "Unfinished reindexes",
      "warn",
      /^interrupted: companies-v9-29990101t0000, started/,
      /reindex --resume .*--discard/,
      () => beginBuild("companies-v9-29990101t0000"),
      () => removeBuild(documents(), "companies-v9-29990101t0000"),
    ],
  ];

  it.each(faults)("%s: %s, %p", async (title, verdict, found, hint, plant, mend) => {
    await plant();
    try {
      expect(findingOf(await examine(register), title)).toEqual({
        title,
        verdict,
        found: expect.stringMatching(found),
        hint: expect.stringMatching(hint),
      });
    } finally {
      await mend();
    }
    expect(findingOf(await examine(register), title).verdict).toBe("ok");
  });
});

it("warns that nobody can call a register whose only key is for event streams", async () => {
  const others = await newRegister({}, false);
  const { documents } = others.stores.mongo;
  for (const { key } of await fetchKeys(documents)) await removeKey(documents, key);
  await addTestKey(documents, "a-stream-key", { name: "reader", kind: "stream" });
  const { verdict, found } = findingOf(await examine(others), "API keys");
  expect([verdict, found]).toEqual(["warn", "none: nobody can call"]);
});

it("treats the build of a live index as ended, even if its process died between the move and noting the end", async () => {
  const { elasticsearch, mongo } = register.stores;
  const [live] = await elasticsearch.fetchLiveIndices(["companies"]);
  const name = live?.name ?? "";
  await beginBuild(name);
  const { verdict, found } = findingOf(await examine(register), "Unfinished reindexes");
  await removeBuild(mongo.documents, name);
  expect({ verdict, found }).toEqual({ verdict: "ok", found: "none" });
});

it.each([
  [5_000, "warn"],
  [60_000, "fail"],
])("reports a Redis clock that is %d ms behind this machine's: %s", async (behind, verdict) => {
  const examined = await examine(register, () => Date.now() + behind);
  const finding = findingOf(examined, "Clock of Redis");
  expect(finding.verdict).toBe(verdict);
  expect(finding.found).toMatch(/^\d+\.\d s behind this machine's$/);
  expect(Number.parseFloat(finding.found)).toBeCloseTo(behind / 1_000, 0);
  expect(finding.hint).toMatch(/NTP/);
});

it.each([
  [23, "ok"],
  [25, "fail"],
])("reports revisions that are %d hours ahead of our clock: %s", async (hours, verdict) => {
  const { connection, nextRevision } = register.stores.redis;
  const last = await nextRevision(0);
  const key = `${register.config.QUEUE_PREFIX}:revision`;
  await connection.set(key, String(Date.now() * 1_000 + hours * 3_600_000_000));
  const finding = findingOf(await examine(register), "Clock of Redis");
  await connection.set(key, String(last));
  expect(finding.verdict).toBe(verdict);
  if (verdict === "fail") expect(finding.hint).toMatch(/backup/);
});

it.each([
  ["8.19.0", "fail"],
  ["9.0.1", "ok"],
])("compares Elasticsearch %s with the client's version: %s", async (version, verdict) => {
  const { elasticsearch } = register.stores;
  const fetchServer = async (): Promise<ServerState> => ({
    ...(await elasticsearch.health.fetchServer()),
    version,
  });
  const stores = {
    ...register.stores,
    elasticsearch: { ...elasticsearch, health: { ...elasticsearch.health, fetchServer } },
  };
  expect(findingOf(await examine({ ...register, stores }), "Connection to Elasticsearch").verdict).toBe(
    verdict,
  );
});

describe("the doctor command", () => {
  it("exits with 0 when nothing fails, with a line for each check", async () => {
    const { exitCode, printed } = await register.run(doctorCommand, []);
    expect(exitCode).toBe(0);
    expect(printed.filter((line) => /^(ok {2}|warn) {2}/.test(line))).toHaveLength(
      Object.keys(checks).length,
    );
    expect(printed.at(-1)).toMatch(/^\d+ ok, (1 warning|\d+ warnings), 0 failures$/);
  });

  it("exits with 1 when something fails, and reports it in text and JSON", async () => {
    const { documents } = register.stores.mongo;
    await keepLoad(documents, { _id: "29990101T000000000-cccc", state: "failed", surveyed: [] });
    const text = await register.run(doctorCommand, []);
    const { exitCode, printed } = await register.run(doctorCommand, [], { json: "true" });
    await documents.remove("loads", "29990101T000000000-cccc");
    expect([text.exitCode, exitCode]).toEqual([1, 1]);
    expect(text.printed).toContain("FAIL  Last load of each format: 29990101T000000000-cccc failed");
    expect(text.printed.at(-1)).toMatch(/, 1 failure$/);
    const said = JSON.parse(printed[0] ?? "") as { failures: number; checks: Examined[] };
    expect(said).toMatchObject({ ok: false, failures: 1 });
    expect(findingOf(said.checks, "Last load of each format").hint).toMatch(
      /--resume 29990101T000000000-cccc/,
    );
  });
});
