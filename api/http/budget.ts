/** Owns the deadline of answers: each request has a budget, and is answered when that has ended, whatever it waits for. */
import type { Middleware } from "koa";
import { openBudget } from "../core/budget.ts";
import { LateError } from "../core/within.ts";
import type { RequestState } from "./request-context.ts";

/**
 * Gives each request a budget of so many milliseconds, for the reads of its handler. Past it the request is refused with
 * a LateError. What is asked for many requests together, and what is written, goes on without it.
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
        // Reads that the signal has ended say which store was late: they come first.
        setImmediate(() => reject(signal.reason as Error));
      };
      signal.addEventListener("abort", refuse, { once: true });
    });
    // A download whose caller leaves has been handed over long before.
    ended.catch(() => undefined);
    try {
      await Promise.race([next(), ended]);
    } finally {
      budget.meet();
    }
  };
}
