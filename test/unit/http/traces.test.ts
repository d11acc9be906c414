import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import Router from "@koa/router";
import Koa from "koa";
import { errorResponse } from "../../../api/http/error-response.ts";
import { requestContext, type RequestState } from "../../../api/http/request-context.ts";
import { traceRequests } from "../../../api/http/ops.ts";
import { createLogger } from "../../../api/shared/runtime/logger.ts";
import { inSpan } from "../../../api/shared/tracing/tracing.ts";
import { keepSpans, type KeptSpan } from "../../support/spans.ts";
import { waitUntil } from "../../support/wait-until.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SENDER = "b7ad6b7169203331";

let kept: ReturnType<typeof keepSpans>;
let base = "";
let close: () => void;
beforeEach(async () => {
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
  app.use(requestContext(createLogger("silent", "api")));
  app.use(errorResponse());
  app.use(router.routes());
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => {
    server.close();
    server.closeAllConnections();
  };
});
afterEach(() => {
  kept.end();
  close();
});

/** Calls, and returns the spans once that of the request has ended: that happens after its answer. */
async function spansOf(path: string, init?: RequestInit): Promise<KeptSpan[]> {
  await (await fetch(base + path, init)).arrayBuffer();
  await waitUntil(() => Promise.resolve(kept.list().some(({ kind }) => kind === "server")), "it has ended");
  return kept.list();
}

it("a request is a span with its route in place of its path, and parent of all that it does", async () => {
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

it("a request continues the trace of its caller", async () => {
  const headers = { traceparent: `00-${TRACE}-${SENDER}-01` };
  const spans = await spansOf("/company/99000064", { headers });
  expect(spans.map(({ traceId }) => traceId)).toEqual([TRACE, TRACE]);
  expect(spans.at(-1)).toMatchObject({ kind: "server", parent: SENDER });
});

it("an error of the server marks the span, one of the caller does not", async () => {
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

it("the span says if the caller left before the answer", async () => {
  const call = request(`${base}/hangs`).once("error", () => undefined);
  call.end();
  setTimeout(() => call.destroy(), 100);
  await waitUntil(() => Promise.resolve(kept.list().length === 1), "it has ended");
  const [span] = kept.list();
  expect(span).toMatchObject({ name: "GET /hangs", attributes: { "error.type": "aborted" } });
  expect(span?.attributes).not.toHaveProperty("http.response.status_code");
});

it("health checks are not traced", async () => {
  await (await fetch(`${base}/healthz`)).arrayBuffer();
  expect((await spansOf("/company/99000064")).map(({ name }) => name)).toEqual([
    "fetch",
    "GET /company/:company_number",
  ]);
});
