/** `doctor` names what somebody changed by hand and engines that refuse access; following its repair mends it. */
import { afterEach, describe, expect, it } from "@jest/globals";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { MongoClient, type Db } from "mongodb";
import { CommandError, NotReadyError } from "../../api/shared/runtime/errors.ts";
import { fetchRuleMismatch } from "../../index-mappings/name-rules.ts";
import { requireIndices } from "../../index-mappings/readiness.ts";
import { fetchMissing, prepareStores } from "../../ingest/prepare.ts";
import { askElasticsearch, examine, findingOf, openEmpty, type OpenStores } from "../support/doctor.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Opens a stand-in for Elasticsearch that refuses every request with this status. */
async function openDenying(status: number): Promise<string> {
  const server = createServer((_request, response) => {
    const reason = "unable to authenticate user [elastic]\nfor REST request [/]";
    response.writeHead(status, {
      "content-type": "application/json",
      "x-elastic-product": "Elasticsearch",
    });
    response.end(JSON.stringify({ error: { type: "security_exception", reason }, status }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const withUser = (address = "") => address.replace("://", "://nobody:wrong@");

describe("an engine that refuses access", () => {
  it.each([
    ["Elasticsearch", "ELASTICSEARCH_URL", () => openDenying(401)],
    ["Elasticsearch", "ELASTICSEARCH_URL", () => openDenying(403)],
    ["MongoDB", "MONGODB_URL", () => withUser(process.env.MONGODB_URL)],
    ["Redis", "REDIS_URL", () => withUser(process.env.REDIS_URL)],
  ])("%s: is reported once, with the setting that gives access", async (engine, setting, address) => {
    const examined = await examine(openEmpty(closers, { [setting]: await address() }));
    const { verdict, found, hint } = findingOf(examined, `Connection to ${engine}`);
    expect(verdict).toBe("fail");
    expect(found).toMatch(/refuses access: \S+/);
    expect(found).not.toContain("\n");
    expect(hint).toMatch(new RegExp(`set ${setting} .* user and password`));
    expect(examined.filter((one) => one.hint?.includes("fault of the check"))).toEqual([]);
    expect(examined.filter((one) => one.hint?.includes("give the service access")).length).toBeGreaterThan(1);
  });
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

describe("a search index", () => {
  it("that is closed is named with the call that opens it, also by readiness, and searches are not ready", async () => {
    const { config, stores } = await openPrepared();
    const [live] = await stores.elasticsearch.builds.list("companies");
    await askElasticsearch(config, "POST", `${live?.name}/_close`);
    const { verdict, found, hint } = findingOf(
      await examine({ config, stores }),
      "Health of the live indices",
    );
    expect([verdict, found]).toEqual(["fail", `${live?.name} is closed`]);
    expect(hint).toContain(`POST ${live?.name}/_open`);
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
