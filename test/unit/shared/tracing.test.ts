import { afterEach, describe, expect, it } from "@jest/globals";
import { createServer, type RequestListener, type Server } from "node:http";
import { UnavailableError } from "../../../api/shared/runtime/errors.ts";
import { readConfig } from "../../../api/shared/settings/config.ts";
import { traceStore } from "../../../api/shared/stores/operations.ts";
import {
  inSpan,
  isTracing,
  outsideSpans,
  startTracing,
  stopTracing,
  traceContext,
  traceFields,
} from "../../../api/shared/tracing/tracing.ts";
import { addressOf } from "../../support/serve.ts";
import { keepSpans } from "../../support/spans.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const OTHER = "1bf7651916cd43dd8448eb211c80319c";
const SENDER = "b7ad6b7169203331";
const sentBy = (trace: string, flags = "01") => `00-${trace}-${SENDER}-${flags}`;

let end: () => void = () => undefined;
afterEach(() => end());

function keep(...options: Parameters<typeof keepSpans>) {
  const kept = keepSpans(...options);
  end = kept.end;
  return kept.list;
}

describe("a span", () => {
  it("is the parent of those that begin during its work", async () => {
    const list = keep();
    await inSpan({ name: "load" }, () => inSpan({ name: "step" }, () => Promise.resolve()));
    const [step, load] = list();
    expect([step?.name, load?.name]).toEqual(["step", "load"]);
    expect(step).toMatchObject({ traceId: load?.traceId, parent: load?.id });
    expect(load?.parent).toBeUndefined();
  });

  it("of work that fails says the class of the error and not its words", async () => {
    const list = keep();
    const failing = inSpan({ name: "load" }, () => Promise.reject(new RangeError("SMITH, Jane")));
    await expect(failing).rejects.toThrow("SMITH, Jane");
    expect(list()).toMatchObject([{ hasFailed: true, attributes: { "error.type": "RangeError" } }]);
    expect(JSON.stringify(list())).not.toContain("SMITH");
  });

  it("continues the trace that its work comes from", async () => {
    const list = keep();
    const from = [undefined, "nonsense", sentBy(TRACE), sentBy(TRACE)];
    await inSpan({ name: "process", from }, () => Promise.resolve());
    expect(list()).toMatchObject([{ traceId: TRACE, parent: SENDER, links: [] }]);
  });

  it("of work that comes from several traces links to each", async () => {
    const list = keep();
    const from = [sentBy(TRACE), sentBy(OTHER), sentBy(TRACE)];
    await inSpan({ name: "follow", from }, () => Promise.resolve());
    const [span] = list();
    expect(span).toMatchObject({ parent: undefined, links: [TRACE, OTHER] });
    expect([TRACE, OTHER]).not.toContain(span?.traceId);
  });

  it("is not sent if the trace that it continues is not", async () => {
    const list = keep();
    const [context, fields] = await inSpan({ name: "process", from: [sentBy(TRACE, "00")] }, () =>
      Promise.resolve([traceContext(), traceFields()]),
    );
    expect(list()).toEqual([]);
    expect(context).toEqual({ traceparent: expect.stringMatching(`^00-${TRACE}-[0-9a-f]{16}-00$`) });
    expect(fields).toEqual({});
  });

  it("gives log lines its trace id, and other processes a traceparent to continue it", async () => {
    const list = keep();
    const members = await inSpan({ name: "load" }, () =>
      Promise.resolve({ ...traceContext(), ...traceFields() }),
    );
    const [{ traceId, id } = { traceId: "", id: "" }] = list();
    expect(members).toEqual({ traceId, traceparent: `00-${traceId}-${id}-01` });
  });

  it("of a request begins a trace for the configured share; other spans always do", async () => {
    const list = keep({ requestPercent: 0 });
    await inSpan({ name: "GET", kind: "server" }, () => Promise.resolve());
    await inSpan({ name: "GET", kind: "server", from: [sentBy(TRACE)] }, () => Promise.resolve());
    await inSpan({ name: "load" }, () => Promise.resolve());
    expect(list().map(({ name, parent }) => [name, parent])).toEqual([
      ["GET", SENDER],
      ["load", undefined],
    ]);
  });
});

describe("the operations of a store", () => {
  const away = new UnavailableError("mongodb", "no answer of 10.0.0.7");
  const store = traceStore(
    {
      records: {
        fetchOne: (_record: object, filter: { _id: string }) => Promise.resolve(filter._id),
        count: () => Promise.reject(away),
      },
      documents: { fetch: (_collection: string, id: string) => Promise.resolve(id) },
      search: (indices: string[]) => Promise.resolve(indices.map(() => 0)),
      write: (index: string) => Promise.resolve(index.length),
      guard: (work: () => Promise<number>) => work(),
      walk: () => [1].values(),
    },
    "mongodb",
  );
  const companies = { collection: "companies" };

  it("return the same as before, each in a span that names the operation but no values", async () => {
    const list = keep();
    await inSpan({ name: "GET" }, async () => {
      expect(await store.records.fetchOne(companies, { _id: "00000006" })).toBe("00000006");
      expect(await store.documents.fetch("keys", "secret")).toBe("secret");
      expect(await store.search(["companies", "officers"])).toEqual([0, 0]);
      expect(await store.write("companies")).toBe(9);
      expect([...store.walk()]).toEqual([1]);
      expect(await store.guard(() => Promise.resolve(7))).toBe(7);
    });
    const request = list().at(-1);
    const named = (operation: string, target: string) => ({
      ...{ name: `${operation} ${target}`, kind: "client", parent: request?.id, hasFailed: false },
      attributes: {
        "db.system.name": "mongodb",
        "db.operation.name": operation,
        "db.collection.name": target,
      },
    });
    expect(list().slice(0, -1)).toMatchObject([
      named("records.fetchOne", "companies"),
      named("documents.fetch", "keys"),
      named("search", "companies,officers"),
      named("write", "companies"),
    ]);
    expect(JSON.stringify(list())).not.toMatch(/00000006|secret/);
  });

  it("that fail say the class of the error and not its words", async () => {
    const list = keep();
    await inSpan({ name: "GET" }, () => expect(store.records.count()).rejects.toBe(away));
    expect(list()[0]).toMatchObject({
      ...{ name: "records.count", hasFailed: true },
      attributes: { "error.type": "UnavailableError" },
    });
    expect(JSON.stringify(list())).not.toContain("10.0.0.7");
  });

  it("have no span outside of a request, load or batch, nor after it has ended", async () => {
    const list = keep();
    await store.documents.fetch("keys", "1");
    await inSpan({ name: "load" }, () => outsideSpans(() => store.documents.fetch("keys", "1")));
    let later: Promise<string> | undefined;
    await inSpan({ name: "GET" }, () => {
      later = new Promise((resolve) => setTimeout(() => resolve(store.documents.fetch("keys", "1")), 20));
      return Promise.resolve();
    });
    await later;
    expect(list().map(({ name }) => name)).toEqual(["load", "GET"]);
  });
});

describe("without the address of a collector", () => {
  it("work runs unchanged, and there are no traces", async () => {
    await startTracing({ config: readConfig({}), component: "api", onFault: fail });
    expect(isTracing()).toBe(false);
    const members = await inSpan({ name: "load" }, () =>
      Promise.resolve({ ...traceContext(), ...traceFields() }),
    );
    expect(members).toEqual({});
    await stopTracing();
  });
});

function fail(reason: string): never {
  throw new Error(reason);
}

describe("a collector", () => {
  const faults: string[] = [];
  let server: Server | undefined;
  afterEach(() => {
    faults.length = 0;
    server?.closeAllConnections();
    server?.close();
  });

  /** Starts a server that treats requests in this way; returns its address. */
  async function startServer(handle: RequestListener): Promise<string> {
    server = createServer(handle).listen(0, "127.0.0.1");
    return addressOf(server);
  }

  async function traceTo(endpoint: string, settings: Record<string, string> = {}): Promise<void> {
    const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...settings });
    await startTracing({ config, component: "api", onFault: (reason) => faults.push(reason) });
  }

  /** Begins more spans than are sent at once, and ends; returns how long the end took, in milliseconds. */
  async function traceMany(): Promise<number> {
    for (let count = 0; count < 2_000; count += 1) await inSpan({ name: "load" }, () => Promise.resolve());
    const tracedAt = performance.now();
    await stopTracing();
    return performance.now() - tracedAt;
  }

  it("that is unavailable keeps nobody waiting, and is reported once", async () => {
    await traceTo("http://127.0.0.1:1");
    expect(await traceMany()).toBeLessThan(4_500);
    expect(faults).toEqual([expect.stringContaining("ECONNREFUSED")]);
  }, 15_000);

  it("that does not answer delays the end of the process by at most three seconds, and is reported once", async () => {
    await traceTo(await startServer(() => undefined));
    expect(await traceMany()).toBeLessThan(4_500);
    expect(faults).toHaveLength(1);
  }, 15_000);

  it("that refuses spans is reported with its address and its message", async () => {
    const endpoint = await startServer((_request, response) => response.writeHead(401).end());
    await traceTo(endpoint);
    await traceMany();
    expect(faults).toEqual([`${endpoint}: Unauthorized`]);
  });

  it("gets all spans under the address, with the headers that the settings name", async () => {
    const got: { url: string | undefined; key: unknown; spans: number }[] = [];
    const endpoint = await startServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const spans = Buffer.concat(chunks).toString().split('"traceId"').length - 1;
        got.push({ url: request.url, key: request.headers["x-key"], spans });
        response.setHeader("content-type", "application/json").end("{}");
      });
    });
    await traceTo(`${endpoint}/otlp/`, { OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b" });
    await traceMany();
    expect(got.every(({ url, key }) => url === "/otlp/v1/traces" && key === "a b")).toBe(true);
    expect(got.reduce((sum, { spans }) => sum + spans, 0)).toBe(2_000);
    expect(faults).toEqual([]);
  });
});
