import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { Client, errors } from "@elastic/elasticsearch";
import { DirectConnection } from "../../../api/shared/stores/elasticsearch/nodes.ts";
import { DirectTransport } from "../../../api/shared/stores/elasticsearch/search.ts";
import { LateError } from "../../../api/shared/runtime/deadlines.ts";
import { inSpan } from "../../../api/shared/tracing/tracing.ts";
import { addressOf, serve } from "../../support/serve.ts";
import { keepSpans } from "../../support/spans.ts";

/** A request that the engine got. */
interface Got {
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

type Reply = (response: ServerResponse, request: IncomingMessage) => unknown;

const TIMEOUT_MS = 400;
const FOUND = { took: 1, hits: { total: { value: 1, relation: "eq" }, hits: [{ _id: "1" }] } };
const asElasticsearch = { "x-elastic-product": "Elasticsearch", "content-type": "application/json" };
const found: Reply = (response) => response.writeHead(200, asElasticsearch).end(JSON.stringify(FOUND));
const status =
  (code: number, body: object, headers: Record<string, string> = asElasticsearch): Reply =>
  (response) =>
    response.writeHead(code, headers).end(JSON.stringify(body));

let server: Server;
let address: string;
let client: Client;
let got: Got[];
let replies: Reply[];
beforeEach(async () => {
  got = [];
  replies = [];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      got.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks).toString() });
      void (replies.shift() ?? found)(response, request);
    });
  });
  address = await addressOf(server.listen(0, "127.0.0.1"));
  client = openClient();
});
afterEach(async () => {
  await client.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function openClient(): Client {
  return new Client({
    ...{ node: `${address.replace("//", "//reader:secret@")}/engine`, requestTimeout: TIMEOUT_MS },
    ...{ Connection: DirectConnection, Transport: DirectTransport },
  });
}

// One more try, at once, as for searches.
const RETRY = { maxRetries: 1, retryBackoff: () => 0 };
const search = (options: object = {}) =>
  client.search(
    { index: "companies", query: { match_all: {} }, track_total_hits: true },
    { ...RETRY, ...options },
  );

describe("a search by the direct path", () => {
  it("sends path, query, body, types and credentials, and returns the answer", async () => {
    expect(
      await client.search({ index: "a,b", size: 3, allow_partial_search_results: false }, RETRY),
    ).toEqual(FOUND);
    const [{ path, headers, body } = { path: "", headers: {}, body: "" }] = got;
    expect(path).toBe("/engine/a%2Cb/_search?allow_partial_search_results=false");
    expect(JSON.parse(body)).toEqual({ size: 3 });
    expect(headers).toMatchObject({
      accept: expect.stringContaining("application/vnd.elasticsearch+json"),
      authorization: `Basic ${Buffer.from("reader:secret").toString("base64")}`,
    });
  });

  it("sends several bodies as lines, and returns the same as the client's own path", async () => {
    replies = [status(200, { took: 1, responses: [FOUND, FOUND] })];
    const searches = [{ index: "a" }, { size: 1 }, { index: "b" }, { size: 2 }];
    const answer = await client.msearch({ searches }, { ...RETRY, meta: true });
    expect(answer).toMatchObject({ statusCode: 200, body: { responses: [FOUND, FOUND] } });
    expect(got[0]?.body).toBe(searches.map((line) => `${JSON.stringify(line)}\n`).join(""));
    expect(got[0]?.headers["content-type"]).toContain("ndjson");
  });

  it("reads characters whose bytes come in two chunks", async () => {
    const bytes = Buffer.from(JSON.stringify({ ...FOUND, name: "Ŵ" }));
    const half = bytes.indexOf(Buffer.from("Ŵ")) + 1;
    replies = [
      async (response) => {
        response.writeHead(200, asElasticsearch).write(bytes.subarray(0, half));
        await new Promise((resolve) => setTimeout(resolve, 20));
        response.end(bytes.subarray(half));
      },
    ];
    expect(await search()).toEqual({ ...FOUND, name: "Ŵ" });
  });
});

it("requests have the traceparent of the current span, by the direct path and by the client's own", async () => {
  const spans = keepSpans();
  // Tracing begins before stores are opened.
  await client.close();
  client = openClient();
  await inSpan({ name: "GET" }, async () => {
    await search();
    await client.count({ index: "companies" });
  });
  spans.end();
  await search();
  const [{ traceId, id } = { traceId: "", id: "" }] = spans.list();
  const traceparent = `00-${traceId}-${id}-01`;
  expect(got.map(({ headers }) => headers.traceparent)).toEqual([traceparent, traceparent, undefined]);
  // The client's own spans would hold addresses.
  expect(spans.list()).toHaveLength(1);
});

describe("faults", () => {
  it("a refusal by the engine is the client's error, and is not sent again", async () => {
    const error = { type: "index_not_found_exception", reason: "no such index [companies]" };
    replies = [status(404, { error, status: 404 })];
    const refused = await search().catch((thrown: unknown) => thrown);
    expect(refused).toBeInstanceOf(errors.ResponseError);
    expect(refused).toMatchObject({ statusCode: 404, body: { error } });
    expect(got).toHaveLength(1);
  });

  it.each<[string, Reply]>([
    ["a connection that breaks", (_response, request) => request.socket.destroy()],
    ["a node that is about to stop (503)", status(503, {})],
  ])("%s is followed by another try", async (_name, reply) => {
    replies = [reply];
    expect(await search()).toEqual(FOUND);
    expect(got).toHaveLength(2);
  });

  it("a connection that stays broken is a ConnectionError", async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await expect(search()).rejects.toBeInstanceOf(errors.ConnectionError);
    server.listen(0, "127.0.0.1");
  });

  it("an address where something other than Elasticsearch answers is reported", async () => {
    const other = status(200, {}, { "content-type": "application/json" });
    replies = [other, other, other];
    await expect(search()).rejects.toBeInstanceOf(errors.ProductNotSupportedError);
  });

  it("an engine that does not answer in time causes a TimeoutError, without another try", async () => {
    replies = [() => undefined];
    await expect(search()).rejects.toBeInstanceOf(errors.TimeoutError);
    expect(got).toHaveLength(1);
  });

  it("a search keeps a shorter time limit of its own", async () => {
    replies = [
      async (response, request) => {
        await new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS / 2));
        found(response, request);
      },
    ];
    await expect(search({ requestTimeout: TIMEOUT_MS / 8 })).rejects.toBeInstanceOf(errors.TimeoutError);
  });

  it("of several nodes, one that has failed or was too late gets no requests", async () => {
    const other = await serve((request, response) => {
      request.resume().on("end", () => void found(response, request));
    });
    const both = new Client({
      ...{ nodes: [address, other.base], Connection: DirectConnection, Transport: DirectTransport },
    });
    let hanging = new AbortController();
    const ask = async () => {
      hanging = new AbortController();
      const asked = both.search({ index: "companies" }, { ...RETRY, signal: hanging.signal });
      return asked.then(
        () => true,
        () => false,
      );
    };
    try {
      // This node never answers, and its time is over as soon as it is asked.
      replies = Array.from({ length: 20 }, () => () => hanging.abort(new LateError(100)));
      const first = [await ask(), await ask(), await ask(), await ask()];
      expect(first.filter((isAnswered) => !isAnswered)).toHaveLength(1);
      for (let at = 0; at < 6; at += 1) expect(await ask()).toBe(true);
      expect(got).toHaveLength(1);
    } finally {
      await both.close();
      await other.close();
    }
  });

  it("a signal ends the request, and the engine sees its connection closed", async () => {
    const ending = new AbortController();
    const closed = new Promise((resolve) => {
      replies = [
        (response) => {
          response.once("close", resolve);
          ending.abort();
        },
      ];
    });
    await expect(search({ signal: ending.signal })).rejects.toBeInstanceOf(errors.RequestAbortedError);
    await closed;
    await expect(search({ signal: AbortSignal.abort() })).rejects.toBeInstanceOf(errors.RequestAbortedError);
    expect(got).toHaveLength(1);
  });
});
