import { afterEach, expect, it } from "@jest/globals";
import type { AddressInfo } from "node:net";
import { buildApp } from "../../api/app.ts";
import { openFaultProxy } from "../../scripts/bench/fault-proxy.ts";
import { holdKey } from "../support/keys.ts";
import { createLogger } from "../../api/shared/runtime/logger.ts";
import { closeStores, openStores } from "../../api/shared/stores/index.ts";
import { basic, testConfig } from "../support/register.ts";

const KEY = "key-with-terms";
const PATH = "/company/99999999";
// It stands still: calls of one test are counted in one window.
const NOW = new Date();

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Config = ReturnType<typeof testConfig>;

/** One API process on the stores of this configuration; returns a function that calls it. */
async function openApi(config: Config) {
  const stores = openStores(config);
  const app = buildApp({
    config,
    stores,
    log: createLogger("silent", "api"),
    clock: () => NOW,
  });
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

it("counts a key's calls over all processes together", async () => {
  const config = testConfig();
  const [first, second] = [await openApi(config), await openApi(config)];
  await holdKey(first.stores.mongo.documents, KEY, { name: "shared", limit: 3 });
  const answers = [await first.call(), await second.call(), await first.call(), await second.call()];
  // The company is not there; a 404 is a call as any other.
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 429]);
  expect(answers.map(({ remain }) => remain)).toEqual(["2", "1", "0", "0"]);
});

it("answers on while Redis is unavailable, and keeps the limit within each process", async () => {
  const api = await openApi(testConfig({ REDIS_URL: "redis://127.0.0.1:1" }));
  await holdKey(api.stores.mongo.documents, KEY, { name: "alone", limit: 2 });
  const answers = [await api.call(), await api.call(), await api.call()];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 429]);
});

it("waits once for a Redis that says nothing, and not at each call, and lets nobody in without a limit", async () => {
  const config = testConfig();
  const proxy = await openFaultProxy(config.REDIS_URL);
  closers.push(() => proxy.close());
  const [first, second] = [
    await openApi({ ...config, REDIS_URL: proxy.address }),
    await openApi({ ...config, REDIS_URL: proxy.address }),
  ];
  await holdKey(first.stores.mongo.documents, KEY, { name: "frozen", limit: 10 });
  expect([(await first.call()).remain, (await second.call()).remain]).toEqual(["9", "8"]);
  proxy.freeze();
  const until = performance.now() + 5_000;
  const times: number[] = [];
  let letIn = 0;
  const callOn = async ({ call }: typeof first) => {
    while (performance.now() < until) {
      const startedAt = performance.now();
      if ((await call()).status === 404) letIn += 1;
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all([first, second, first, second].map(callOn));
  await proxy.restore();
  // Four callers that waited for Redis at each call, half a second, would have made forty calls in all.
  expect(times.length).toBeGreaterThan(40);
  expect(times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]).toBeLessThan(500);
  // Each process goes on from what it knew: nine and eight were left.
  expect(letIn).toBeLessThanOrEqual(17);
}, 60_000);

it("asks Redis nothing for a key without a limit", async () => {
  const config = testConfig();
  const api = await openApi(config);
  await holdKey(api.stores.mongo.documents, KEY, { name: "unlimited" });
  expect(await api.call()).toEqual({ status: 404, remain: "1000000" });
  expect(await api.stores.redis.connection.keys(`${config.QUEUE_PREFIX}:*`)).toEqual([]);
});

it.each([
  ["the last address where one proxy is trusted", 1, "203.0.113.9, 192.0.2.7", 404],
  ["no address that the client has put before it", 1, "192.0.2.7, 203.0.113.9", 403],
  ["the first of two where two are trusted", 2, "192.0.2.7, 203.0.113.9", 404],
  ["an address with the client's port", 1, "192.0.2.7:50123", 404],
  ["an address of IPv6 with the client's port", 1, "[2001:db8::7]:50123", 404],
  ["an address of IPv6 in brackets", 1, "[2001:db8::7]", 404],
  ["an IPv4 address of a socket for both, with its port", 1, "[::ffff:192.0.2.7]:50123", 404],
])("believes of X-Forwarded-For %s", async (_what, trustedProxies, forwarded, status) => {
  const api = await openApi(testConfig({ TRUSTED_PROXIES: String(trustedProxies) }));
  await holdKey(api.stores.mongo.documents, KEY, {
    name: "proxied",
    addresses: ["192.0.2.7", "2001:db8::7"],
  });
  expect((await api.call({ "x-forwarded-for": forwarded })).status).toBe(status);
});
