/** The terms of API keys across processes: limits, with and without Redis, and allowed addresses behind proxies. */
import { afterEach, expect, it } from "@jest/globals";
import type { AddressInfo } from "node:net";
import { buildApp } from "../../api/app.ts";
import { openFaultProxy } from "../../scripts/bench/fault-proxy.ts";
import { addTestKey } from "../support/keys.ts";
import type { Config } from "../../api/shared/settings/config.ts";
import { createLogger } from "../../api/shared/runtime/logger.ts";
import { closeStores, openStores } from "../../api/shared/stores/index.ts";
import { basic, testConfig } from "../support/register.ts";

const KEY = "key-with-terms";
const PATH = "/company/99999999";
// The clock stands still, so that all calls of a test fall into one window.
const NOW = new Date();

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Starts one API process on these stores; returns a function that calls it. */
async function openApi(config: Config) {
  const stores = openStores(config, { forRequests: { onChange: () => undefined } });
  const app = buildApp({ config, stores, log: createLogger("silent", "api"), clock: () => NOW });
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  closers.push(async () => {
    server.close();
    server.closeAllConnections();
    await stores.mongo.dropDatabase();
    await closeStores(stores);
  });
  const { port } = server.address() as AddressInfo;
  return {
    stores,
    call: async (headers: Record<string, string> = {}) => {
      const answer = await fetch(`http://127.0.0.1:${port}${PATH}`, {
        headers: { ...basic(KEY), ...headers },
      });
      await answer.text();
      return { status: answer.status, remain: answer.headers.get("x-ratelimit-remain") };
    },
  };
}

it("counts a key's calls across all processes", async () => {
  const config = testConfig();
  const [first, second] = [await openApi(config), await openApi(config)];
  await addTestKey(first.stores.mongo.documents, KEY, { name: "shared", limit: 3 });
  const answers = [await first.call(), await second.call(), await first.call(), await second.call()];
  // The company does not exist; a 404 counts as a call like any other.
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 429]);
  expect(answers.map(({ remain }) => remain)).toEqual(["2", "1", "0", "0"]);
});

it("answers while Redis is unavailable, and limits within each process", async () => {
  const api = await openApi(testConfig({ REDIS_URL: "redis://127.0.0.1:1" }));
  await addTestKey(api.stores.mongo.documents, KEY, { name: "alone", limit: 2 });
  const answers = [await api.call(), await api.call(), await api.call()];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 429]);
});

it("limits within each process while Redis is silent", async () => {
  const config = testConfig();
  const proxy = await openFaultProxy(config.REDIS_URL);
  closers.push(() => proxy.close());
  const [first, second] = [
    await openApi({ ...config, REDIS_URL: proxy.address }),
    await openApi({ ...config, REDIS_URL: proxy.address }),
  ];
  await addTestKey(first.stores.mongo.documents, KEY, { name: "frozen", limit: 10 });
  expect([(await first.call()).remain, (await second.call()).remain]).toEqual(["9", "8"]);
  proxy.freeze();
  let allowed = 0;
  const callOn = async ({ call }: typeof first) => {
    for (let at = 0; at < 12; at += 1) if ((await call()).status === 404) allowed += 1;
  };
  await Promise.all([first, second, first, second].map(callOn));
  await proxy.restore();
  // Each process continues from what it knew: nine and eight were left.
  expect(allowed).toBe(17);
}, 60_000);

it("lets Redis keep a count for one window, from its first call", async () => {
  const config = testConfig();
  const api = await openApi(config);
  const { connection } = api.stores.redis;
  await addTestKey(api.stores.mongo.documents, KEY, { name: "counted", limit: 5 });
  await api.call();
  const [name = "", ...others] = await connection.keys(`${config.QUEUE_PREFIX}:*`);
  expect(others).toEqual([]);
  const leftMs = await connection.pttl(name);
  expect(leftMs).toBeGreaterThan(200_000);
  expect(leftMs).toBeLessThanOrEqual(300_000);
  // As if most of the window had passed.
  await connection.pexpire(name, 100_000);
  await api.call();
  expect(await connection.get(name)).toBe("2");
  expect(await connection.pttl(name)).toBeLessThanOrEqual(100_000);
});

it.each([1, 3])("lets Redis expire a count that begins with %i", async (calls) => {
  const config = testConfig();
  const { stores } = await openApi(config);
  expect(await stores.redis.counters.add("count", 60_000, calls)).toBe(calls);
  expect(await stores.redis.connection.pttl(`${config.QUEUE_PREFIX}:count`)).toBeGreaterThan(0);
});

it("counts up to a limit in one step, and takes counts back to zero but not below", async () => {
  const config = testConfig();
  const { counters, connection } = (await openApi(config)).stores.redis;
  const add = () => counters.addBelow("guesses", 60_000, 3);
  const counted = await Promise.all(Array.from({ length: 8 }, add));
  expect(counted.filter(Boolean)).toHaveLength(3);
  expect(await connection.pttl(`${config.QUEUE_PREFIX}:guesses`)).toBeGreaterThan(0);
  for (let time = 1; time <= 5; time += 1) await counters.takeBack("guesses");
  expect(await connection.get(`${config.QUEUE_PREFIX}:guesses`)).toBe("0");
  expect(await connection.pttl(`${config.QUEUE_PREFIX}:guesses`)).toBeGreaterThan(0);
  await counters.takeBack("forgotten");
  expect(await connection.exists(`${config.QUEUE_PREFIX}:forgotten`)).toBe(0);
});

it("does not ask Redis for a key without a limit", async () => {
  const config = testConfig();
  const api = await openApi(config);
  await addTestKey(api.stores.mongo.documents, KEY, { name: "unlimited" });
  expect(await api.call()).toEqual({ status: 404, remain: "1000000" });
  expect(await api.stores.redis.connection.keys(`${config.QUEUE_PREFIX}:*`)).toEqual([]);
});

it.each([
  ["the last address where one proxy is trusted", 1, "203.0.113.9, 192.0.2.7", 404],
  ["no address that the client put before it", 1, "192.0.2.7, 203.0.113.9", 403],
  ["the first of two where two are trusted", 2, "192.0.2.7, 203.0.113.9", 404],
  ["an address with the client's port", 1, "192.0.2.7:50123", 404],
  ["an address of IPv6 with the client's port", 1, "[2001:db8::7]:50123", 404],
  ["an address of IPv6 in brackets", 1, "[2001:db8::7]", 404],
  ["an IPv4 address in IPv6 form, with its port", 1, "[::ffff:192.0.2.7]:50123", 404],
])("trusts of X-Forwarded-For %s", async (_what, trustedProxies, forwarded, status) => {
  const api = await openApi(testConfig({ TRUSTED_PROXIES: String(trustedProxies) }));
  await addTestKey(api.stores.mongo.documents, KEY, {
    name: "proxied",
    addresses: ["192.0.2.7", "2001:db8::7"],
  });
  expect((await api.call({ "x-forwarded-for": forwarded })).status).toBe(status);
});
