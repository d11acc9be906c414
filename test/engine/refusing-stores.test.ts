/** Stores that answer with a refusal: clients are told to retry, and the log gets one line. */
import { Writable } from "node:stream";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { createLogger } from "../../api/shared/runtime/logger.ts";
import type { Config } from "../../api/shared/settings/config.ts";
import { closeStores } from "../../api/shared/stores/index.ts";
import { openRefusingEngine } from "../support/faults/refusing-engine.ts";
import { addTestKey } from "../support/keys.ts";
import { startProcess } from "../support/oauth.ts";
import { basic, openStorage, testConfig } from "../support/register.ts";

const KEY = "some-key";
const WARNING = 40;

const lines: { level: number; msg: string; reason?: string }[] = [];
const sink = new Writable({
  write: (chunk, _encoding, done) => (lines.push(JSON.parse(String(chunk)) as never), done()),
});
const log = createLogger("trace", "api", sink);
const closers: (() => Promise<unknown>)[] = [];
beforeEach(() => void lines.splice(0));
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Opens an API with these settings; returns a function that calls it. */
async function openApi(config: Config) {
  const api = await startProcess(config, {}, { log });
  closers.push(api.close);
  return async (path: string) => {
    const answer = await fetch(api.base + path, { headers: basic(KEY) });
    const body = (await answer.json()) as { error?: string };
    return { status: answer.status, retryAfter: answer.headers.get("retry-after"), error: body.error };
  };
}

/** Opens an empty register with the key, and an engine that can refuse requests. */
async function openEngine() {
  const { config, stores, end } = await openStorage();
  await addTestKey(stores.mongo.documents, KEY, { name: "tests" });
  const engine = await openRefusingEngine(config.ELASTICSEARCH_URL);
  closers.push(() => closeStores(stores), end, engine.close);
  return { engine, config: { ...config, ELASTICSEARCH_URL: engine.address } };
}

const faultsLogged = () => lines.filter(({ level }) => level >= WARNING);

it.each([
  [
    "mongodb",
    "/company/99000064",
    () => {
      const config = testConfig();
      const MONGODB_URL = config.MONGODB_URL.replace("://", "://nobody:wrong@");
      return Promise.resolve({ ...config, MONGODB_URL });
    },
  ],
  [
    // Elasticsearch with security does this while it starts, before it can read its users.
    "elasticsearch",
    "/search/companies?q=limited",
    async () => {
      const { engine, config } = await openEngine();
      const error = { type: "security_exception", reason: "failed to authenticate user [register]" };
      engine.refuse({ of: /./, status: 401, error });
      return config;
    },
  ],
] as const)(
  "calls get 503 and a time to retry, and the log one line, when %s refuses access",
  async (store, path, open) => {
    const call = await openApi(await open());
    for (let time = 0; time < 5; time += 1)
      expect(await call(path)).toEqual({
        status: 503,
        retryAfter: "2",
        error: `Service unavailable: ${store} refuses access`,
      });
    expect(faultsLogged()).toMatchObject([{ msg: "store refuses access", store }]);
  },
);

it("an overloaded Elasticsearch is reported as such, and is not pinged in addition to the searches", async () => {
  const { engine, config } = await openEngine();
  const call = await openApi(config);
  const search = () => call("/search/companies?q=limited");
  expect(await search()).toMatchObject({ status: 200 });
  const error = { type: "es_rejected_execution_exception", reason: "rejected execution of a search" };
  engine.refuse({ of: /^POST .*search/, status: 429, error });
  engine.asked.splice(0);
  for (let time = 0; time < 5; time += 1)
    expect(await search()).toEqual({
      status: 503,
      retryAfter: "2",
      error: "Service unavailable: elasticsearch has too much to do",
    });
  expect(engine.asked.filter((one) => !one.startsWith("POST"))).toEqual([]);
  expect(faultsLogged()).toMatchObject([{ level: WARNING, msg: "store overloaded" }]);
  engine.refuse(null);
  expect(await search()).toMatchObject({ status: 200 });
});
