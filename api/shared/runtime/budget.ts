/** Owns the budget of a request: how long its answer may take, and whether anybody still waits for it. */
import { setMaxListeners } from "node:events";
import { UnavailableError } from "./errors.ts";
import { LateError } from "./within.ts";

/** What a read may take: stores end it at the deadline, and when the caller has gone. */
export interface Budget {
  /** Fires once: at the deadline with a LateError, before it with a CallerGoneError when the caller has gone. */
  signal: AbortSignal;
  /** Whole milliseconds until the deadline; 1 at the least, since stores take 0 for any time. */
  leftMs: () => number;
}

/** A budget that its owner can end. */
export interface OpenBudget extends Budget {
  /** The caller has gone: the signal fires, unless it has already. */
  abandon: () => void;
  /** What the budget was for has ended in time: the deadline does not fire any more. */
  meet: () => void;
  /**
   * Runs one more step of an answer that is under way, with a deadline of its own as long as the first. The step ends with
   * the caller, too.
   */
  goOn: <T>(step: (budget: Budget) => Promise<T>) => Promise<T>;
}

/** The caller closed the connection before it had the answer. */
export class CallerGoneError extends Error {
  constructor() {
    super("the caller has gone");
    this.name = "CallerGoneError";
  }
}

/** What a read of this store that its budget has ended throws: UnavailableError past the deadline, else CallerGoneError. */
export function endOf({ signal }: Budget, store: UnavailableError["store"]): Error {
  return signal.reason instanceof LateError
    ? new UnavailableError(store, signal.reason)
    : (signal.reason as CallerGoneError);
}

/** Begins a budget of so many milliseconds. Its timer keeps no process alive. */
export function openBudget(milliseconds: number): OpenBudget {
  const controller = new AbortController();
  const { signal } = controller;
  // Each read of a request listens, and one request may read in a dozen places at once.
  setMaxListeners(0, signal);
  const deadline = performance.now() + milliseconds;
  const timer = setTimeout(() => controller.abort(new LateError(milliseconds)), milliseconds).unref();
  const abandon = () => {
    clearTimeout(timer);
    controller.abort(new CallerGoneError());
  };
  return {
    signal,
    leftMs: () => Math.max(1, Math.ceil(deadline - performance.now())),
    abandon,
    meet: () => clearTimeout(timer),
    goOn: (step) =>
      withBudget(milliseconds, async (next) => {
        signal.throwIfAborted();
        signal.addEventListener("abort", next.abandon, { once: true });
        try {
          return await step(next);
        } finally {
          signal.removeEventListener("abort", next.abandon);
        }
      }),
  };
}

/** Does some work with a budget of its own. */
export async function withBudget<T>(
  milliseconds: number,
  work: (budget: OpenBudget) => Promise<T>,
): Promise<T> {
  const budget = openBudget(milliseconds);
  try {
    return await work(budget);
  } finally {
    budget.meet();
  }
}
