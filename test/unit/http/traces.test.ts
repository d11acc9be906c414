import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { request } from "node:http";
import { Writable } from "node:stream";
import Router from "@koa/router";
import Koa from "koa";
import { errorResponse } from "../../../api/http/error-response.ts";
import { requestContext, type RequestState } from "../../../api/http/request-context.ts";
import { traceRequests } from "../../../api/http/ops.ts";
import { createLogger } from "../../../api/shared/runtime/logger.ts";
import { inSpan } from "../../../api/shared/tracing/tracing.ts";
import { listen, type Listening } from "../../support/serve.ts";
import { keepSpans, type KeptSpan } from "../../support/spans.ts";
import { waitUntil } from "../../support/wait-until.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SENDER = "b7ad6b7169203331";

let kept: ReturnType<typeof keepSpans>;
let server: Listening;
let log: string;
beforeEach(async () => {
  log = "";
  kept = keepSpans();
  const router = new Router<RequestState>();
  router.get("/company/:company_number", async (ctx) => {
    ctx.state.route = "company-profile";
    await inSpan({ name: "fetch" }, () => Promise.resolve());
    ctx.body = "{}";
  });
  router.get("/fails", () => Promise.reject(new Error("SMITH, Jane")));
  router.get("/hangs", () => new Promise(() => undefined));
  const app = new Koa<RequestState>();
  app.use(traceRequests());
  const sink = new Writable({ write: (chunk, _encoding, done) => ((log += String(chunk)), done()) });
  app.use(requestContext(createLogger("info", "api", sink)));
  app.use(errorResponse());
  app.use(router.routes());
  server = await listen(app);
});
afterEach(async () => {
  kept.end();
  await server.close();
});

/** Sends a request; returns the spans once its own has ended, which happens after its answer. */
async function spansOf(path: string, init?: RequestInit): Promise<KeptSpan[]> {
  await (await fetch(server.base + path, init)).arrayBuffer();
  await waitUntil(
    () => Promise.resolve(kept.list().some(({ kind }) => kind === "server")),
    "the span of the request",
  );
  return kept.list();
}

it("the span of a request has its route instead of its path, and is the parent of what the request does", async () => {
  const [fetched, answered] = await spansOf("/company/99000064?q=jane+smith");
  expect(answered).toMatchObject({
    ...{ name: "GET /company/:company_number", kind: "server", parent: undefined, hasFailed: false },
    attributes: {
      "http.request.method": "GET",
      "http.route": "/company/:company_number",
      "http.response.status_code": 200,
      "url.scheme": "http",
      "company_register.route": "company-profile",
    },
  });
  expect(fetched).toMatchObject({ parent: answered?.id, traceId: answered?.traceId });
  expect(JSON.stringify(kept.list())).not.toMatch(/99000064|smith/);
});

it("a request continues the trace of its caller, whose id is in its log line", async () => {
  const headers = { traceparent: `00-${TRACE}-${SENDER}-01` };
  const spans = await spansOf("/company/99000064", { headers });
  expect(spans.map(({ traceId }) => traceId)).toEqual([TRACE, TRACE]);
  expect(spans.at(-1)).toMatchObject({ kind: "server", parent: SENDER });
  await waitUntil(() => log.includes("request answered"), "the line of the request");
  expect(JSON.parse(log)).toMatchObject({ traceId: TRACE });
});

it("an error of the server marks the span as failed; one of the caller does not", async () => {
  expect((await spansOf("/fails")).at(-1)).toMatchObject({
    ...{ name: "GET /fails", hasFailed: true },
    attributes: { "error.type": "500", "http.response.status_code": 500 },
  });
  await spansOf("/nowhere", { method: "PROPFIND" });
  await waitUntil(() => Promise.resolve(kept.list().length === 2), "both requests have ended");
  expect(kept.list().at(-1)).toMatchObject({
    ...{ name: "HTTP", hasFailed: false },
    attributes: { "http.request.method": "_OTHER", "http.response.status_code": 404 },
  });
  expect(JSON.stringify(kept.list())).not.toMatch(/SMITH|nowhere/);
});

it("the span of a request whose caller disconnects before the answer has the error type aborted", async () => {
  const call = request(`${server.base}/hangs`).once("error", () => undefined);
  call.end();
  setTimeout(() => call.destroy(), 100);
  await waitUntil(() => Promise.resolve(kept.list().length === 1), "the span of the request");
  const [span] = kept.list();
  expect(span).toMatchObject({ name: "GET /hangs", attributes: { "error.type": "aborted" } });
  expect(span?.attributes).not.toHaveProperty("http.response.status_code");
});

it("health checks are not traced", async () => {
  await (await fetch(`${server.base}/healthz`)).arrayBuffer();
  expect((await spansOf("/company/99000064")).map(({ name }) => name)).toEqual([
    "fetch",
    "GET /company/:company_number",
  ]);
});
