/** Owns the following of the change log, in order, and past no change that is being written: by one worker for the live indices. */
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, UnavailableError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { fetchLive, type Follower } from "../../api/core/stores/positions.ts";
import { projectLive } from "../projection/project.ts";
import { closeUpTo, fetchAfter, fetchLastPosition, fetchRefusedChanges, type Change } from "./changes.ts";
import { moveFollower } from "./followers.ts";
import { tellEvents } from "./tell-events.ts";

// A batch enters within milliseconds of drawing its position, and is written within seconds. One that takes longer, or has
// died, is passed: should it go on, it enters again.
const PATIENCE = { gapMs: 5_000, writingMs: 60_000 };

/** Follows the log for one follower, as long as this process does. */
export class Following {
  private heldAt = "";
  private heldSince = 0;

  constructor(
    private readonly stores: Stores,
    private readonly fetchFollower: () => Promise<Follower | undefined>,
    /** Brings changes to where the follower wants them. */
    private readonly take: (changes: Change[]) => Promise<unknown>,
    private readonly patience = PATIENCE,
  ) {}

  /** Takes what there is; returns the position reached. What is empty or being written for too long is closed, for the next time. */
  async run(isStopping: () => boolean = () => false): Promise<string> {
    for (;;) {
      const follower = await this.fetchFollower();
      if (!follower) return "";
      const changes = await fetchAfter(this.stores, follower.position);
      const done = doneAfter(follower.position, changes);
      const last = done.at(-1);
      if (!last) await this.hold(follower.position, changes);
      if (!last || isStopping()) return follower.position;
      await this.take(done);
      // Where another one has moved it what was taken may be taken again.
      await moveFollower(this.stores.mongo.documents, follower, last._id);
    }
  }

  private async hold(position: string, changes: readonly Change[]): Promise<void> {
    const [next] = changes;
    if (!next) return;
    const { gapMs, writingMs } = this.patience;
    if (this.heldAt !== position) [this.heldAt, this.heldSince] = [position, performance.now()];
    const patienceMs = Number(next._id) === Number(position) + 1 ? writingMs : gapMs;
    if (performance.now() - this.heldSince < patienceMs) return;
    const writing = changes.find(({ state, job }) => state === "writing" && job === next.job) ?? next;
    await closeUpTo(this.stores.mongo.documents, position, { next, writing });
  }
}

/** Those behind a position that are written, up to the first gap. */
function doneAfter(position: string, changes: readonly Change[]): Change[] {
  const first = Number(position) + 1;
  const writing = new Set(changes.flatMap(({ state, job }) => (state === "writing" ? job : [])));
  // Not one that was broken off either, while its batch runs again: which of the two runs has written what shows afterwards.
  const isOpen = ({ state, job }: Change) => state !== "written" && writing.has(job);
  const end = changes.findIndex((change, at) => isOpen(change) || Number(change._id) !== first + at);
  return changes.slice(0, end === -1 ? undefined : end);
}

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
  const take = async (changes: Change[]) => {
    await projectLive(stores, changes);
    await tellEvents(stores, changes);
  };
  return new Following(stores, () => fetchLive(documents), take, patience);
}

/** The follower of one worker; it begins as it is made. */
export class LiveFollower {
  private active = 0;
  private isStopping = false;
  private woken = new AbortController();
  private readonly ended: Promise<void>;

  constructor(
    private readonly stores: Stores,
    private readonly log: Record<"warn" | "error", (facts: object, words: string) => unknown>,
  ) {
    this.ended = this.run(openLive(stores));
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

  private async run(following: Following): Promise<void> {
    let passMs = 0;
    while (!this.isStopping) {
      const restMs = this.active > 0 ? Math.max(GATHER_MS, REST_FACTOR * passMs) : LOOK_MS;
      await sleep(restMs, undefined, { signal: this.woken.signal }).catch(() => undefined);
      this.woken = new AbortController();
      if (this.isStopping) return;
      const startedAt = performance.now();
      await this.follow(following).catch((error: unknown) => this.tell(error));
      passMs = performance.now() - startedAt;
    }
  }

  private async follow(following: Following): Promise<void> {
    const lock = await this.stores.redis.locks.acquire(FOLLOW_LOCK);
    if (lock) await following.run(() => this.isStopping).finally(() => lock.release());
  }

  private tell(error: unknown): void {
    const isPassing = error instanceof UnavailableError;
    if (isPassing) this.log.warn({ reason: error.message }, "the search cannot follow");
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
  let waitedMs = 0;
  while ((await fetchLive(documents)).position < until && !isEnough(waitedMs)) {
    const waitMs = Math.min(WAIT_MS + waitedMs, LONGEST_WAIT_MS);
    await sleep(waitMs);
    waitedMs += waitMs;
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
