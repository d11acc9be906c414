/** Owns what the steps of a reindex share: the run, its lock, and its faults. */
import type { Stores } from "../../api/core/stores/index.ts";
import type { Lock } from "../../api/core/stores/redis-locks.ts";
import { CommandError } from "../../api/core/errors.ts";
import type { IndexDefinition } from "../../index-mappings/define-index.ts";
import type { Observer } from "../verify/compare-index.ts";

/** What one index's reindex needs. */
export interface ReindexRun {
  stores: Stores;
  index: IndexDefinition;
  /** Held as long as the run lasts. */
  lock: Lock;
  observer: Observer;
  /** Least share of the live index's documents that the new one must hold, in percent; 0: it may hold however few. */
  minPercent: number;
}

/** Lock of whoever builds and moves: one for all indices. */
export const REINDEX_LOCK = "reindex";

/** The new index is not what it should be: nothing has been moved. */
export class CheckError extends CommandError {}

/** A sentence that says how to go on with a build. */
export function resumeHint(index: string): string {
  return `the live index is untouched; \`npm run cli -- reindex ${index} --resume\` goes on, --discard gives it up`;
}
