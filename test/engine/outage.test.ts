/** The API and loads without one of their stores, or without the indices. */
import { describe, expect, it } from "@jest/globals";
import type { AddressInfo } from "node:net";
import { buildApp } from "../../api/app.ts";
import { addTestKey } from "../support/keys.ts";
import { createLogger } from "../../api/shared/runtime/logger.ts";
import { closeStores, openStores } from "../../api/shared/stores/index.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { COMPANIES } from "../support/load-command.ts";
import { basic, runCommand, testConfig } from "../support/register.ts";

// Nothing listens on port 1, so the connection is refused at once.
const DEAD_ADDRESS = "127.0.0.1:1";

/** Calls an API with these store addresses; its key exists if MongoDB is available. */
async function ask(path: string, settings: Record<string, string>) {
  const config = testConfig(settings);
  const stores = openStores(config, { forRequests: { onChange: () => undefined } });
  const hasMongo = !("MONGODB_URL" in settings);
  if (hasMongo) await addTestKey(stores.mongo.documents, "some-key", { name: "tests" });
  const app = buildApp({ config, stores, log: createLogger("silent", "api"), clock: () => new Date() });
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: basic("some-key") });
  const body = (await response.json()) as Record<string, unknown>;
  server.close();
  if (hasMongo) await stores.mongo.dropDatabase();
  await closeStores(stores);
  return { status: response.status, body };
}

describe("without MongoDB", () => {
  const settings = { MONGODB_URL: `mongodb://${DEAD_ADDRESS}` };

  it("a request is answered 503, naming the store and an id for the log", async () => {
    const answer = await ask("/company/99000064", settings);
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual({
      error: "Service unavailable: mongodb cannot be reached",
      exception_id: expect.any(String),
    });
  });

  it("the API is alive and not ready", async () => {
    expect((await ask("/healthz", settings)).status).toBe(200);
    const ready = await ask("/readyz", settings);
    expect(ready.status).toBe(503);
    expect(ready.body).toMatchObject({ status: "not ready", checks: { elasticsearch: "ok" } });
  });
});

describe("without Elasticsearch", () => {
  it("a search is answered 503, naming the store", async () => {
    const answer = await ask("/search/companies?q=anything", { ELASTICSEARCH_URL: `http://${DEAD_ADDRESS}` });
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({ error: "Service unavailable: elasticsearch cannot be reached" });
  });

  it("the API is not ready", async () => {
    const ready = await ask("/readyz", { ELASTICSEARCH_URL: `http://${DEAD_ADDRESS}` });
    expect(ready.status).toBe(503);
    expect(ready.body).toMatchObject({
      checks: { mongodb: "ok", elasticsearch: expect.stringContaining("not available") },
    });
  });
});

describe("without the indices", () => {
  it("readiness names the missing ones and what to do", async () => {
    const ready = await ask("/readyz", {});
    expect(ready.body).toMatchObject({
      checks: { indices: expect.stringMatching(/missing: companies, .*npm run cli -- prepare/) },
    });
  });
});

it.each([
  ["redis", { REDIS_URL: `redis://${DEAD_ADDRESS}` }],
  ["mongodb", { MONGODB_URL: `mongodb://${DEAD_ADDRESS}` }],
  ["elasticsearch", { ELASTICSEARCH_URL: `http://${DEAD_ADDRESS}` }],
])("a load without %s fails at once and names it", async (store, settings) => {
  const { error } = await runCommand({ config: testConfig(settings) }, loadCommand, [COMPANIES], {
    encoding: "utf-8",
  });
  expect(error?.message).toContain(`${store} is not available`);
});
