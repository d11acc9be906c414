/** Owns what the steps of a reindex share: the run, what it has come to, and its faults. */
import type { Stores } from "../../api/core/stores/index.ts";
import type { Lock } from "../../api/core/stores/redis-locks.ts";
import { CommandError } from "../../api/core/errors.ts";
import type { IndexDefinition } from "../../index-mappings/define-index.ts";
import type { Comparison, Observer } from "../verify/compare-index.ts";

/** What one index's reindex needs. */
export interface ReindexRun {
  stores: Stores;
  index: IndexDefinition;
  /** Held as long as the run lasts. */
  lock: Lock;
  observer: Observer;
  /** Least share of the live index's documents that the new one must hold, in percent. */
  minPercent: number;
  /** True: it may hold fewer. */
  isForced: boolean;
}

/** What an index was filled with. */
export interface Filled {
  documents: number;
  /** Ids of some documents, each as likely as any other. */
  sample: string[];
  /** Documents that an index which was gone on with held wrongly; absent: the index was empty. */
  repaired?: number;
}

/** What a reindex has come to. */
export interface ReindexOutcome {
  index: string;
  /** The index that is live now. */
  built: string;
  /** The one that was live until now, kept for `--back`; null when there was none. */
  former: string | null;
  documents: number;
  compared: Comparison;
  /** Differences that were mended in a build that was gone on with. */
  repaired: number;
  /** How many known questions were asked. */
  questions: number;
  pruned: string[];
  seconds: number;
}

/** Lock of whoever builds and moves: one for all indices. */
export const REINDEX_LOCK = "reindex";

/** The new index is not what it should be: nothing has been moved. */
export class CheckError extends CommandError {}

/** A sentence that says how to go on with a build. */
export function resumeHint(index: string): string {
  return `the live index is untouched; \`npm run cli -- reindex ${index} --resume\` goes on, --discard gives it up`;
}
