/** Owns lookups of unknown secrets: however many arrive, the store gets at most two queries a second. */
import { ApiError } from "../../shared/runtime/errors.ts";

// The pause after a query that contained a wrong secret: well below a request's budget.
const PAUSE_MS = 500;
// Limits: secrets in one query; secrets that wait.
const MOST_ASKED = 500;
const MOST_WAITING = 5_000;

interface Waiting<T> {
  resolve: (value: T | null) => void;
  reject: (error: unknown) => void;
}

/**
 * Looks up unknown secrets: one query at a time, for all that arrived meanwhile. A query that contained a wrong secret is
 * followed by a pause, so a flood of wrong secrets causes two queries a second.
 */
export function openPacedQuestions<T>(
  fetchMany: (hashes: readonly string[]) => Promise<Map<string, T>>,
): (hash: string) => Promise<T | null> {
  const waiting = new Map<string, Waiting<T>[]>();
  let inWork = new Map<string, Waiting<T>[]>();
  let isBusy = false;
  const askNext = async (): Promise<void> => {
    const batch = [...waiting].slice(0, MOST_ASKED);
    if (batch.length === 0) return void (isBusy = false);
    for (const [hash] of batch) waiting.delete(hash);
    inWork = new Map(batch);
    let pauseMs = 0;
    try {
      const found = await fetchMany(batch.map(([hash]) => hash));
      for (const [hash, all] of batch) all.forEach(({ resolve }) => resolve(found.get(hash) ?? null));
      if (found.size < batch.length) pauseMs = PAUSE_MS;
    } catch (error) {
      for (const [, all] of batch) all.forEach(({ reject }) => reject(error));
    }
    inWork.clear();
    if (pauseMs > 0) setTimeout(() => void askNext(), pauseMs).unref();
    else setImmediate(() => void askNext());
  };
  return (hash) =>
    new Promise((resolve, reject) => {
      const all = waiting.get(hash) ?? inWork.get(hash);
      // The caller is refused with a Retry-After instead of waiting for minutes.
      if (!all && waiting.size >= MOST_WAITING) return reject(new ApiError(429, []));
      if (all) all.push({ resolve, reject });
      else waiting.set(hash, [{ resolve, reject }]);
      if (isBusy) return;
      isBusy = true;
      void askNext();
    });
}
