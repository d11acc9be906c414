/** Stores that stop answering while the API runs: requests that need one fail in time, and all others are answered. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { type Budget, ClientDisconnectedError, openBudget } from "../../api/shared/runtime/deadlines.ts";
import { UnavailableError } from "../../api/shared/runtime/errors.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { openMongo } from "../../api/shared/stores/mongodb/mongo.ts";
import { openElasticsearch } from "../../api/shared/stores/elasticsearch/elasticsearch.ts";
import { openFaultProxy } from "../../scripts/bench/fault-proxy.ts";
import { openRequestGate } from "../support/faults/request-gate.ts";
import { addTestKey } from "../support/keys.ts";
import { COMPANIES } from "../support/load-command.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { openRegister, TEST_KEY, type TestRegister } from "../support/register.ts";
import { openRequestsApi } from "../support/requests-api.ts";
import { waitUntil } from "../support/wait-until.ts";

const LOOKUP = "/company/99000064";
const SEARCH = "/search/companies?q=limited";
const LIMITED_KEY = "a-key-with-a-limit";
// The longest that a client may wait.
const AT_MOST_MS = 2_000;
// The limit for a refusal that asks no store, on a machine with much else to do.
const AT_ONCE_MS = 300;

let register: TestRegister;
const closers: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  register = await openRegister();
  await register.run(loadCommand, [COMPANIES], { encoding: "utf-8" });
  await addTestKey(register.stores.mongo.documents, LIMITED_KEY, { name: "limited", limit: 1_000 });
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(() => register.close());

/** Opens an API that has answered a lookup and a search. */
async function openApi(options: Parameters<typeof openRequestsApi>[1] = {}) {
  const api = await openRequestsApi(register, options);
  closers.push(api.close);
  for (const path of [LOOKUP, SEARCH]) expect((await api.call(path, TEST_KEY)).status).toBe(200);
  return api;
}

/** Opens a gate before Elasticsearch that holds searches of officers, and lets everything else through. */
async function holdOfficerSearches() {
  const request = new RegExp(`^POST /${register.config.INDEX_PREFIX}officers/_search`);
  const gate = await openRequestGate(register.config.ELASTICSEARCH_URL, { request, holds: "before" });
  closers.push(gate.close);
  return gate;
}

describe.each([
  { store: "elasticsearch", needs: SEARCH, other: LOOKUP },
  { store: "mongodb", needs: LOOKUP, other: SEARCH },
] as const)("while $store is silent", ({ store, needs, other }) => {
  it("the first requests fail in time, later ones fail at once, and others are answered", async () => {
    const api = await openApi();
    api.proxies[store].freeze();
    const first = await Promise.all(Array.from({ length: 5 }, () => api.call(needs, TEST_KEY)));
    expect(first.map(({ status }) => status)).toEqual(Array(5).fill(503));
    expect(Math.max(...first.map(({ milliseconds }) => milliseconds))).toBeLessThan(AT_MOST_MS);
    await waitUntil(() => Promise.resolve(api.changes.length > 0), "the store becomes unavailable");
    const next = await api.call(needs, TEST_KEY);
    expect([next.status, next.body]).toMatchObject([503, { error: expect.stringContaining(store) }]);
    expect(Number(next.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(next.milliseconds).toBeLessThan(AT_ONCE_MS);
    for (let call = 0; call < 3; call += 1) {
      const answered = await api.call(other, TEST_KEY);
      expect(answered.status).toBe(200);
      expect(answered.milliseconds).toBeLessThan(AT_MOST_MS / 2);
    }
    await api.proxies[store].restore();
    await waitUntil(
      async () => (await api.call(needs, TEST_KEY)).status === 200,
      "requests are answered again",
    );
    expect(api.changes).toEqual([
      [store, true],
      [store, false],
    ]);
  });
});

it("while Redis is silent, lookups and searches are answered, and limits are counted", async () => {
  const now = new Date();
  // A fixed moment: otherwise the window of counted calls could end during the test.
  const api = await openApi({ clock: () => now });
  api.proxies.redis.freeze();
  const remaining: number[] = [];
  for (const path of [LOOKUP, SEARCH, LOOKUP, SEARCH]) {
    const { status, headers, milliseconds } = await api.call(path, LIMITED_KEY);
    expect(status).toBe(200);
    expect(milliseconds).toBeLessThan(AT_MOST_MS);
    remaining.push(Number(headers.get("x-ratelimit-remain")));
  }
  expect(remaining).toEqual([999, 998, 997, 996]);
});

it("a search that takes too long is answered with 503 in time, and disturbs nothing else", async () => {
  const gate = await holdOfficerSearches();
  const api = await openApi({ elasticsearchUrl: gate.address });
  const [slow, ...others] = await Promise.all([
    api.call("/search/officers?q=smith", TEST_KEY),
    api.call(SEARCH, TEST_KEY),
    api.call(LOOKUP, TEST_KEY),
  ]);
  expect([slow.status, slow.body]).toMatchObject([
    503,
    { error: "Service unavailable: elasticsearch has not answered in time" },
  ]);
  expect(slow.milliseconds).toBeGreaterThan(1_000);
  expect(slow.milliseconds).toBeLessThan(AT_MOST_MS);
  others.push(await api.call(SEARCH, TEST_KEY));
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(api.changes).toEqual([]);
});

it("searches above the limit are refused at once, and everything else is answered meanwhile", async () => {
  const gate = await holdOfficerSearches();
  const api = await openApi({
    elasticsearchUrl: gate.address,
    settings: { SEARCHES_AT_ONCE: 4, SEARCHES_WAITING: 4 },
  });
  const calls = Array.from({ length: 10 }, () => api.call("/search/officers?q=smith", TEST_KEY));
  await gate.reached;
  const refused = await Promise.race(calls);
  expect([refused.status, refused.body]).toMatchObject([
    503,
    { error: "Service unavailable: this application has too many searches running" },
  ]);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(refused.milliseconds).toBeLessThan(AT_ONCE_MS);
  for (const path of ["/healthz", "/readyz", LOOKUP])
    expect(await api.call(path, TEST_KEY)).toMatchObject({ status: 200 });
  // The limit is for each application: a search of another one is answered.
  expect(await api.call(SEARCH, LIMITED_KEY)).toMatchObject({ status: 200 });
  const answers = await Promise.all(calls);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(Math.max(...answers.map(({ milliseconds }) => milliseconds))).toBeLessThan(AT_MOST_MS);
  const reasons = answers.map(({ body }) => (body as { error: string }).error);
  expect(reasons.filter((reason) => reason.endsWith("too many searches running")).length).toBe(6);
});

it("a search ends at once when its caller has gone, and fails when its deadline has passed", async () => {
  const proxy = await openFaultProxy(register.config.ELASTICSEARCH_URL);
  closers.push(proxy.close);
  const url = proxy.address;
  const store = openElasticsearch({ url, prefix: register.config.INDEX_PREFIX, timeoutMs: 10_000 });
  closers.push(store.close);
  const search = (budget: Budget) => store.search(["companies"], [{ query: { match_all: {} } }], { budget });
  await store.ping();
  proxy.freeze();
  const abandoned = openBudget(20_000);
  const reading = search(abandoned);
  setTimeout(abandoned.abandon, 50);
  await expect(reading).rejects.toThrow(ClientDisconnectedError);
  await expect(search(openBudget(100))).rejects.toThrow(UnavailableError);
  await expect(store.ping(100)).rejects.toThrow(UnavailableError);
  await proxy.restore();
  await store.ping();
});

describe("a read of MongoDB", () => {
  const openStore = async () => {
    const proxy = await openFaultProxy(register.config.MONGODB_URL);
    closers.push(proxy.close);
    const url = proxy.address;
    const store = openMongo({ url, database: register.config.DATABASE_NAME, timeoutMs: 10_000 });
    closers.push(store.close);
    const count = (budget: Budget) => store.records.count(companyRecord, { status: "active" }, budget);
    return { proxy, store, count };
  };

  it("closes no connection when it is late, and does not start when its caller has gone", async () => {
    const { proxy, count } = await openStore();
    const closed: string[] = [];
    const watchSocket = (message: unknown) => {
      const { socket } = message as { socket: Socket };
      socket.once("connect", () => {
        const isOurs = String(socket.remotePort) === new URL(proxy.address).port;
        if (isOurs) socket.once("close", () => closed.push("a connection"));
      });
    };
    subscribe("net.client.socket", watchSocket);
    closers.push(() => Promise.resolve(unsubscribe("net.client.socket", watchSocket)));
    const found = await count(openBudget(20_000));
    const budget = openBudget(300);
    proxy.freeze();
    const late = count(budget);
    await once(budget.signal, "abort");
    await proxy.restore();
    await Promise.allSettled([late]);
    expect(await count(openBudget(20_000))).toBe(found);
    expect(closed).toEqual([]);
    const abandoned = openBudget(20_000);
    abandoned.abandon();
    await expect(count(abandoned)).rejects.toThrow(ClientDisconnectedError);
  });

  it("has a ping that ends in time", async () => {
    const { proxy, store } = await openStore();
    await store.ping();
    proxy.freeze();
    await expect(store.ping(100)).rejects.toThrow(UnavailableError);
    await proxy.restore();
    await store.ping();
  });
});
