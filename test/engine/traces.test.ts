/** Traces as a collector gets them: from a request to the stores, and from a load over its batches to the stores. */
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
/** The spans of the worker for the batches of a load that was not traced. */
let ofUntraced: SentSpan[];
const faults: string[] = [];

// One of each: a load here, its batches in a thread of a process of their own, requests here. Then a load that is not traced,
// whose batches are. Both processes have ended, and sent what they had.
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

/** All but those of the load that was not traced: of its batches, and of what follows them in a trace of its own. */
const listSpans = () => {
  const others = new Set(ofUntraced.map(({ traceId }) => traceId));
  const followers = collector.spans.filter(({ linked }) => linked.some((traceId) => others.has(traceId)));
  for (const { traceId } of followers) others.add(traceId);
  return collector.spans.filter(({ traceId }) => !others.has(traceId));
};
const spansNamed = (name: string) => listSpans().filter((span) => span.name === name);
const childrenOf = ({ id }: SentSpan) => collector.spans.filter(({ parent }) => parent === id);

/** Names of the span and of those above it, up to the one that begins the trace. */
function wayUp(span: SentSpan): string[] {
  const above = collector.spans.find(({ id }) => id === span.parent);
  return [span.name, ...(above ? wayUp(above) : [])];
}

const operationsOf = (system: string) => (span: SentSpan) => span.attributes["db.system.name"] === system;

describe("a request", () => {
  it("is one span, in the trace of its caller", () => {
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

  it("is the parent of what it asks of MongoDB and of Elasticsearch", () => {
    const [lookup] = spansNamed("GET /company/:company_number");
    const [search] = spansNamed("GET /search/companies");
    if (!lookup || !search) throw new Error("they were not sent");
    const asked = childrenOf(lookup).filter(operationsOf("mongodb"));
    expect(asked.map(({ name }) => name)).toContain("records.fetchOne companies");
    const searched = childrenOf(search).filter(operationsOf("elasticsearch"));
    expect(searched.map(({ attributes }) => attributes)).toContainEqual({
      "db.system.name": "elasticsearch",
      "db.operation.name": "search",
      "db.collection.name": "companies",
    });
  });

  it("without a traceparent begins a trace", () => {
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

  it("reaches the stores in each batch, in the worker's thread", () => {
    const batches = spansNamed("process batches");
    expect(batches.length).toBeGreaterThan(1);
    expect(new Set(batches.map(({ service }) => service))).toEqual(new Set(["company-register-worker"]));
    for (const batch of batches) {
      expect(wayUp(batch)).toEqual(["process batches", "send batches", "loading files", "load"]);
      expect(childrenOf(batch).some(operationsOf("mongodb"))).toBe(true);
    }
    const indexed = listSpans()
      .filter(operationsOf("elasticsearch"))
      .filter((span) => span.attributes["db.operation.name"] === "write");
    const ways = indexed.map((span) => wayUp(span).at(-1));
    expect(ways.length).toBeGreaterThan(0);
    expect(new Set(ways)).toEqual(new Set(["load"]));
  });

  it("is not filled with the waits for other processes", () => {
    const asked = collector.spans.map(({ attributes }) => attributes["db.operation.name"]);
    expect(asked).not.toContain("guard");
    const [waiting] = spansNamed("updating the search");
    const names = waiting ? childrenOf(waiting).map(({ name }) => name) : [];
    // The position up to which it waits, and no look at how far the workers are.
    expect(names.filter((name) => name.includes("changes"))).not.toEqual([]);
    expect(names.filter((name) => name.includes("followers"))).toEqual([]);
  });
});

it("no span holds what was asked for, or by whom", () => {
  expect(JSON.stringify(collector.spans)).not.toMatch(/99000064|leading|zeros|test-key/i);
});

it("every span was taken", () => {
  expect(faults).toEqual([]);
  expect(worker.readOutput()).not.toContain("traces not sent");
});

it("the batches of a load that is not traced begin traces of their own", () => {
  expect(ofUntraced.length).toBeGreaterThan(0);
  expect(ofUntraced.filter(({ parent }) => parent !== "")).toEqual([]);
});
