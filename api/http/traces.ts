/** Owns the span of a request. */
import type { Middleware } from "koa";
import { isTracing, startSpan, traceFields, type Span } from "../shared/tracing/tracing.ts";
import type { AppContext, RequestState } from "./request-context.ts";

// Those that the semantic conventions know; of others a caller may think up any number.
const METHODS = new Set(["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"]);
// Asked every few seconds by whoever runs the process.
const PROBES = new Set(["/healthz", "/readyz"]);

/**
 * Traces each request, in the trace of its `traceparent` if it has one. Stands first, since its span lasts as long as the
 * answer, and only where there are spans.
 */
export function traceRequests(): Middleware<RequestState> {
  return (ctx, next) => {
    if (!isTracing() || PROBES.has(ctx.path)) return next();
    const method = METHODS.has(ctx.method) ? ctx.method : "_OTHER";
    const attributes = { "http.request.method": method, "url.scheme": ctx.secure ? "https" : "http" };
    const name = method === "_OTHER" ? "HTTP" : method;
    return startSpan({ name, kind: "server", attributes, from: [ctx.get("traceparent")] }, (span) => {
      ctx.res.once("close", () => endSpan(span, name, ctx));
      Object.assign(ctx.state, traceFields());
      return next();
    });
  };
}

/** The route's pattern stands for the path, which may hold the id or the key of somebody. */
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
