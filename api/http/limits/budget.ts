/** Owns the deadline of answers: each request has a budget and is answered when the budget ends, even if it still waits. */
import type { Middleware } from "koa";
import { openBudget } from "../../shared/runtime/budget.ts";
import { LateError } from "../../shared/runtime/within.ts";
import type { RequestState } from "../request-context.ts";

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
