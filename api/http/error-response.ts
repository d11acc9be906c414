/** Turns errors into statuses and bodies, in the error shapes of the public API, and slows down floods of refusals. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Context, Middleware } from "koa";
import { ClientDisconnectedError, LateError } from "../shared/runtime/deadlines.ts";
import {
  ApiError,
  AuthenticationError,
  KnownUnavailableError,
  BusyError,
  DeniedError,
  OverloadedError,
  UnavailableError,
  type ErrorDetail,
  messageOf,
  serviceError,
} from "../shared/runtime/errors.ts";
import type { Logger } from "../shared/runtime/logger.ts";
import type { RequestState } from "./request-context.ts";

// Tuned: so many refusals a second are sent without delay, which is enough for callers that obey Retry-After. Hundreds
// of callers that ignore it, in a loop, would take the time of others.
const BUSY_AT_ONCE_A_SECOND = 200;
// The delay: too short for a person to notice, and long enough that a thousand callers in a loop cost little.
const SLOW_MS = 500;
// Limit: refusals that are delayed at the same time. Others are sent at once, because each delayed one occupies a
// connection.
const MOST_WAITING = 1_000;
// Retry-After for a store that was unavailable or too slow.
const RETRY_AFTER_SECONDS = 2;
// A fault of a store meets every request, so the same fault is logged only once in this time.
const SAME_FAULT_MS = 60_000;
// The status that proxies log when a caller disconnects before the answer; no client gets it.
const CALLER_GONE = 499;

/** Turns every error into an answer, and an empty 404 or 405 into an error body. */
export function errorResponse(): Middleware<RequestState> {
  const slowDown = openSlowDown(BUSY_AT_ONCE_A_SECOND);
  const logOutage = openOutageLog();
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.body === undefined && ctx.status >= 400) answerUnmatched(ctx);
    } catch (error) {
      if (error instanceof BusyError) await slowDown();
      if (isOutage(error)) logOutage(ctx.state.log, error);
      answerError(ctx, error);
    }
  };
}

/**
 * Makes the function that delays refusals, so that a caller that is refused again and again takes no time from others.
 * `atOnceASecond`: so many a second are sent without delay.
 */
export function openSlowDown(atOnceASecond: number): () => Promise<void> {
  let waiting = 0;
  let second = 0;
  let refused = 0;
  return async () => {
    const now = Math.floor(performance.now() / 1_000);
    if (now !== second) [second, refused] = [now, 0];
    refused += 1;
    if (refused <= atOnceASecond || waiting >= MOST_WAITING) return;
    waiting += 1;
    await sleep(SLOW_MS);
    waiting -= 1;
  };
}

/**
 * Answers 405 where the routes before it, which need no key, have the path but not the method. Later middleware would
 * answer that the key is missing. OPTIONS is passed on, because later middleware answers preflights.
 */
export function refuseOtherMethods(): Middleware<RequestState> {
  return async (ctx, next) => {
    // The routers put all routes of the path here, of any method.
    const { matched = [] } = ctx as { matched?: readonly { methods: readonly string[] }[] };
    if (matched.length === 0 || ctx.method === "OPTIONS") return void (await next());
    ctx.set("Allow", [...new Set(matched.flatMap(({ methods }) => methods))].join(", "));
    ctx.status = 405;
  };
}

function answerUnmatched(ctx: Context): void {
  const { status } = ctx;
  answer(
    ctx,
    status,
    errorsBody([serviceError(status === 405 ? "invalid-http-method" : "resource-not-found")]),
  );
}

function answerError(ctx: Context & { state: RequestState }, error: unknown): void {
  if (error instanceof AuthenticationError) return answerUnauthenticated(ctx, error);
  if (error instanceof ApiError)
    return answer(ctx, error.status, error.details.length > 0 ? errorsBody(error.details) : null);
  if (isOutage(error)) return answerUnavailable(ctx, describeOutage(error));
  if (error instanceof LateError) return answerUnavailable(ctx, error.message);
  if (error instanceof BusyError) return answerUnavailable(ctx, error.message, error.retryAfterSeconds);
  if (error instanceof ClientDisconnectedError) return answer(ctx, CALLER_GONE, null);
  const status = statusOf(error);
  if (status) return answer(ctx, status, errorsBody([serviceError("bad-request")]));
  ctx.state.log.error({ err: error }, "request failed");
  answerFailure(ctx, 500, "Internal server error");
}

type Outage = UnavailableError | DeniedError;

export function isOutage(error: unknown): error is Outage {
  return error instanceof UnavailableError || error instanceof DeniedError;
}

/** Makes the function that logs each outage at most once a minute, and no KnownUnavailableError: its cause is logged already. */
export function openOutageLog(): (log: Logger, error: Outage) => void {
  const loggedAt = new Map<string, number>();
  return (log, error) => {
    if (error instanceof KnownUnavailableError) return;
    const { store, cause } = error;
    const fault = describeOutage(error);
    const now = performance.now();
    if (now < (loggedAt.get(fault) ?? -Infinity) + SAME_FAULT_MS) return;
    loggedAt.set(fault, now);
    if (error instanceof DeniedError) log.error({ store, reason: messageOf(cause) }, "store refuses access");
    else if (cause instanceof LateError) log.warn({ store, reason: cause.message }, "store too slow");
    else if (error instanceof OverloadedError)
      log.warn({ store, reason: messageOf(cause) }, "store overloaded");
    else log.error({ err: error, store }, "store unavailable");
  };
}

function describeOutage(error: Outage): string {
  const { store, cause } = error;
  if (error instanceof DeniedError) return `${store} refuses access`;
  if (error instanceof OverloadedError) return `${store} has too much to do`;
  return cause instanceof LateError ? `${store} has not answered in time` : `${store} cannot be reached`;
}

function answerUnavailable(
  ctx: Context & { state: RequestState },
  reason: string,
  retryAfterSeconds = RETRY_AFTER_SECONDS,
): void {
  ctx.set("Retry-After", String(retryAfterSeconds));
  answerFailure(ctx, 503, `Service unavailable: ${reason}`);
}

/** The status of a request that Koa or a parser refused (a body too large, a path that cannot be decoded). */
function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && "status" in error ? error.status : undefined;
  return typeof status === "number" && status >= 400 && status < 500 ? status : undefined;
}

/** Compat: the original's gateway answers 401 with a flat body and these headers, not with the errors list. */
function answerUnauthenticated(ctx: Context, error: AuthenticationError): void {
  ctx.set("Ch-Authentication-Error", error.message);
  const challenge = error.isBearer
    ? 'Bearer error="invalid_token"'
    : "Invalid or no Authorisation header has been provided";
  ctx.set("Www-Authenticate", challenge);
  // CORS has already set this header for a page that may call.
  if (!ctx.response.get("Access-Control-Allow-Origin")) ctx.set("Access-Control-Allow-Origin", "*");
  answer(ctx, 401, { error: error.message, type: "ch:service" });
}

/** Compat: as in the original, an internal error shows the request id, under which the log has the reason. */
function answerFailure(ctx: Context & { state: RequestState }, status: number, message: string): void {
  answer(ctx, status, { exception_id: ctx.state.requestId, error: message });
}

/** Errors must not be cached. The type is set before the body, or Koa would add a charset, which JSON does not have. */
function answer(ctx: Context, status: number, body: Record<string, unknown> | null): void {
  ctx.set("Cache-Control", "no-store");
  if (body) ctx.set("Content-Type", "application/json");
  // For an empty body of type JSON, Koa would send the word `null`.
  ctx.body = body ?? "";
  if (!body) ctx.remove("Content-Type");
  // Setting a body resets the status in Koa, so the status is set afterwards.
  ctx.status = status;
}

function errorsBody(errors: ErrorDetail[]): { errors: ErrorDetail[] } {
  return { errors };
}
