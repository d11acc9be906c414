/**
 * What `doctor` finds when an engine is unavailable or refuses access, or an index differs from the code, perhaps
 * because somebody changed it by hand; following its repair mends it.
 */
import { afterEach, describe, expect, it } from "@jest/globals";
import { MongoClient, type Db } from "mongodb";
import { CommandError, NotReadyError } from "../../api/shared/runtime/errors.ts";
import { findIndex } from "../../index-mappings/index.ts";
import { fetchRuleMismatch } from "../../index-mappings/name-rules.ts";
import { requireIndices } from "../../index-mappings/readiness.ts";
import { fetchIndexFaults, fetchMissing, prepareStores } from "../../ingest/prepare.ts";
import { openQueue, type BatchJob } from "../../ingest/queue/queue.ts";
import { askElasticsearch, examine, findingOf, openEmpty, type OpenStores } from "../support/doctor.ts";
import { createUnderRules } from "../support/index-rules.ts";
import { serve } from "../support/serve.ts";

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
  ])("%s fails, and every other check still gives a result", async (title, setting, address) => {
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

/** Opens a stand-in for Elasticsearch that refuses every request with this status. */
async function openDenying(status: number): Promise<string> {
  const { base, close } = await serve((_request, response) => {
    const reason = "unable to authenticate user [elastic]\nfor REST request [/]";
    response.writeHead(status, {
      "content-type": "application/json",
      "x-elastic-product": "Elasticsearch",
    });
    response.end(JSON.stringify({ error: { type: "security_exception", reason }, status }));
  });
  closers.push(close);
  return base;
}

const withUser = (address = "") => address.replace("://", "://nobody:wrong@");

describe("an engine that refuses access", () => {
  it.each([
    ["Elasticsearch", "401", "ELASTICSEARCH_URL", () => openDenying(401)],
    ["Elasticsearch", "403", "ELASTICSEARCH_URL", () => openDenying(403)],
    ["MongoDB", "wrong user", "MONGODB_URL", () => withUser(process.env.MONGODB_URL)],
    ["Redis", "wrong user", "REDIS_URL", () => withUser(process.env.REDIS_URL)],
  ])(
    "%s (%s) is reported once, with the setting that gives access",
    async (engine, _how, setting, address) => {
      const examined = await examine(openEmpty(closers, { [setting]: await address() }));
      const { verdict, found, hint } = findingOf(examined, `Connection to ${engine}`);
      expect(verdict).toBe("fail");
      expect(found).toMatch(/refuses access: \S+/);
      expect(found).not.toContain("\n");
      expect(hint).toMatch(new RegExp(`set ${setting} .* user and password`));
      expect(examined.filter((one) => one.hint?.includes("fault of the check"))).toEqual([]);
      expect(examined.filter((one) => one.hint?.includes("give the service access")).length).toBeGreaterThan(
        1,
      );
    },
  );
});

describe("of search indices that differ from the code, doctor", () => {
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

it("an empty database lacks MongoDB indexes, which prepare then creates", async () => {
  const { stores } = openEmpty(closers);
  const { missing } = await fetchIndexFaults(stores.mongo);
  expect(missing).toContain("companies: parent_company_number");
  await prepareStores(stores, new Date());
  expect(await fetchIndexFaults(stores.mongo)).toEqual({ missing: [], inTheWay: [] });
});

/** Opens prepared stores, with a direct connection to their MongoDB, such as somebody's shell has. */
async function openPrepared(): Promise<OpenStores & { db: Db }> {
  const empty = openEmpty(closers);
  await prepareStores(empty.stores, new Date());
  const client = new MongoClient(empty.config.MONGODB_URL);
  closers.push(() => client.close());
  return { ...empty, db: client.db(empty.config.DATABASE_NAME) };
}

const INDEXES = "Indexes of MongoDB";
const OURS = "appointment_id_1";

describe("a MongoDB index that somebody created", () => {
  it.each([
    ["with our name over other fields", { officer_id: 1 }, { name: OURS }],
    ["that is unique where ours is not", { appointment_id: 1 }, { unique: true }],
  ] as const)("%s is named, and following the repair mends it", async (_what, keys, options) => {
    const opened = await openPrepared();
    const appointments = opened.db.collection("appointments");
    await appointments.dropIndex(OURS);
    await appointments.createIndex(keys, options);
    const { verdict, found, hint } = findingOf(await examine(opened), INDEXES);
    expect([verdict, found]).toEqual([
      "fail",
      `${OURS} of appointments differs from this release's definition`,
    ]);
    expect(hint).toBe(
      `in MongoDB's shell: db.getCollection("appointments").dropIndex("${OURS}"); then npm run cli -- prepare`,
    );
    await appointments.dropIndex(OURS);
    await prepareStores(opened.stores, new Date());
    expect(findingOf(await examine(opened), INDEXES).verdict).toBe("ok");
  });

  it("with our name over other fields makes prepare say what to do", async () => {
    const { db, stores } = await openPrepared();
    await db.collection("appointments").dropIndex(OURS);
    await db.collection("appointments").createIndex({ officer_id: 1 }, { name: OURS });
    const refused = prepareStores(stores, new Date());
    await expect(refused).rejects.toThrow(CommandError);
    await expect(refused).rejects.toThrow(/dropIndex\("appointment_id_1"\)/);
  });

  it("over our fields under another name is accepted in place of ours", async () => {
    const opened = await openPrepared();
    await opened.db.collection("appointments").dropIndex(OURS);
    await opened.db.collection("appointments").createIndex({ appointment_id: 1 }, { name: "by_hand" });
    expect(findingOf(await examine(opened), INDEXES).verdict).toBe("ok");
    await prepareStores(opened.stores, new Date());
    expect((await fetchMissing(opened.stores)).mongoIndexes).toEqual([]);
  });
});

describe("a search index that somebody changed by hand", () => {
  it("that is closed is named with the call that opens it, also by readiness, and searches are not ready", async () => {
    const { config, stores } = await openPrepared();
    const [live] = await stores.elasticsearch.builds.list("companies");
    await askElasticsearch(config, "POST", `${live?.name}/_close`);
    const { verdict, found, hint } = findingOf(
      await examine({ config, stores }),
      "Health of the live indices",
    );
    expect([verdict, found]).toEqual(["fail", `${live?.name} is closed`]);
    expect(hint).toMatch(new RegExp(`^POST ${live?.name}/_open `));
    const checkReadiness = () =>
      requireIndices(stores.elasticsearch, () => fetchRuleMismatch(stores.elasticsearch));
    await expect(checkReadiness()).rejects.toThrow(
      `index ${live?.name} is closed: \`POST ${live?.name}/_open\` in Elasticsearch opens it`,
    );
    const refused = stores.elasticsearch.count("companies");
    await expect(refused).rejects.toThrow(NotReadyError);
    await expect(refused).rejects.toThrow(/an index is closed/);
    await askElasticsearch(config, "POST", `${live?.name}/_open`);
    expect(findingOf(await examine({ config, stores }), "Health of the live indices").verdict).toBe("ok");
    await checkReadiness();
  });

  it("that has the name of our alias is named, with what to do about it", async () => {
    const empty = openEmpty(closers);
    const name = `${empty.config.INDEX_PREFIX}companies`;
    await askElasticsearch(empty.config, "PUT", name);
    const finding = findingOf(await examine(empty), "Aliases of the search indices");
    expect(finding.found).toBe(`an index has the name that belongs to an alias: ${name}`);
    expect(finding.hint).toMatch(new RegExp(`DELETE ${name} .*npm run cli -- prepare`));
    await askElasticsearch(empty.config, "DELETE", name);
    await prepareStores(empty.stores, new Date());
    expect(findingOf(await examine(empty), "Aliases of the search indices").verdict).toBe("ok");
  });
});

it("doctor names a batch that waits while no worker runs", async () => {
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
