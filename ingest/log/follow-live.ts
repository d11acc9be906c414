/** Owns the following of the change log by the live indices: in the workers, one at a time, and the wait for it. */
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, messageOf, UnavailableError } from "../../api/core/errors.ts";
import type { Logger } from "../../api/core/logger.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { isLoadEnded } from "../loads.ts";
import { fetchLastPosition, fetchRefusedChanges, trimChanges } from "./changes.ts";
import { fetchLive, listFollowers } from "./followers.ts";
import { Following } from "./follow.ts";
import { toPosition } from "./positions.ts";
import { projectLive } from "./project.ts";

/** Lock of whoever brings changes to the live indices: one for all. */
export const FOLLOW_LOCK = "follow";
// Between two looks whether other workers have written something.
const LOOK_MS = 1_000;
// Tuned: what is written for so long is followed together, so that a document of several records is made once for many
// batches; as soon as the worker rests nothing is waited for.
const GATHER_MS = 3_000;
// Changes after which those that everybody has followed are taken away.
const TRIM_AFTER = 500;

/** The follower of one worker. */
export interface LiveFollower {
  /** Does the work of a batch, and follows what came of it. */
  during: <T>(work: () => Promise<T>) => Promise<T>;
  /** Ends when what is being brought to the search is there. */
  stop: () => Promise<void>;
}

/** Begins to follow. */
export function startFollower(stores: Stores, log: Logger): LiveFollower {
  const follower = new WorkerFollower(stores, log);
  const ended = follower.run();
  return {
    during: (work) => follower.during(work),
    stop: () => {
      follower.stop();
      return ended;
    },
  };
}

class WorkerFollower {
  private active = 0;
  private isStopping = false;
  private wake: () => void = () => undefined;
  private trimmedAt = 0;
  private readonly following: Following;

  constructor(
    private readonly stores: Stores,
    private readonly log: Logger,
  ) {
    const { documents } = stores.mongo;
    this.following = new Following(
      documents,
      () => fetchLive(documents),
      (changes) => projectLive(stores, changes),
    );
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.active += 1;
    try {
      return await work();
    } finally {
      this.active -= 1;
      if (this.active === 0) this.wake();
    }
  }

  stop(): void {
    this.isStopping = true;
    this.wake();
  }

  async run(): Promise<void> {
    while (!this.isStopping) {
      await this.rest(this.active > 0 ? GATHER_MS : LOOK_MS);
      if (this.isStopping) return;
      await this.follow().catch((error: unknown) => this.tell(error));
    }
  }

  private async follow(): Promise<void> {
    const lock = await this.stores.redis.locks.acquire(FOLLOW_LOCK);
    if (!lock) return;
    try {
      const position = await this.following.run(() => this.isStopping);
      await this.trim(Number(position));
    } finally {
      await lock.release();
    }
  }

  private async trim(position: number): Promise<void> {
    if (position < this.trimmedAt + TRIM_AFTER) return;
    const { documents } = this.stores.mongo;
    const [first = toPosition(0)] = (await listFollowers(documents)).map((one) => one.position).sort();
    await trimChanges(documents, first, (load) => isLoadEnded(documents, load));
    this.trimmedAt = position;
  }

  private tell(error: unknown): void {
    if (error instanceof UnavailableError)
      this.log.warn({ reason: messageOf(error) }, "the search cannot follow");
    else this.log.error({ err: error }, "the search does not follow");
  }

  private async rest(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      timer = setTimeout(resolve, milliseconds);
    });
    clearTimeout(timer);
  }
}

const WAIT_MS = 20;
const LONGEST_WAIT_MS = 500;
// After this long a person wonders.
const LONG_WAIT_MS = 10_000;

/**
 * Waits until the live indices have all that a load has changed. Throws CommandError when Elasticsearch refuses some of it.
 */
export async function waitForSearch(
  { mongo, redis }: Stores,
  load: string,
  onNote: (note: string) => void,
): Promise<void> {
  const { documents } = mongo;
  const last = await redis.fetchPosition();
  const until = last === null ? await fetchLastPosition(documents) : toPosition(last);
  const startedAt = performance.now();
  let isTold = false;
  for (
    let wait = WAIT_MS;
    (await fetchLive(documents)).position < until;
    wait = Math.min(wait * 2, LONGEST_WAIT_MS)
  ) {
    if (!isTold && performance.now() - startedAt > LONG_WAIT_MS) {
      isTold = true;
      onNote("all rows are written; the load ends when the workers have brought them to the search");
    }
    await sleep(wait);
  }
  const [refused] = await fetchRefusedChanges(documents, load);
  if (refused) throw new CommandError(refused.reason ?? "Elasticsearch refused documents");
}
