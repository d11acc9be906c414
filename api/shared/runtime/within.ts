/** Owns the deadline of a wait. */

/** What was waited for had not ended in time. */
export class LateError extends Error {
  constructor(milliseconds?: number) {
    super(`no answer ${milliseconds === undefined ? "in time" : `within ${milliseconds} ms`}`);
    this.name = "LateError";
  }
}

/**
 * Waits for `work` so many milliseconds at most. What it returns or throws is passed on; rejects with a LateError when
 * it has not ended by then. The timer is cleared in either case, so it keeps no process alive. The work itself is not
 * stopped: it continues, and its result is ignored.
 */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  // A plain timer: with an AbortController, as timers/promises wants it, each of a limited key's calls would pay for one.
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new LateError(milliseconds)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

// A timer that is later than this says that the process was busy; so much more is granted at most.
const LAG_MS = 50;
const MOST_GRANTED_MS = 1_000;

/**
 * The same for an answer from outside, where the lag of this process must not be taken for silence: when the time is up,
 * what has come in meanwhile is read before it is judged, and a timer that was late itself grants as much again, once.
 */
export async function withinOwnLag<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const due = performance.now() + milliseconds;
    const giveUp = () => setImmediate(() => reject(new LateError(milliseconds)));
    timer = setTimeout(() => {
      const lagMs = performance.now() - due;
      if (lagMs > LAG_MS) timer = setTimeout(giveUp, Math.min(lagMs, MOST_GRANTED_MS));
      else giveUp();
    }, milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
