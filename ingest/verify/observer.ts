/** Shared by comparisons and reindexes: progress, stopping, waiting for the workers, and joining a walk's finds. */
import { indexNameOf, type AliasedIndex } from "../../api/shared/definitions/define-index.ts";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { waitForLive } from "../log/log-follower.ts";
import type { StepHandle } from "../pace.ts";
import { walkPersons, type RecordGroup, type Walk } from "../projection/groups.ts";

// The longest wait for workers, which may be slow or missing.
const PATIENCE_MS = 30_000;

export interface Observer {
  onNote: (note: string) => void;
  /** Starts to show the progress of long work, until `end`. `total`: roughly how many documents; 0: unknown. */
  watch: (what: string, total: number) => StepHandle;
  isStopping: () => boolean;
}

/** All groups of an index, with progress. Throws StoppedError. */
export async function* walkWatched(
  { mongo, elasticsearch }: Stores,
  index: AliasedIndex,
  { observer, what, how }: { observer: Observer; what: string; how?: Walk | undefined },
): AsyncGenerator<RecordGroup[]> {
  const live = indexNameOf(index.name);
  const reached = await elasticsearch.fetchAliasedIndices([live]);
  const { onProgress, end } = observer.watch(what, reached.length > 0 ? await elasticsearch.count(live) : 0);
  let done = 0;
  try {
    for await (const groups of walkPersons(mongo, index, how)) {
      guardStop(observer);
      yield groups;
      onProgress((done += groups.length));
    }
  } finally {
    end();
  }
}

export function guardStop({ isStopping }: Pick<Observer, "isStopping">): void {
  if (isStopping()) throw new StoppedError("stopped; the rest was not checked");
}

export class StoppedError extends CommandError {}

/** Waits until the workers have followed the change log, at most 30 seconds. Throws StoppedError. */
export function waitForWorkers(stores: Stores, observer: Observer): Promise<void> {
  return waitForLive(stores, (waitedMs) => {
    guardStop(observer);
    return waitedMs > PATIENCE_MS;
  });
}

/** Joins the finds of a walk into lots of at least this size; the last lot may be smaller. */
export async function* inLots<Item>(walk: AsyncIterable<Item[]>, size: number): AsyncGenerator<Item[]> {
  let lot: Item[] = [];
  for await (const some of walk) {
    lot = lot.concat(some);
    if (lot.length < size) continue;
    yield lot;
    lot = [];
  }
  yield lot;
}
