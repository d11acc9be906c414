/** The API's metrics, scraped from its private port. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Server } from "node:http";
import { buildApp } from "../../api/app.ts";
import { createLogger } from "../../api/shared/runtime/logger.ts";
import { createMetrics } from "../../api/shared/metrics/metrics.ts";
import { openPrivatePort, type PrivatePort } from "../../api/shared/runtime/private-port.ts";
import { closeStores, openStores, type Stores } from "../../api/shared/stores/index.ts";
import { buildMetricsPages, countRequests } from "../../api/http/ops.ts";
import { resources } from "../../api/resources/index.ts";
import { downloads, searches } from "../../api/search/index.ts";
import { TEST_KEY, basic, openRegister, type TestRegister } from "../support/register.ts";
import { parsePage, sampleOf, valuesOf } from "../support/scrape.ts";
import { addressOf } from "../support/serve.ts";

const log = createLogger("silent", "api");

let register: TestRegister;
let stores: Stores;
let server: Server;
let port: PrivatePort;
let base: string;

beforeAll(async () => {
  register = await openRegister();
  await register.load("companies/BasicCompanyDataAsOneFile-2026-11-01.zip");
  const metrics = createMetrics("api");
  stores = openStores(register.config, { metrics });
  const { config } = register;
  const app = buildApp({ config, stores, log, clock: () => new Date(), onEnd: countRequests(metrics) });
  server = app.listen(0, "127.0.0.1");
  base = await addressOf(server);
  const pages = buildMetricsPages(stores, metrics, { keptMs: 0 });
  port = await openPrivatePort({ host: "127.0.0.1", port: 0, setting: "METRICS_PORT" }, pages, log);
});
afterAll(async () => {
  port.close();
  server.close();
  await closeStores(stores);
  await register.close();
});

async function ask(path: string): Promise<number> {
  const response = await fetch(base + path, { headers: basic(TEST_KEY) });
  await response.arrayBuffer();
  return response.status;
}

async function scrape(): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port.port}/metrics`);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  return response.text();
}

/** Waits until a route has at least `least` requests, since they are counted after their answer; returns the count. */
async function requests(route: string, status: string, least: number): Promise<number> {
  const deadline = Date.now() + 5_000;
  for (;;) {
    const count = sampleOf(await scrape(), "request_seconds_count", { route, status }) ?? 0;
    if (count >= least || Date.now() > deadline) return count;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("the API's metrics", () => {
  it("count requests by route name and status", async () => {
    await ask("/company/99000064");
    await ask("/company/99000001");
    await ask("/company/98999999");
    await ask("/search/companies?q=sample");
    await ask("/search/companies");
    expect(await requests("company-profile", "200", 2)).toBe(2);
    expect(await requests("company-profile", "404", 1)).toBe(1);
    expect(await requests("search-companies", "200", 1)).toBe(1);
    expect(await requests("search-companies", "400", 1)).toBe(1);
  });

  it("time each request's store operations", async () => {
    const lookUps = async () =>
      sampleOf(await scrape(), "store_operation_seconds_count", {
        store: "mongodb",
        operation: "records.fetchOne",
      }) ?? 0;
    const before = await lookUps();
    await ask("/company/99000064");
    expect((await lookUps()) - before).toBeGreaterThanOrEqual(1);
    const labels = { store: "elasticsearch", operation: "search" };
    expect(sampleOf(await scrape(), "store_operation_seconds_count", labels)).toBeGreaterThanOrEqual(1);
    expect(sampleOf(await scrape(), "store_operation_seconds_sum", labels)).toBeGreaterThan(0);
  });

  it("have no label that a caller could choose", async () => {
    const status = await Promise.all([
      ask("/no-such-path-7c1"),
      ask("/company/ZZ7C1ZZ7/officers"),
      ask("/officers/7c1-7c1/appointments"),
      ask("/search/companies?q=7c1-query"),
    ]);
    expect(status).toEqual([404, 404, 404, 200]);
    await requests("none", "4xx", 1);
    const page = await scrape();
    expect(page).not.toMatch(/7c1/i);
    const known = [...resources, ...searches, ...downloads].map(({ name }) => name);
    expect(valuesOf(page, "route").filter((route) => !known.includes(route))).toEqual(["none"]);
  });

  it("report which stores are up, and describe the process", async () => {
    const page = await scrape();
    expect(sampleOf(page, "up", { store: "mongodb" })).toBe(1);
    expect(sampleOf(page, "up", { store: "elasticsearch" })).toBe(1);
    expect(sampleOf(page, "up", { store: "redis" })).toBe(1);
    expect(parsePage(page).some(({ name }) => name === "process_resident_memory_bytes")).toBe(true);
  });

  it("are not served on the public port", async () => {
    expect(await ask("/metrics")).toBe(404);
  });
});

describe("the API's metrics without Elasticsearch", () => {
  it("report it as down, count its faults, and still report MongoDB as up", async () => {
    const metrics = createMetrics("api");
    // Nothing listens on port 1.
    const lost = openStores({ ...register.config, ELASTICSEARCH_URL: "http://127.0.0.1:1" }, { metrics });
    const pages = buildMetricsPages(lost, metrics);
    await expect(lost.elasticsearch.search(["companies"], [{}])).rejects.toThrow(/not available/);
    const { body } = (await pages["/metrics"]?.()) ?? { body: "" };
    expect(sampleOf(body, "up", { store: "elasticsearch" })).toBe(0);
    expect(sampleOf(body, "up", { store: "mongodb" })).toBe(1);
    expect(await pages["/healthz"]?.()).toMatchObject({ status: 200 });
    const labels = { store: "elasticsearch", operation: "search", kind: "unavailable" };
    expect(sampleOf(body, "store_faults_total", labels)).toBe(1);
    await closeStores(lost);
  });
});
