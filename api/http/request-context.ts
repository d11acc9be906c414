/**
 * What every request has: an id, a logger, one log line, a caller, the address under which the caller reaches the API,
 * a deadline, and a body.
 */
import { randomUUID } from "node:crypto";
import Koa, { type Context, type Middleware } from "koa";
import bodyParser from "koa-bodyparser";
import type { Application } from "../shared/access/applications.ts";
import {
  ClientDisconnectedError,
  openBudget,
  type OpenBudget,
  LateError,
} from "../shared/runtime/deadlines.ts";
import { ApiError, messageOf, serviceError } from "../shared/runtime/errors.ts";
import type { Logger } from "../shared/runtime/logger.ts";
import { isNetworkFault } from "../shared/stores/network-faults.ts";
import type { Config } from "../shared/settings/config.ts";
import { traceFields } from "../shared/tracing/tracing.ts";

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

/** State of a request, set here, by `auth` and by `ops.ts`. */
export interface RequestState {
  requestId: string;
  log: Logger;
  /** The time budget of the answer; the handler's reads end with it. */
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

/** Makes an app without middleware. `interrupted`: the log message when an error cuts off an answer that has begun. */
export function openKoa({ TRUSTED_PROXIES: proxies }: Config, log: Logger, interrupted: string) {
  // By default X-Forwarded-For is ignored, because anyone can send it.
  const app = new Koa<RequestState>({ proxy: proxies > 0, maxIpsCount: proxies });
  // Once the headers are sent, the status cannot change: the answer is cut off, which the reader notices.
  return app.on("error", (error: NodeJS.ErrnoException, ctx?: { state: Partial<RequestState> }) => {
    const hasGone = error.code === "ERR_STREAM_PREMATURE_CLOSE" || error instanceof ClientDisconnectedError;
    if (hasGone) return;
    const [own, facts] = [ctx?.state.log ?? log, { reason: messageOf(error) }];
    // Faults of stores have become UnavailableErrors before, so this is one of the caller's socket.
    if (isNetworkFault(error)) own.info(facts, "the reader broke its connection");
    else own.warn(facts, interrupted);
  });
}

/** The address under which the caller of a request reaches the API, without a slash at its end. */
export type BaseOf = (ctx: AppContext) => string;

/** `publicUrl`: the configured address; if empty, the address is made from each request's protocol and Host. */
export function openBase(publicUrl: string): BaseOf {
  const configured = publicUrl.replace(/\/+$/, "");
  // Not `ctx.protocol`: a proxy may pass on any X-Forwarded-Proto that it got from a stranger.
  return ({ secure, host }) => configured || `${secure ? "https" : "http"}://${host}`;
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
    const { requestId } = ctx.state;
    ctx.state.log = log.child({ requestId, ...traceFields() });
    ctx.set("X-Request-Id", requestId);
    ctx.set("X-Content-Type-Options", "nosniff");
    // Logged after the answer: nobody waits for the log line, and a client that disconnects half-way is logged, too.
    ctx.res.once("close", () => {
      const { route, caller } = ctx.state;
      const durationMs = Number(process.hrtime.bigint() - startedAt) / 1e6;
      const path = pathForLog(ctx.path, route);
      const facts = { method: ctx.method, path, status: ctx.status, route, caller, durationMs };
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

// A path below `/reconcile` may contain a key, even when it is mistyped, escaped, or prefixed by a proxy.
const BELOW_RECONCILE = /^.*?reconcile[^\w-]+(?=.)/is;
// A character that was escaped once or several times.
const ESCAPE = /%(?:25)*([\da-f]{2})/gi;

/** The path as it is logged. An unknown one below `/reconcile` may contain a key, so only its beginning is kept. */
function pathForLog(path: string, route = ""): string {
  if (route.startsWith("reconcile")) return path;
  const read = path.replace(ESCAPE, (_escape, code: string) => String.fromCharCode(parseInt(code, 16)));
  const [prefix] = BELOW_RECONCILE.exec(read) ?? [];
  return prefix === undefined ? path : `${prefix}…`;
}

/**
 * Gives the reads of each request a budget in milliseconds. When it ends, the request is refused with a LateError.
 * Writes, and reads that many requests share, continue.
 */
export function limitRequestTime(milliseconds: number): Middleware<RequestState> {
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
    // A download has left this middleware when its caller disconnects, so nothing awaits this promise then.
    ended.catch(() => undefined);
    try {
      await Promise.race([next(), ended]);
    } finally {
      budget.finish();
    }
  };
}

/**
 * Call this before something that can be used only once is used, such as a code. Throws when the request has ended.
 * From then on its deadline does not count, because a refusal would cost the caller what has been used.
 */
export function outlastDeadline({ state: { budget } }: AppContext): void {
  budget?.signal.throwIfAborted();
  budget?.finish();
}

/** Reads bodies of these types, of bounded sizes. A body that cannot be read or decompressed is answered with 400. */
export function readBodies(
  bounds: Pick<bodyParser.Options, "enableTypes" | "jsonLimit" | "formLimit">,
): Middleware<RequestState> {
  const parse: Middleware<RequestState> = bodyParser({ ...bounds, onerror: refuse });
  // The body of another method has no meaning (RFC 9110, 9.3.1), so it cannot be wrong.
  return async (ctx, next) => {
    if (ctx.method === "POST") await parse(ctx, next);
    else await next();
  };
}

/** The parser's own refusals have a status; errors of the decompression have none. */
function refuse(error: Error): never {
  throw "status" in error ? error : new ApiError(400, [serviceError("bad-request")]);
}
