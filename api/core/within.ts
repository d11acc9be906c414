/** Owns the deadline of a wait. */

/** What was waited for had not ended in time. */
export class LateError extends Error {
  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds} ms`);
    this.name = "LateError";
  }
}

/**
 * Waits for `work` so many milliseconds at most. What it returns or throws is passed on; rejects with a LateError when
 * it has not ended by then. The timer is cleared in either case, so it keeps no process alive. The work itself is not
 * stopped: it goes on, and nobody hears what comes of it.
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
