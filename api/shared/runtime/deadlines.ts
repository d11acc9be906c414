/** Deadlines: `within` limits one wait; a budget limits all reads of a request, and ends when the caller leaves. */
import { setMaxListeners } from "node:events";
import { UnavailableError } from "./errors.ts";

/** The work did not end in time. */
export class LateError extends Error {
  constructor(milliseconds?: number) {
    super(`no answer ${milliseconds === undefined ? "in time" : `within ${milliseconds} ms`}`);
    this.name = "LateError";
  }
}

// A timer that is later than LAG_MS shows that this process was busy. The lag, up to the maximum, is granted as extra
// time.
const LAG_MS = 50;
const MOST_GRANTED_MS = 1_000;

/**
 * Waits at most so many milliseconds for `work`, and settles as it does, or rejects with a LateError. A lag of this
 * process does not count as silence: when the time is up, answers that have already arrived are read first, and a
 * timer that fires late grants its lag as extra time, once. The timer is always cleared, so it keeps no process alive.
 * The work itself is not stopped; a late result is ignored.
 */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  // A plain timer: timers/promises would need an AbortController for each call of a limited key.
  let stop: () => void = () => undefined;
  const late = new Promise<never>((_resolve, reject) => {
    stop = startPatiently(milliseconds, () => reject(new LateError(milliseconds)));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    stop();
  }
}

/** Starts the timer of `within`; returns the function that stops it. */
function startPatiently(milliseconds: number, giveUp: () => void): () => void {
  const due = performance.now() + milliseconds;
  const judge = () => setImmediate(giveUp);
  let timer = setTimeout(() => {
    const lagMs = performance.now() - due;
    if (lagMs > LAG_MS) timer = setTimeout(judge, Math.min(lagMs, MOST_GRANTED_MS));
    else judge();
  }, milliseconds);
  return () => clearTimeout(timer);
}

/** The time for reads: stores end them at the deadline, and begin none after the caller has disconnected. */
export interface Budget {
  /** Fires once: with a LateError at the deadline, or earlier with a ClientDisconnectedError when the caller leaves. */
  signal: AbortSignal;
  /** Whole milliseconds until the deadline; at least 1, because stores take 0 as no limit. */
  leftMs: () => number;
}

/** A budget for its owner, who can end it. */
export interface OpenBudget extends Budget {
  /** Ends the budget because the caller has disconnected: the signal fires, unless it has already. */
  abandon: () => void;
  /** Ends the budget because its work is done: the deadline no longer fires. */
  finish: () => void;
  /**
   * Runs a further step of an answer with a new deadline: the budget's full time again, or `stepMs` milliseconds. The
   * step also ends when the caller disconnects.
   */
  runStep: <T>(step: (budget: Budget) => Promise<T>, stepMs?: number) => Promise<T>;
}

/** The caller closed the connection before it had the answer. */
export class ClientDisconnectedError extends Error {
  constructor() {
    super("the caller has gone");
    this.name = "ClientDisconnectedError";
  }
}

/** The error of a read that its budget has ended: UnavailableError after the deadline, else ClientDisconnectedError. */
export function endOf({ signal }: Budget, store: UnavailableError["store"]): Error {
  return signal.reason instanceof LateError
    ? new UnavailableError(store, signal.reason)
    : (signal.reason as ClientDisconnectedError);
}

/** Waits for reads of a store, or rejects when their budget ends. The reads themselves go on until their deadline. */
export function untilEnd<T>(
  reads: Promise<T>,
  budget: Budget | undefined,
  store: UnavailableError["store"],
): Promise<T> {
  if (!budget) return reads;
  const { signal } = budget;
  return new Promise((resolve, reject) => {
    const end = () => reject(endOf(budget, store));
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
    void reads.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
  });
}

/** Begins a budget of so many milliseconds. Its timer keeps no process alive. */
export function openBudget(milliseconds: number): OpenBudget {
  return startBudget(milliseconds, startStrictly);
}

function startStrictly(milliseconds: number, giveUp: () => void): () => void {
  const timer = setTimeout(giveUp, milliseconds).unref();
  return () => clearTimeout(timer);
}

function startBudget(milliseconds: number, start: typeof startPatiently): OpenBudget {
  const controller = new AbortController();
  const { signal } = controller;
  // Each read of a request adds a listener, and a request may run a dozen reads at once. Node would warn above ten.
  setMaxListeners(0, signal);
  const deadline = performance.now() + milliseconds;
  const finish = start(milliseconds, () => controller.abort(new LateError(milliseconds)));
  const abandon = () => {
    finish();
    controller.abort(new ClientDisconnectedError());
  };
  return {
    signal,
    leftMs: () => Math.max(1, Math.ceil(deadline - performance.now())),
    abandon,
    finish,
    runStep: (step, stepMs = milliseconds) =>
      withBudget(stepMs, async (next) => {
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

/** Runs work with its own budget, which ends as `within` does: a lag of this process does not shorten it. */
export async function withBudget<T>(
  milliseconds: number,
  work: (budget: OpenBudget) => Promise<T>,
): Promise<T> {
  const budget = startBudget(milliseconds, startPatiently);
  try {
    return await work(budget);
  } finally {
    budget.finish();
  }
}
