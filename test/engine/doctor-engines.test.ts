/** What `doctor` finds when an engine is unavailable, or an index differs from the code. */
import { afterEach, describe, expect, it } from "@jest/globals";
import { findIndex } from "../../index-mappings/index.ts";
import { fetchIndexFaults, prepareStores } from "../../ingest/prepare.ts";
import { openQueue, type BatchJob } from "../../ingest/queue/queue.ts";
import { askElasticsearch, examine, findingOf, openEmpty } from "../support/doctor.ts";
import { createUnderRules } from "../support/index-rules.ts";

const DEAD_ADDRESS = "127.0.0.1:1";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

describe("an engine that is unavailable", () => {
  it.each([
    ["Connection to Elasticsearch", "ELASTICSEARCH_URL", `http://${DEAD_ADDRESS}`],
    ["Connection to MongoDB", "MONGODB_URL", `mongodb://${DEAD_ADDRESS}`],
    ["Connection to Redis", "REDIS_URL", `redis://${DEAD_ADDRESS}`],
  ])("%s: fails, and every other check still gives a result", async (title, setting, address) => {
    const empty = openEmpty(closers, { [setting]: address });
    const examined = await examine(empty);
    const finding = findingOf(examined, title);
    expect([finding.verdict, finding.hint]).toEqual(["fail", expect.stringContaining(setting)]);
    const others = examined.filter((each) => each.title !== title);
    expect(others.filter(({ found }) => found.startsWith("no answer"))).toEqual([]);
    expect(others.filter(({ found }) => found.startsWith("not checked")).length).toBeGreaterThan(0);
    expect(others.filter(({ verdict }) => verdict === "ok").length).toBeGreaterThan(0);
  });
});

describe("search indices that differ from the code", () => {
  it("names a missing alias", async () => {
    const empty = openEmpty(closers);
    await empty.stores.elasticsearch.createIndex(findIndex("companies"), new Date());
    const finding = findingOf(await examine(empty), "Aliases of the search indices");
    const missing = "officers, disqualified-officers, persons-with-significant-control, words";
    expect([finding.verdict, finding.found]).toEqual(["fail", `missing: ${missing}`]);
    expect(finding.hint).toMatch(/cli -- prepare.*verify --repair/);
  });

  it.each([
    [
      "older than this release",
      -1,
      /older than this release: \S+companies-v\d+\S*, this release has version \d+/,
      /cli -- reindex companies/,
    ],
    [
      "newer than this release",
      1,
      /newer than this release: \S+companies-v\d+/,
      /start the release that built it, or npm run cli -- reindex companies --back$/,
    ],
  ])("names an index whose version is %s", async (_what, step, found, hint) => {
    const empty = openEmpty(closers);
    const definition = findIndex("companies");
    await empty.stores.elasticsearch.createIndex(
      { ...definition, version: definition.version + step },
      new Date(),
    );
    const finding = findingOf(await examine(empty), "Versions of the live indices");
    expect(finding).toMatchObject({
      verdict: "fail",
      found: expect.stringMatching(found),
      hint: expect.stringMatching(hint),
    });
  });

  it("names where mappings and settings differ", async () => {
    const empty = openEmpty(closers);
    await prepareStores(empty.stores, new Date());
    await askElasticsearch(empty.config, "PUT", `${empty.config.INDEX_PREFIX}officers/_mapping`, {
      properties: { odd: { type: "keyword" } },
    });
    await askElasticsearch(empty.config, "PUT", `${empty.config.INDEX_PREFIX}companies/_settings`, {
      "index.gc_deletes": "5s",
    });
    const finding = findingOf(await examine(empty), "Mappings and settings of the live indices");
    expect(finding.verdict).toBe("fail");
    expect(finding.found).toMatch(
      /companies-v\S+: settings\.gc_deletes; \S*officers-v\S+: properties\.odd\.type$/,
    );
    expect(finding.hint).toBe("npm run cli -- reindex companies officers");
  });

  it("names an index built under other name rules", async () => {
    const empty = openEmpty(closers);
    await createUnderRules(empty.stores.elasticsearch, "officers", 1_000);
    const finding = findingOf(await examine(empty), "Name rules of the live indices");
    expect([finding.verdict, finding.hint]).toEqual([
      "fail",
      expect.stringMatching(/version 1000 of the name rules/),
    ]);
  });

  it("names an index that has lost a shard", async () => {
    const empty = openEmpty(closers);
    const name = `${empty.config.INDEX_PREFIX}companies`;
    await askElasticsearch(empty.config, "PUT", `${name}-v2-20261121t0612?wait_for_active_shards=0`, {
      settings: { "index.routing.allocation.require._name": "nobody" },
      aliases: { [name]: {} },
    });
    const finding = findingOf(await examine(empty), "Health of the live indices");
    expect([finding.verdict, finding.found]).toEqual([
      "fail",
      expect.stringMatching(/-v2-20261121t0612 is red/),
    ]);
    expect(finding.hint).toMatch(/_cluster\/allocation\/explain/);
  });
});

it("names the missing MongoDB indexes of an empty database, which prepare then creates", async () => {
  const { stores } = openEmpty(closers);
  const { missing } = await fetchIndexFaults(stores.mongo);
  expect(missing).toContain("companies: parent_company_number");
  await prepareStores(stores, new Date());
  expect(await fetchIndexFaults(stores.mongo)).toEqual({ missing: [], inTheWay: [] });
});

it("names a batch that waits while no worker runs", async () => {
  const empty = openEmpty(closers);
  const queue = openQueue(empty.stores.redis, empty.config.QUEUE_PREFIX);
  await queue.add("company-csv", {} as BatchJob, { timestamp: Date.now() - 600_000 });
  const finding = findingOf(await examine(empty), "Queue and workers");
  await queue.obliterate({ force: true });
  await queue.close();
  expect([finding.verdict, finding.found]).toEqual([
    "fail",
    "1 waiting, the oldest for 10 min, 0 in progress, 0 workers",
  ]);
  expect(finding.hint).toMatch(/start one if none runs \(node dist\/ingest\/main\.js\)/);
});
