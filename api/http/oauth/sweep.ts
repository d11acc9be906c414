/** Owns the removal of tokens, grants and sign-ins that have ended: now and then, while others are made. */
import { removeEnded } from "../../core/access/grants.ts";
import { removeEndedSignIns } from "../../core/access/sign-ins.ts";
import type { Logger } from "../../core/logger.ts";
import type { DocumentStore } from "../../core/stores/mongo.ts";

const PAUSE_MS = 600_000;

/** Makes what removes them, every ten minutes at most; nobody waits for it, and it fails without harm. */
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
