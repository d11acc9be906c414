/** Owns the following of the change log by the live indices: in the workers, one at a time, and the wait for it. */
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, UnavailableError } from "../../api/core/errors.ts";
import type { Logger } from "../../api/core/logger.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { fetchLastPosition, fetchRefusedChanges, isBehind, type Change } from "./changes.ts";
import { fetchLive } from "./followers.ts";
import { Following } from "./follow.ts";
import { projectLive } from "../projection/project.ts";

/** Lock of whoever brings changes to the live indices: one for all. */
export const FOLLOW_LOCK = "follow";
// Between two looks whether other workers have written something.
const LOOK_MS = 1_000;
// Tuned: what is written for so long is followed together, so that a document of several records is made once for many
// batches; as soon as the worker rests nothing is waited for.
const GATHER_MS = 3_000;
// Times as long as the last pass took: a document of very many records takes no more than a share of a load.
const REST_FACTOR = 3;

/** Follows for the live indices, for as long as this process lives. */
export function openLive(stores: Stores, patience?: ConstructorParameters<typeof Following>[3]): Following {
  const { documents } = stores.mongo;
  const take = (changes: Change[]) => projectLive(stores, changes);
  return new Following(stores, () => fetchLive(documents), take, patience);
}

/** The follower of one worker, from its making on. */
export class LiveFollower {
  private active = 0;
  private passMs = 0;
  private isStopping = false;
  private woken = new AbortController();
  private readonly following: Following;
  private readonly ended: Promise<void>;

  constructor(
    private readonly stores: Stores,
    private readonly log: Logger,
  ) {
    this.following = openLive(stores);
    this.ended = this.run();
  }

  /** Does the work of a batch, and follows what came of it. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.active += 1;
    try {
      return await work();
    } finally {
      this.active -= 1;
      if (this.active === 0) this.woken.abort();
    }
  }

  /** Ends when what is being brought to the search is there. */
  stop(): Promise<void> {
    this.isStopping = true;
    this.woken.abort();
    return this.ended;
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      const gatherMs = Math.max(GATHER_MS, REST_FACTOR * this.passMs);
      const restMs = this.active > 0 ? gatherMs : LOOK_MS;
      await sleep(restMs, undefined, { signal: this.woken.signal }).catch(() => undefined);
      this.woken = new AbortController();
      if (!this.isStopping) await this.follow().catch((error: unknown) => this.tell(error));
    }
  }

  private async follow(): Promise<void> {
    const { position } = await fetchLive(this.stores.mongo.documents);
    if (!(await isBehind(this.stores, position))) return;
    const lock = await this.stores.redis.locks.acquire(FOLLOW_LOCK);
    if (!lock) return;
    const startedAt = performance.now();
    try {
      await this.following.run(() => this.isStopping);
    } finally {
      this.passMs = performance.now() - startedAt;
      await lock.release();
    }
  }

  private tell(error: unknown): void {
    if (error instanceof UnavailableError)
      this.log.warn({ reason: error.message }, "the search cannot follow");
    else this.log.error({ err: error }, "the search does not follow");
  }
}

const WAIT_MS = 20;
const LONGEST_WAIT_MS = 500;
// After this long a person wonders.
const LONG_WAIT_MS = 10_000;

/** Waits until the live indices have all that has been changed up to now, or it `isEnough`, which is asked before each wait. */
export async function waitForLive(
  { mongo: { documents } }: Stores,
  isEnough: (waitedMs: number) => boolean,
): Promise<void> {
  const until = await fetchLastPosition(documents);
  let [wait, waited] = [WAIT_MS, 0];
  while ((await fetchLive(documents)).position < until && !isEnough(waited)) {
    await sleep(wait);
    waited += wait;
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

/** The same for what a load has changed. Throws CommandError when Elasticsearch refuses some of it. */
export async function waitForSearch(
  stores: Stores,
  load: string,
  onNote: (note: string) => void,
): Promise<void> {
  let isTold = false;
  await waitForLive(stores, (waitedMs) => {
    if (waitedMs >= LONG_WAIT_MS && !isTold)
      onNote("all rows are written; the load ends when the workers have brought them to the search");
    isTold ||= waitedMs >= LONG_WAIT_MS;
    return false;
  });
  const [refused] = await fetchRefusedChanges(stores.mongo.documents, load);
  if (refused) throw new CommandError(refused.reason ?? "Elasticsearch refused documents");
}
