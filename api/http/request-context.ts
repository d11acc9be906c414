/**
 * Owns what every request has: its span, its id, its own logger, its one log line, its caller, the address under which that
 * reaches the API, and the deadline of its answer.
 */
import { randomUUID } from "node:crypto";
import type { Context, Middleware } from "koa";
import type { Application } from "../shared/access/applications.ts";
import { openBudget, type OpenBudget, LateError } from "../shared/runtime/deadlines.ts";
import type { Logger } from "../shared/runtime/logger.ts";
import { isTracing, startSpan, traceFields, type Span } from "../shared/tracing/tracing.ts";

/** The caller, however it identified itself. */
export interface Principal {
  /** The name by which calls are counted: the application, or the address of an anonymous caller. */
  countedAs: string;
  /** Most calls in five minutes; absent: no limit. */
  limit?: number;
  /** Absent: a caller without a key or token, or with a wrong one. */
  application?: Application;
  /** The caller's scopes in short form; absent: all. An anonymous caller has none. */
  scopes?: readonly string[];
  /** Id of the person on whose behalf the application calls; absent: on its own. */
  person?: string;
  /** Id of the web client that has the person's token. */
  client?: string;
}

/** State of a request, set here and by `auth`. */
export interface RequestState {
  requestId: string;
  /** The trace that its span is sent in; absent: it has none. */
  traceId?: string;
  log: Logger;
  /** The budget of the answer; the handler's reads end with it. */
  budget?: OpenBudget;
  /** True when the budget ended before the answer was ready. */
  isLate?: boolean;
  /** Name of the route that answered, for the log and for metrics. */
  route?: string;
  /** Name of the application that called. */
  caller?: string;
  /** The caller. */
  principal?: Principal;
  /** Why the caller is refused; thrown once the route is known. */
  refusal?: Error;
  /** The beginning of the path that contained the caller's key, key included; absent when the path had none. */
  keyedPath?: string;
  /** True when the caller's key is the one that a visitor of pages has entered. */
  hasVisitorKey?: boolean;
  /** Counts this many further calls, for an answer that costs more than one. */
  charge?: (calls: number) => Promise<void>;
}

export type AppContext = Context & { state: RequestState };

/** The address under which the caller of a request reaches the API, without a slash at its end. */
export type BaseOf = (ctx: AppContext) => string;

/** `publicUrl`: the configured address; empty: that of each request. */
export function openBase(publicUrl: string): BaseOf {
  const configured = publicUrl.replace(/\/+$/, "");
  return ({ protocol, host }) => configured || `${protocol}://${host}`;
}

// A client's own id is used when it is plain enough for a header and a log line.
const ACCEPTABLE_ID = /^[\w.:-]{1,100}$/;

/** What is reported of a finished request. */
export interface EndedRequest {
  /** Name of the route that answered; undefined when none was reached. */
  route: string | undefined;
  status: number;
  /** False when the client went away before it had the whole answer. */
  isWhole: boolean;
  /** True when the deadline passed before the answer was ready. */
  isLate: boolean;
  seconds: number;
}

/**
 * Gives each request an id (the client's `X-Request-Id`, else a new one) and logs it once it has been answered.
 * Calls `onEnd` then, too.
 */
export function requestContext(
  log: Logger,
  onEnd?: (request: EndedRequest) => void,
): Middleware<RequestState> {
  return async (ctx, next) => {
    const startedAt = process.hrtime.bigint();
    const given = ctx.get("X-Request-Id");
    ctx.state.requestId = ACCEPTABLE_ID.test(given) ? given : randomUUID();
    const { requestId, traceId } = ctx.state;
    ctx.state.log = log.child({ requestId, ...(traceId && { traceId }) });
    ctx.set("X-Request-Id", ctx.state.requestId);
    ctx.set("X-Content-Type-Options", "nosniff");
    // After the answer has been sent: nothing waits for the log line, and a client that disconnects half-way is logged, too.
    ctx.res.once("close", () => {
      const { route, caller } = ctx.state;
      const durationMs = Number(process.hrtime.bigint() - startedAt) / 1e6;
      const facts = { method: ctx.method, path: ctx.path, status: ctx.status, route, caller, durationMs };
      const isWhole = ctx.res.writableFinished;
      ctx.state.log.info(facts, isWhole ? "request answered" : "answer interrupted");
      onEnd?.({
        route,
        status: ctx.status,
        isWhole,
        isLate: ctx.state.isLate ?? false,
        seconds: durationMs / 1000,
      });
    });
    await next();
  };
}

/**
 * Gives each request a budget in milliseconds, for the reads of its handler. After it the request is refused with
 * a LateError. Writes, and reads shared by many requests, continue without it.
 */
export function boundRequests(milliseconds: number): Middleware<RequestState> {
  return async (ctx, next) => {
    const budget = openBudget(milliseconds);
    const { signal } = budget;
    ctx.state.budget = budget;
    ctx.res.once("close", () => {
      if (!ctx.res.writableFinished) budget.abandon();
    });
    const ended = new Promise<never>((_resolve, reject) => {
      const refuse = () => {
        ctx.state.isLate = signal.reason instanceof LateError;
        // A read that the signal ended reports which store was late: that error comes first.
        setImmediate(() => reject(signal.reason as Error));
      };
      signal.addEventListener("abort", refuse, { once: true });
    });
    // A download leaves this middleware long before its caller disconnects.
    ended.catch(() => undefined);
    try {
      await Promise.race([next(), ended]);
    } finally {
      budget.meet();
    }
  };
}

/**
 * To be called before something is used that can be used once: throws when the request has ended. From then on its deadline does
 * not pass, since a refusal would cost the caller what has been used.
 */
export function outlastDeadline({ state: { budget } }: AppContext): void {
  budget?.signal.throwIfAborted();
  budget?.meet();
}

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
