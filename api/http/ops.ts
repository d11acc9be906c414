/** What operators see of the API: whether it is alive and ready, its metrics, and the trace span of each request. */
import Router from "@koa/router";
import type { Middleware } from "koa";
import { messageOf } from "../shared/runtime/errors.ts";
import type { Stores } from "../shared/stores/index.ts";
import { openReadiness, requireIndices } from "../../index-mappings/readiness.ts";
import type { AppContext, EndedRequest, RequestState } from "./request-context.ts";
import type { Metrics, Sample } from "../shared/metrics/metrics.ts";
import { createReadings, readStoreHealth } from "../shared/metrics/readings.ts";
import { jsonPage, type PrivatePages } from "../shared/runtime/private-port.ts";
import type { Span } from "../shared/tracing/spans.ts";
import { isTracing, startSpan } from "../shared/tracing/tracing.ts";

/** What these pages need. */
interface OpsOptions {
  stores: Pick<Stores, "mongo" | "elasticsearch">;
  /** Reports indices that were built under other name rules. */
  lookAtRules: () => Promise<string | null>;
  /** True from the stop signal on. */
  isEnding: () => boolean;
}

// Shorter than the deadline of readiness, so that the answer names the store that does not respond.
const PING_MS = 900;

/**
 * `/healthz` touches no store. `/readyz` is 200 only when both stores answer and every search index exists, is open,
 * and was built under this release's name rules. It is 503 from the stop signal on.
 */
export function buildOpsRoutes({ stores, lookAtRules, isEnding }: OpsOptions): Router<RequestState> {
  const { mongo, elasticsearch } = stores;
  const checks = {
    mongodb: () => mongo.ping(PING_MS),
    elasticsearch: () => elasticsearch.ping(PING_MS),
    indices: () => requireIndices(elasticsearch, lookAtRules),
  };
  const askReadiness = openReadiness(checks);
  const router = new Router<RequestState>();
  router.get("/healthz", (ctx) => {
    ctx.state.route = "healthz";
    ctx.body = ALIVE;
  });
  router.get("/readyz", async (ctx) => {
    ctx.state.route = "readyz";
    const onHidden = (check: string, fault: unknown) =>
      ctx.state.log.warn({ check, reason: messageOf(fault) }, "not ready");
    const { status, body } = isEnding() ? ENDING : await askReadiness(onHidden);
    ctx.status = status;
    ctx.body = body;
  });
  return router;
}

const ALIVE = { status: "ok" };
const ENDING = { status: 503, body: { status: "not ready", checks: { process: "is ending" } } };

/** Makes the function that counts each finished request. */
export function countRequests(metrics: Metrics): (request: EndedRequest) => void {
  return ({ route = "none", status, isWhole, isLate, seconds }) => {
    metrics.observe("request_seconds", { route, status: isWhole ? String(status) : "aborted" }, seconds);
    if (isLate) metrics.count("deadlines_missed_total", { route });
  };
}

/** Makes the function that counts finished requests to the event streams, without their time, which readers decide. */
export function countStreamRequests(metrics: Metrics): (request: EndedRequest) => void {
  return ({ route = "none", status, isWhole }) =>
    metrics.count("stream_requests_total", { route, status: isWhole ? String(status) : "aborted" });
}

/**
 * `/healthz` and `/metrics`. `countReaders`: connections by stream; `countUnderWay`: requests in progress.
 * `keptMs`: how long readings of the stores stay cached; default: some seconds.
 */
export function buildMetricsPages(
  { mongo: mongodb, elasticsearch, redis }: Stores,
  metrics: Metrics,
  {
    countReaders,
    countUnderWay,
    ...kept
  }: { countReaders?: () => Record<string, number>; countUnderWay?: () => number; keptMs?: number } = {},
): PrivatePages {
  const readOwn = (): Sample[] => [
    ...Object.entries(countReaders?.() ?? {}).map(([stream, value]): Sample => {
      return { metric: "stream_readers", labels: { stream }, value };
    }),
    { metric: "requests_under_way", labels: {}, value: countUnderWay?.() ?? 0 },
  ];
  const refresh = createReadings(metrics, [readStoreHealth({ mongodb, elasticsearch, redis })], kept);
  return {
    // As on the public port, for probes that must work even when clients have taken all connections there.
    "/healthz": () => jsonPage(ALIVE),
    "/metrics": async () => {
      await refresh();
      metrics.replace(["stream_readers", "requests_under_way"], readOwn());
      return { type: metrics.contentType, body: await metrics.write() };
    },
  };
}

// The methods of OpenTelemetry's semantic conventions. Others become `_OTHER`, since a caller may invent any number.
const METHODS = new Set(["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"]);
// Not traced: orchestrators and load balancers call these every few seconds.
const PROBES = new Set(["/healthz", "/readyz"]);

/**
 * Traces each request, in the trace of its `traceparent` if it has one. It is the first middleware, because the span
 * must last as long as the answer, and is left out where tracing is off.
 */
export function traceRequests(): Middleware<RequestState> {
  return (ctx, next) => {
    if (!isTracing() || PROBES.has(ctx.path)) return next();
    const method = METHODS.has(ctx.method) ? ctx.method : "_OTHER";
    const attributes = { "http.request.method": method, "url.scheme": ctx.secure ? "https" : "http" };
    const name = method === "_OTHER" ? "HTTP" : method;
    return startSpan({ name, kind: "server", attributes, from: [ctx.get("traceparent")] }, (span) => {
      ctx.res.once("close", () => endSpan(span, name, ctx));
      return next();
    });
  };
}

/** Ends the span. It has the route's pattern instead of the path, which may contain a person's id or a key. */
function endSpan(span: Span, name: string, ctx: AppContext & { _matchedRoute?: unknown }): void {
  const { status, state, headerSent, _matchedRoute: pattern } = ctx;
  if (state.route !== undefined) span.set({ "company_register.route": state.route });
  if (typeof pattern === "string") {
    span.rename(`${name} ${pattern}`);
    span.set({ "http.route": pattern });
  }
  if (headerSent) span.set({ "http.response.status_code": status });
  if (!ctx.res.writableFinished) span.fail("aborted");
  else if (status >= 500) span.fail(String(status));
  span.end();
}
