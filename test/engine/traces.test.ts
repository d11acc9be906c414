/** Traces as a collector receives them: from requests to the stores, and from a load over batches to the stores. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startTracing, stopTracing } from "../../api/shared/tracing/tracing.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { openCollector, type Collector, type SentSpan } from "../support/collector.ts";
import { buildRegister } from "../support/faults/build.ts";
import { startWorker, type Program } from "../support/faults/processes.ts";
import { basic, openRegister, TEST_KEY, testConfig, type TestRegister } from "../support/register.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SENDER = "b7ad6b7169203331";
const COMPANY = "99000064";

let collector: Collector;
let register: TestRegister;
let worker: Program;
let exitCodes: number[];
/** The worker's spans for batches of the untraced load. */
let ofUntraced: SentSpan[];
const faults: string[] = [];

// A traced load and traced requests run here; the batches run in a thread of a process of their own. Then an untraced
// load runs, whose batches are still traced. Both processes end, so that all spans are sent.
beforeAll(async () => {
  collector = await openCollector();
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    BATCH_ROWS: "50",
    WORKER_THREADS: "1",
  };
  await startTracing({
    ...{ config: testConfig(settings), component: "api" },
    onFault: (reason) => faults.push(reason),
  });
  register = await openRegister({ settings, withWorker: false });
  worker = await startWorker(buildRegister(), register.config);
  const traced = await register.load("companies/BasicCompanyDataAsOneFile-2026-11-01.zip");
  const headers = { ...basic(TEST_KEY), traceparent: `00-${TRACE}-${SENDER}-01` };
  await register.get(`/company/${COMPANY}`, headers);
  await register.get("/search/companies?q=leading+zeros+sample", headers);
  await register.get(`/company/${COMPANY}/filing-history`);
  await stopTracing();
  const untraced = await register.load("officers/Prod195_4321_sc_1_01112026010001.dat");
  worker.kill("SIGTERM");
  await worker.ended;
  exitCodes = [traced, untraced].map(({ exitCode }) => exitCode);
  const [last] = await fetchLatestLoads(register.stores.mongo.documents, 1);
  ofUntraced = collector.spans.filter(
    ({ name, attributes }) => name === "process batches" && attributes["company_register.load"] === last?._id,
  );
}, 180_000);
afterAll(async () => {
  worker.kill("SIGKILL");
  await worker.ended;
  await register.close();
  await collector.close();
});

/** All spans but those of the untraced load: its batches, and the trace of their follower. */
const listSpans = () => {
  const others = new Set(ofUntraced.map(({ traceId }) => traceId));
  const followers = collector.spans.filter(({ linked }) => linked.some((traceId) => others.has(traceId)));
  for (const { traceId } of followers) others.add(traceId);
  return collector.spans.filter(({ traceId }) => !others.has(traceId));
};
const spansNamed = (name: string) => listSpans().filter((span) => span.name === name);
const childrenOf = ({ id }: SentSpan) => collector.spans.filter(({ parent }) => parent === id);

/** Names of the span and of its ancestors, up to the root of the trace. */
function ancestry(span: SentSpan): string[] {
  const above = collector.spans.find(({ id }) => id === span.parent);
  return [span.name, ...(above ? ancestry(above) : [])];
}

const isOperationOf = (system: string) => (span: SentSpan) => span.attributes["db.system.name"] === system;

describe("a request", () => {
  it("is one span, in its caller's trace", () => {
    const requests = collector.spans.filter(({ parent }) => parent === SENDER);
    expect(requests.map(({ name }) => name)).toEqual([
      "GET /company/:company_number",
      "GET /search/companies",
    ]);
    expect(requests.map(({ traceId }) => traceId)).toEqual([TRACE, TRACE]);
    expect(requests[0]).toMatchObject({
      service: "company-register-api",
      attributes: { "http.response.status_code": 200, "company_register.route": "company-profile" },
    });
  });

  it("is the parent of its MongoDB and Elasticsearch operations", () => {
    const [lookup] = spansNamed("GET /company/:company_number");
    const [search] = spansNamed("GET /search/companies");
    if (!lookup || !search) throw new Error("they were not sent");
    const asked = childrenOf(lookup).filter(isOperationOf("mongodb"));
    expect(asked.map(({ name }) => name)).toContain("records.fetchOne companies");
    const searched = childrenOf(search).filter(isOperationOf("elasticsearch"));
    expect(searched.map(({ attributes }) => attributes)).toContainEqual({
      "db.system.name": "elasticsearch",
      "db.operation.name": "search",
      "db.collection.name": "companies",
    });
  });

  it("begins a trace if it has no traceparent", () => {
    const [listed] = spansNamed("GET /company/:company_number/filing-history");
    expect(listed?.parent).toBe("");
    expect(listed?.traceId).not.toBe(TRACE);
  });
});

describe("a load", () => {
  it("is one trace: the load, its steps, its batches and the search update", () => {
    expect(exitCodes).toEqual([0, 0]);
    const loads = spansNamed("load");
    expect(loads).toHaveLength(1);
    const [load] = loads;
    if (!load) return;
    const steps = childrenOf(load).map(({ name }) => name);
    expect(steps).toEqual(expect.arrayContaining(["checking files", "loading files", "updating the search"]));
    const parts = ["send batches", "process batches", "follow changes"].flatMap(spansNamed);
    expect(new Set(parts.map(({ traceId }) => traceId))).toEqual(new Set([load.traceId]));
  });

  it("reaches the stores in each batch, in a thread of the worker", () => {
    const batches = spansNamed("process batches");
    expect(batches.length).toBeGreaterThan(1);
    expect(new Set(batches.map(({ service }) => service))).toEqual(new Set(["company-register-worker"]));
    for (const batch of batches) {
      expect(ancestry(batch)).toEqual(["process batches", "send batches", "loading files", "load"]);
      expect(childrenOf(batch).some(isOperationOf("mongodb"))).toBe(true);
    }
    const indexed = listSpans()
      .filter(isOperationOf("elasticsearch"))
      .filter((span) => span.attributes["db.operation.name"] === "write");
    const ways = indexed.map((span) => ancestry(span).at(-1));
    expect(ways.length).toBeGreaterThan(0);
    expect(new Set(ways)).toEqual(new Set(["load"]));
  });

  it("has no spans for waiting for other processes", () => {
    const asked = collector.spans.map(({ attributes }) => attributes["db.operation.name"]);
    expect(asked).not.toContain("guard");
    const [waiting] = spansNamed("updating the search");
    const names = waiting ? childrenOf(waiting).map(({ name }) => name) : [];
    // There is a span for the position that it waits for, but none for each check of the followers.
    expect(names.filter((name) => name.includes("changes"))).not.toEqual([]);
    expect(names.filter((name) => name.includes("followers"))).toEqual([]);
  });
});

it("no span contains a query, a company number or a key", () => {
  expect(JSON.stringify(collector.spans)).not.toMatch(/99000064|leading|zeros|test-key/i);
});

it("every span was accepted", () => {
  expect(faults).toEqual([]);
  expect(worker.readOutput()).not.toContain("traces not sent");
});

it("the batches of an untraced load begin their own traces", () => {
  expect(ofUntraced.length).toBeGreaterThan(0);
  expect(ofUntraced.filter(({ parent }) => parent !== "")).toEqual([]);
});
