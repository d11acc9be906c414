/** Owns questions about secrets that are not known: however many come, the store hears of them twice a second. */
import { ApiError } from "../../core/errors.ts";

// After a question that brought a wrong one, the next waits so long: well below what a request may take.
const PAUSE_MS = 500;
// Limits: secrets of one question; secrets that wait.
const MOST_ASKED = 500;
const MOST_WAITING = 5_000;

interface Waiting<T> {
  resolve: (value: T | null) => void;
  reject: (error: unknown) => void;
}

/**
 * Questions about secrets that are not known: one at a time, for all that have come meanwhile. A question that brought
 * a wrong one is followed by a pause, so that a flood of them is two questions a second.
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
      // Whoever asks is told to come back rather than left to wait for minutes.
      if (!all && waiting.size >= MOST_WAITING) return reject(new ApiError(429, []));
      if (all) all.push({ resolve, reject });
      else waiting.set(hash, [{ resolve, reject }]);
      if (isBusy) return;
      isBusy = true;
      void askNext();
    });
}
