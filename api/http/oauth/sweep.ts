/** Owns the removal of expired tokens, grants and sign-ins: from time to time, when new ones are made. */
import { removeEnded } from "../../shared/access/grants.ts";
import { removeEndedSignIns } from "../../shared/access/sign-ins.ts";
import type { Logger } from "../../shared/runtime/logger.ts";
import type { DocumentStore } from "../../shared/stores/mongodb/mongo.ts";

const PAUSE_MS = 600_000;

/** Makes the function that removes them, every ten minutes at most. Callers do not wait for it; a failure does no harm. */
export function openSweep(documents: DocumentStore, clock: () => Date): (log: Logger) => void {
  let sweptAt = -Infinity;
  return (log) => {
    if (performance.now() - sweptAt < PAUSE_MS) return;
    sweptAt = performance.now();
    const moment = clock();
    Promise.all([removeEnded(documents, moment), removeEndedSignIns(documents, moment)]).catch(
      (error: unknown) => log.warn({ err: error }, "removal of expired tokens failed"),
    );
  };
}
