/** The private port of a worker: its metrics and its readiness. */
import { afterEach, describe, expect, it } from "@jest/globals";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createLogger } from "../../api/shared/runtime/logger.ts";
import { createMetrics } from "../../api/shared/metrics/metrics.ts";
import { openPrivatePort } from "../../api/shared/runtime/private-port.ts";
import { closeStores, openStores } from "../../api/shared/stores/index.ts";
import { FOLLOWERS } from "../../api/shared/stores/collections/positions.ts";
import { writeFollowed } from "../../ingest/follow/positions.ts";
import { removeKeptRows, writeKeptRows } from "../../ingest/refused-rows/refused-rows.ts";
import { buildPrivatePages } from "../../ingest/private-pages.ts";
import { BATCH_RETRIES, openQueue } from "../../ingest/queue/queue.ts";
import { startWorker } from "../../ingest/worker.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { keepLoad } from "../support/loads.ts";
import { openRegister } from "../support/register.ts";
import { sampleOf } from "../support/scrape.ts";

// Nothing listens on port 1.
const DEAD_ADDRESS = "127.0.0.1:1";
const log = createLogger("silent", "worker");

const register = forAllTests(() => openRegister({ withWorker: false }));
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Opens a worker's private port; with `isWorking` the worker also takes batches. */
async function open({ settings = {}, isWorking = false } = {}): Promise<string> {
  const metrics = createMetrics("worker");
  const config = { ...register.config, ...settings };
  const stores = openStores(config, { forWorker: true, metrics });
  const queue = openQueue(stores.redis, config.QUEUE_PREFIX);
  const pages = buildPrivatePages({ stores, queue, metrics, keptMs: 0 });
  const port = await openPrivatePort({ host: "127.0.0.1", port: 0, setting: "WORKER_PORT" }, pages, log);
  const stop = isWorking ? startWorker(config, stores, log, metrics) : undefined;
  closers.push(async () => {
    port.close();
    await stop?.();
    // Close the queue first: otherwise it would reopen a connection that was closed under it.
    await Promise.race([queue.close(), new Promise((resolve) => setTimeout(resolve, 200))]);
    await closeStores(stores);
  });
  return `http://127.0.0.1:${port.port}`;
}

const textOf = async (url: string) => (await fetch(url)).text();

/** Adds a batch to the queue that no worker takes. */
async function enqueue(id: string, timestamp: number): Promise<void> {
  const queue = openQueue(register.stores.redis, register.config.QUEUE_PREFIX);
  const batch = { load: "a-load", file: "a.jsonl", source: "api-json-lines", context: {}, revision: 1 };
  const rows = [{ line: 1, text: "a row" }];
  await queue.add(batch.source, { ...batch, rows }, { ...BATCH_RETRIES, jobId: id, timestamp });
  closers.push(() => queue.obliterate({ force: true }).then(() => queue.close()));
}

describe("the worker's metrics", () => {
  it("count a load's rows and batches by source and outcome, and say when it ended and as of which day", async () => {
    const base = await open({ isWorking: true });
    const startedAt = Date.now() / 1000;
    const file = "companies/BasicCompanyDataAsOneFile-2026-11-01.zip";
    expect(await register.load(file)).toMatchObject({ exitCode: 0 });
    expect(await register.load(file)).toMatchObject({ exitCode: 0 });
    const page = await textOf(`${base}/metrics`);
    const source = "company-csv";
    const rows = (outcome: string) => sampleOf(page, "rows_total", { source, outcome });
    expect([rows("written"), rows("unchanged"), rows("refused"), rows("removed")]).toEqual([200, 200, 0, 0]);
    expect(sampleOf(page, "batch_seconds_count", { source, outcome: "done" })).toBe(2);
    const loadedAt = sampleOf(page, "source_loaded_timestamp_seconds", { source }) ?? 0;
    expect(loadedAt).toBeGreaterThanOrEqual(startedAt);
    expect(loadedAt).toBeLessThanOrEqual(Date.now() / 1000);
    expect(sampleOf(page, "source_production_timestamp_seconds", { source })).toBe(
      Date.parse("2026-11-01") / 1000,
    );
    const writes = { store: "elasticsearch", operation: "write" };
    expect(sampleOf(page, "store_operation_seconds_count", writes)).toBeGreaterThanOrEqual(1);
  });

  it("show the number of running loads and of refused rows", async () => {
    const { mongo, redis } = register.stores;
    const lock = await redis.locks.acquire("load:one-that-runs");
    const refusedRow = {
      load: "refused",
      file: "companies.csv",
      source: "company-csv",
      reason: "odd",
      text: "odd",
    };
    await writeKeptRows(mongo.documents, [
      { ...refusedRow, line: 2 },
      { ...refusedRow, line: 3 },
    ]);
    const page = await textOf(`${await open()}/metrics`);
    await lock?.release();
    await removeKeptRows(mongo.documents, "refused");
    expect(sampleOf(page, "loads_running", {})).toBe(1);
    expect(sampleOf(page, "refused_rows", {})).toBe(2);
    const later = await textOf(`${await open()}/metrics`);
    expect([sampleOf(later, "loads_running", {}), sampleOf(later, "refused_rows", {})]).toEqual([0, 0]);
  });

  it("count failed loads until others replace them", async () => {
    const { documents } = register.stores.mongo;
    const count = async () => sampleOf(await textOf(`${await open()}/metrics`), "failed_loads", {});
    expect(await count()).toBe(0);
    // A cut file: none of its batches was queued.
    await keepLoad(documents, { _id: "29990101T000000000-aaaa", state: "failed" });
    expect(await count()).toBe(1);
    await keepLoad(documents, { _id: "29990101T000000001-aaaa" });
    expect(await count()).toBe(0);
    for (const ending of ["0-aaaa", "1-aaaa"]) await documents.remove("loads", `29990101T00000000${ending}`);
  });

  it("show a followed stream whose server never answered, such as one that refused the key", async () => {
    const { documents } = register.stores.mongo;
    await writeFollowed(documents, { stream: "companies", from: "http://example.org/", fault: "refused" });
    const page = await textOf(`${await open()}/metrics`);
    await documents.remove(FOLLOWERS, "stream/companies");
    expect(sampleOf(page, "followed_stream_heard_timestamp_seconds", { stream: "companies" })).toBe(0);
    expect(sampleOf(page, "followed_stream_delay_seconds", { stream: "companies" })).toBeUndefined();
  });

  it("show when a followed stream was last heard, and how late its last event was written", async () => {
    const { documents } = register.stores.mongo;
    const moment = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1_000).toISOString();
    const moments = { published_at: moment(0), written_at: moment(90), heard_at: moment(100) };
    await writeFollowed(documents, { stream: "companies", from: "http://example.org/", ...moments });
    const page = await textOf(`${await open()}/metrics`);
    await documents.remove(FOLLOWERS, "stream/companies");
    const gauges = ["followed_stream_heard_timestamp_seconds", "followed_stream_delay_seconds"];
    expect(gauges.map((gauge) => sampleOf(page, gauge, { stream: "companies" }))).toEqual([
      1_800_000_100, 90,
    ]);
  });

  it("show how many batches wait, and for how long the oldest", async () => {
    const base = await open();
    const idle = await textOf(`${base}/metrics`);
    expect(sampleOf(idle, "queue_batches", { state: "waiting" })).toBe(0);
    expect(sampleOf(idle, "queue_oldest_batch_age_seconds", {})).toBe(0);
    await enqueue("older", Date.now() - 3_600_000);
    await enqueue("younger", Date.now() - 60_000);
    const page = await textOf(`${base}/metrics`);
    expect(sampleOf(page, "queue_batches", { state: "waiting" })).toBe(2);
    const age = sampleOf(page, "queue_oldest_batch_age_seconds", {}) ?? 0;
    expect(Math.floor(age / 60)).toBe(60);
  });

  it.each([
    ["mongodb", { MONGODB_URL: `mongodb://${DEAD_ADDRESS}` }],
    ["elasticsearch", { ELASTICSEARCH_URL: `http://${DEAD_ADDRESS}` }],
    ["redis", { REDIS_URL: `redis://${DEAD_ADDRESS}` }],
  ])("report %s as down, and still show what the other stores know", async (dead, settings) => {
    const page = await textOf(`${await open({ settings })}/metrics`);
    for (const store of ["mongodb", "elasticsearch", "redis"]) {
      expect({ store, up: sampleOf(page, "up", { store }) }).toEqual({ store, up: store === dead ? 0 : 1 });
    }
    expect(sampleOf(page, "queue_batches", { state: "waiting" })).toBe(dead === "redis" ? undefined : 0);
    expect(sampleOf(page, "refused_rows", {})).toBe(dead === "mongodb" ? undefined : 0);
  });
});

describe("the worker's readiness", () => {
  it("is reported when all stores answer and the indices fit", async () => {
    const response = await fetch(`${await open()}/readyz`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      status: "ready",
      checks: { mongodb: "ok", elasticsearch: "ok", redis: "ok", indices: "ok" },
    });
  });

  it("is refused without Redis, by name, while the worker is alive", async () => {
    const base = await open({ settings: { REDIS_URL: `redis://${DEAD_ADDRESS}` } });
    const response = await fetch(`${base}/readyz`);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      status: "not ready",
      checks: { mongodb: "ok", redis: expect.stringMatching(/no answer|not available/) },
    });
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
  });
});

describe("a private port", () => {
  it("in use is reported in a sentence that names its setting", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    closers.push(() => new Promise((resolve) => other.close(resolve)));
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as AddressInfo;
    const address = { host: "127.0.0.1", port, setting: "WORKER_PORT" };
    await expect(openPrivatePort(address, {}, log)).rejects.toThrow(
      new RegExp(`^WORKER_PORT: cannot listen on 127.0.0.1:${port} .*EADDRINUSE.*WORKER_PORT to a free port`),
    );
  });

  it("at another machine's address is reported in a sentence that names the address's setting", async () => {
    const address = { host: "192.0.2.1", port: 0, setting: "WORKER_PORT" };
    await expect(openPrivatePort(address, {}, log)).rejects.toThrow(
      /EADDRNOTAVAIL.*set PRIVATE_HOST to an address of this machine/,
    );
  });

  it("lists its pages to a caller of an unknown one", async () => {
    const response = await fetch(`${await open()}/nowhere`);
    expect(response.status).toBe(404);
    expect(await response.text()).toMatch(/\/healthz, \/readyz, \/metrics$/m);
  });
});
