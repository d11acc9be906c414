/** Calls without a key or with wrong keys: what they get, what they cost, and that keys used lately keep working. */
import { afterEach, describe, expect, it } from "@jest/globals";
import { randomUUID } from "node:crypto";
import { buildApp, type AppDependencies } from "../../api/app.ts";
import { createLogger } from "../../api/shared/runtime/logger.ts";
import { closeStores, openStores } from "../../api/shared/stores/index.ts";
import type { Config } from "../../api/shared/settings/config.ts";
import { prepareStores } from "../../ingest/prepare.ts";
import { openFaultProxy } from "../../scripts/bench/fault-proxy.ts";
import { addTestKey } from "../support/keys.ts";
import { basic, testConfig } from "../support/register.ts";
import { addressOf } from "../support/serve.ts";

const KEY = "a-key-that-is-right";
const PATH = "/company/99999999";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

// A fixed moment: otherwise the window of counted calls could end during a test.
const NOW = new Date();

async function openApi(config: Config, clock: AppDependencies["clock"] = () => NOW) {
  const stores = openStores(config);
  const questions: string[] = [];
  const documents = {
    ...stores.mongo.documents,
    fetchAll: (...asked: Parameters<typeof stores.mongo.documents.fetchAll>) => {
      questions.push(asked[0]);
      return stores.mongo.documents.fetchAll(...asked);
    },
  };
  let counted = 0;
  const counters = {
    ...stores.redis.counters,
    add: (...asked: Parameters<typeof stores.redis.counters.add>) => {
      counted += 1;
      return stores.redis.counters.add(...asked);
    },
  };
  const app = buildApp({
    config,
    stores: { ...stores, mongo: { ...stores.mongo, documents }, redis: { ...stores.redis, counters } },
    log: createLogger("silent", "api"),
    clock,
  });
  const server = app.listen(0, "127.0.0.1");
  closers.push(async () => {
    server.close();
    server.closeAllConnections();
    await stores.mongo.dropDatabase().catch(() => undefined);
    await stores.elasticsearch.deleteIndices();
    await closeStores(stores);
  });
  const base = await addressOf(server);
  const call = async (headers: Record<string, string>, path = PATH, init: RequestInit = {}) => {
    const answer = await fetch(base + path, { ...init, headers });
    await answer.text();
    return answer;
  };
  return { stores, questions, counted: () => counted, call };
}

const limitsOf = ({ status, headers }: Response) => [
  status,
  headers.get("x-ratelimit-limit"),
  headers.get("x-ratelimit-remain"),
];

describe("the limit's headers", () => {
  it("are sent with 401, 403 and 404, and where no route answers", async () => {
    const api = await openApi(testConfig({ ANONYMOUS_LIMIT: "10" }));
    const { documents } = api.stores.mongo;
    await addTestKey(documents, KEY, { name: "limited", limit: 5 });
    await addTestKey(documents, "key-elsewhere", { name: "elsewhere", limit: 5, addresses: ["192.0.2.7"] });
    expect(limitsOf(await api.call({}))).toEqual([401, "10", "9"]);
    expect(limitsOf(await api.call(basic("wrong-key")))).toEqual([401, "10", "8"]);
    expect(limitsOf(await api.call({}, "/nothing/here"))).toEqual([401, "10", "7"]);
    expect(limitsOf(await api.call(basic("key-elsewhere")))).toEqual([403, "5", "4"]);
    expect(limitsOf(await api.call(basic(KEY)))).toEqual([404, "5", "4"]);
    expect(limitsOf(await api.call(basic(KEY), "/nothing/here"))).toEqual([404, "5", "3"]);
    expect(limitsOf(await api.call(basic(KEY), "/search", { method: "DELETE" }))).toEqual([405, "5", "2"]);
  });

  it("show the setting for an application without a limit of its own", async () => {
    const api = await openApi(testConfig({ RATE_LIMIT: "600" }));
    const { documents } = api.stores.mongo;
    await addTestKey(documents, KEY, { name: "usual" });
    await addTestKey(documents, "key-without-limit", { name: "free", limit: "none" });
    expect(limitsOf(await api.call(basic(KEY)))).toEqual([404, "600", "599"]);
    expect(limitsOf(await api.call(basic("key-without-limit")))).toEqual([404, "1000000", "1000000"]);
  });
});

describe("an address that sends wrong keys", () => {
  it("gets 429 above its limit, without store operations, while right keys keep working", async () => {
    const api = await openApi(testConfig({ ANONYMOUS_LIMIT: "20" }));
    await addTestKey(api.stores.mongo.documents, KEY, { name: "right", limit: "none" });
    expect((await api.call(basic(KEY))).status).toBe(404);
    const before = api.questions.length;
    const begunAt = performance.now();
    const statuses = (
      await Promise.all(Array.from({ length: 100 }, () => api.call(basic(randomUUID()))))
    ).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(80);
    expect((await api.call(basic(KEY))).status).toBe(404);
    // The calls at once needed two queries, or two a second; the calls below need none, and are not counted.
    const counted = api.counted();
    const seconds = Math.floor((performance.now() - begunAt) / 1_000);
    expect(api.questions.length - before).toBeLessThanOrEqual(3 + 2 * seconds);
    const asked = api.questions.length;
    const startedAt = performance.now();
    const more = await Promise.all(Array.from({ length: 20 }, () => api.call(basic(randomUUID()))));
    expect(more.map(({ status }) => status)).toEqual(Array(20).fill(429));
    // Each refusal is delayed; right keys are not.
    expect(performance.now() - startedAt).toBeGreaterThan(450);
    expect([api.questions.length, api.counted()]).toEqual([asked, counted]);
  });
});

describe("while MongoDB is silent", () => {
  it("a key used lately keeps searching, from a page too, while other keys get the reason", async () => {
    const config = testConfig({ STORE_TIMEOUT_MS: "3000" });
    const proxy = await openFaultProxy(config.MONGODB_URL);
    closers.push(() => proxy.close());
    // Creating indices takes longer on a busy engine.
    const ready = await openApi({ ...config, STORE_TIMEOUT_MS: 20_000 });
    await addTestKey(ready.stores.mongo.documents, KEY, { name: "seen", origins: ["https://app.example"] });
    let now = Date.now();
    const api = await openApi({ ...config, MONGODB_URL: proxy.address }, () => new Date(now));
    await prepareStores(ready.stores, new Date());
    const search = () =>
      api.call({ ...basic(KEY), origin: "https://app.example" }, "/search/companies?q=anything");
    expect((await search()).status).toBe(200);
    proxy.freeze();
    now += 60_000;
    const startedAt = performance.now();
    const asked = api.call(basic("never-seen"), "/openapi-of-nothing");
    expect((await search()).status).toBe(200);
    // The search waited nowhere as long as a store may take.
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    const other = await asked;
    await proxy.restore();
    expect([other.status, other.headers.get("x-ratelimit-window")]).toEqual([503, "5m"]);
  });
});
