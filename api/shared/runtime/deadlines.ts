/** Owns deadlines: of one wait, and of a request, the budget of its reads, which also ends when nobody waits for it any more. */
import { setMaxListeners } from "node:events";
import { UnavailableError } from "./errors.ts";

/** What was waited for had not ended in time. */
export class LateError extends Error {
  constructor(milliseconds?: number) {
    super(`no answer ${milliseconds === undefined ? "in time" : `within ${milliseconds} ms`}`);
    this.name = "LateError";
  }
}

// A timer that is later than this says that the process was busy; so much more is granted at most.
const LAG_MS = 50;
const MOST_GRANTED_MS = 1_000;

/**
 * Waits for `work` so many milliseconds at most. What it returns or throws is passed on; rejects with a LateError when it has
 * not ended by then. The lag of this process is not taken for silence: when the time is up, what has come in meanwhile is read
 * before it is judged, and a timer that was late itself grants as much again, once. The timer is cleared in either case, so it
 * keeps no process alive. The work itself is not stopped: it continues, and its result is ignored.
 */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  // A plain timer: with an AbortController, as timers/promises wants it, each of a limited key's calls would pay for one.
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

/** Starts the timer of `within`; returns what stops it. */
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

/** What a read may take: stores end it at the deadline, and begin none when the caller has gone. */
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
   * Runs one more step of an answer that is under way, with a deadline of its own: as long as the first, or of so many
   * milliseconds. The step ends with the caller, too.
   */
  goOn: <T>(step: (budget: Budget) => Promise<T>, stepMs?: number) => Promise<T>;
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

/** Waits for reads of this store until their budget ends, and throws its end. The reads themselves end by their deadline. */
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
  // Each read of a request listens, and one request may read in a dozen places at once.
  setMaxListeners(0, signal);
  const deadline = performance.now() + milliseconds;
  const meet = start(milliseconds, () => controller.abort(new LateError(milliseconds)));
  const abandon = () => {
    meet();
    controller.abort(new CallerGoneError());
  };
  return {
    signal,
    leftMs: () => Math.max(1, Math.ceil(deadline - performance.now())),
    abandon,
    meet,
    goOn: (step, stepMs = milliseconds) =>
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

/** Does some work with a budget of its own, which ends as `within` does: the lag of this process costs none of it. */
export async function withBudget<T>(
  milliseconds: number,
  work: (budget: OpenBudget) => Promise<T>,
): Promise<T> {
  const budget = startBudget(milliseconds, startPatiently);
  try {
    return await work(budget);
  } finally {
    budget.meet();
  }
}
