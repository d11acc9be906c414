/** Owns how much of its answers one caller may leave untaken: one that asks and does not read would fill the memory. */
import type { Middleware } from "koa";
import { BusyError } from "../../shared/runtime/errors.ts";
import type { RequestState } from "../request-context.ts";

// Limit: bytes of whole answers on their way to one caller, some twenty of the largest; further ones are refused. Downloads are
// read as they are sent, and have a limit of their own.
const MOST_BYTES = 100_000_000;

/** Refuses an answer, behind what identifies callers, with 503 while its caller has not taken those before. */
export function boundUntaken(mostBytes = MOST_BYTES): Middleware<RequestState> {
  const untaken = new Map<string, number>();
  return async (ctx, next) => {
    await next();
    const { length = 0, state, res } = ctx;
    const caller = state.principal?.countedAs ?? "";
    const bytes = (untaken.get(caller) ?? 0) + length;
    if (bytes > mostBytes) throw new BusyError("this application has not taken the answers before", 1);
    // A connection that is gone closes no more.
    if (length === 0 || res.destroyed) return;
    untaken.set(caller, bytes);
    res.once("close", () => {
      const left = (untaken.get(caller) ?? 0) - length;
      if (left > 0) untaken.set(caller, left);
      else untaken.delete(caller);
    });
  };
}
