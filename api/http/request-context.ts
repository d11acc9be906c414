/** Owns what every request carries: its id, its own logger, and the one log line that it leaves. */
import { randomUUID } from "node:crypto";
import type { Context, Middleware } from "koa";
import type { OpenBudget } from "../core/budget.ts";
import type { Logger } from "../core/logger.ts";
import type { Principal } from "./auth/principal.ts";

/** State of a request, set here and by `auth`. */
export interface RequestState {
  requestId: string;
  log: Logger;
  /** How long the answer may take; the reads of its handler end with it. */
  budget?: OpenBudget;
  /** True: the budget ended before the answer was there. */
  isLate?: boolean;
  /** Name of the route that answered, for the log and for metrics. */
  route?: string;
  /** Name of the application that called. */
  caller?: string;
  /** Who called. */
  principal?: Principal;
  /** Why the caller may not go on; thrown where it is known what was asked for. */
  refusal?: Error;
  /** The beginning of the path in which the caller's key stood, key included; absent where it did not. */
  keyedPath?: string;
  /** Counts so many calls more for an answer that costs more than one. */
  charge?: (calls: number) => Promise<void>;
}

export type AppContext = Context & { state: RequestState };

// A client's own id is kept when it is plain enough to stand in a header and a log line.
const ACCEPTABLE_ID = /^[\w.:-]{1,100}$/;

/** What is told of a request that has ended. */
export interface EndedRequest {
  /** Name of the route that answered; undefined when none was reached. */
  route: string | undefined;
  status: number;
  /** False when the client went away before it had the whole answer. */
  isWhole: boolean;
  /** True when its deadline came before its answer. */
  isLate: boolean;
  seconds: number;
}

/**
 * Gives each request an id (the client's `X-Request-Id`, else a new one) and logs it once it has been answered.
 * `onEnd` is told then, too.
 */
export function requestContext(
  log: Logger,
  onEnd?: (request: EndedRequest) => void,
): Middleware<RequestState> {
  return async (ctx, next) => {
    const startedAt = process.hrtime.bigint();
    const given = ctx.get("X-Request-Id");
    ctx.state.requestId = ACCEPTABLE_ID.test(given) ? given : randomUUID();
    ctx.state.log = log.child({ requestId: ctx.state.requestId });
    ctx.set("X-Request-Id", ctx.state.requestId);
    ctx.set("X-Content-Type-Options", "nosniff");
    // Once the answer is out: nobody waits for the line, and a client that went away half-way is told of, too.
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
