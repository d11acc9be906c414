/** Owns what every request has: its id, its own logger, and its one log line. */
import { randomUUID } from "node:crypto";
import type { Context, Middleware } from "koa";
import type { OpenBudget } from "../shared/runtime/budget.ts";
import type { Logger } from "../shared/runtime/logger.ts";
import { traceFields } from "../shared/tracing/tracing.ts";
import type { Principal } from "./auth/principal.ts";

/** State of a request, set here and by `auth`. */
export interface RequestState {
  requestId: string;
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
    ctx.state.log = log.child({ requestId: ctx.state.requestId, ...traceFields() });
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
