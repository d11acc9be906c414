/** Follows the change log, in order, and never past a change that is being written. */
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, UnavailableError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { fetchLive, type Follower } from "../../api/core/stores/positions.ts";
import { keepLinks } from "../links/keep.ts";
import { followStandings } from "../persons/inactive.ts";
import { projectLive } from "../projection/project.ts";
import { closeUpTo, fetchAfter, fetchLastPosition, fetchRefusedChanges, type Change } from "./changes.ts";
import { moveFollower } from "./followers.ts";
import { storeEvents } from "./store-events.ts";

// A batch enters within milliseconds of drawing its position, and is written within seconds. One that takes
// longer, or has died, is passed: if it continues, it enters again.
const PATIENCE = { gapMs: 5_000, writingMs: 60_000 };

export class Following {
  private waitsAt = "";
  private waitsSince = 0;

  constructor(
    private readonly stores: Stores,
    private readonly fetchFollower: () => Promise<Follower | undefined>,
    private readonly take: (changes: Change[]) => Promise<unknown>,
    private readonly patience = PATIENCE,
  ) {}

  /** Applies what is written; returns the position reached. Closes what is empty or in writing too long. */
  async run(isStopping: () => boolean = () => false): Promise<string> {
    for (;;) {
      const follower = await this.fetchFollower();
      if (!follower) return "";
      const changes = await fetchAfter(this.stores, follower.position);
      const done = doneAfter(follower.position, changes);
      const last = done.at(-1);
      if (!last) await this.waitOrClose(follower.position, changes);
      if (!last || isStopping()) return follower.position;
      await this.take(done);
      // If another process has moved the follower, the changes may be applied again.
      await moveFollower(this.stores.mongo.documents, follower, last._id);
    }
  }

  private async waitOrClose(position: string, changes: readonly Change[]): Promise<void> {
    const [next] = changes;
    if (!next) return;
    const { gapMs, writingMs } = this.patience;
    if (this.waitsAt !== position) [this.waitsAt, this.waitsSince] = [position, performance.now()];
    const patienceMs = Number(next._id) === Number(position) + 1 ? writingMs : gapMs;
    if (performance.now() - this.waitsSince < patienceMs) return;
    const writing = changes.find(({ state, job }) => state === "writing" && job === next.job) ?? next;
    await closeUpTo(this.stores.mongo.documents, position, { next, writing });
  }
}

/** The written changes after a position, up to the first gap. */
function doneAfter(position: string, changes: readonly Change[]): Change[] {
  const first = Number(position) + 1;
  const writing = new Set(changes.flatMap(({ state, job }) => (state === "writing" ? job : [])));
  // Waits for a broken-off change while its batch runs again: which run wrote what is known only afterwards.
  const isOpen = ({ state, job }: Change) => state !== "written" && writing.has(job);
  const end = changes.findIndex((change, at) => isOpen(change) || Number(change._id) !== first + at);
  return changes.slice(0, end === -1 ? undefined : end);
}

/** One process writes the live indices at a time. */
export const FOLLOW_LOCK = "follow";
// How often an idle worker looks for changes of others.
const LOOK_MS = 1_000;
// Tuned: changes gather this long, so that a document of several records is made once for many batches.
const GATHER_MS = 3_000;
// Rest between passes, as a multiple of the last: documents of very many records take only a share of a load.
const REST_FACTOR = 3;

export function openLive(stores: Stores, patience?: ConstructorParameters<typeof Following>[3]): Following {
  const { documents } = stores.mongo;
  const take = async (changes: Change[]) => {
    // First: profiles do not wait for Elasticsearch.
    await keepLinks(stores, changes);
    await followStandings(stores, changes);
    await projectLive(stores, changes);
    await storeEvents(stores, changes);
  };
  return new Following(stores, () => fetchLive(documents), take, patience);
}

/** Follows for the live indices, from its creation. */
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

  /** Runs the work of a batch, then follows its changes. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.active += 1;
    try {
      return await work();
    } finally {
      this.active -= 1;
      if (this.active === 0) this.woken.abort();
    }
  }

  /** Resolves when the current changes have reached the search. */
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
    if (error instanceof UnavailableError)
      this.log.warn({ reason: error.message }, "search update failed, will retry");
    else this.log.error({ err: error }, "search update failed");
  }
}

const WAIT_MS = 20;
const LONGEST_WAIT_MS = 500;
// After this time the user sees why.
const LONG_WAIT_MS = 10_000;

/** Waits until the live indices have all changes up to now, or `isEnough`, asked before each wait. */
export async function waitForLive({ mongo: { documents } }: Stores, isEnough: (waitedMs: number) => boolean) {
  const until = await fetchLastPosition(documents);
  let waitedMs = 0;
  while ((await fetchLive(documents)).position < until && !isEnough(waitedMs)) {
    const waitMs = Math.min(WAIT_MS + waitedMs, LONGEST_WAIT_MS);
    await sleep(waitMs);
    waitedMs += waitMs;
  }
}

/** Waits for the changes of a load. Throws CommandError when Elasticsearch refuses some of them. */
export async function waitForSearch(stores: Stores, load: string, onNote: (note: string) => void) {
  let isTold = false;
  await waitForLive(stores, (waitedMs) => {
    if (waitedMs >= LONG_WAIT_MS && !isTold)
      onNote("all rows are written; waiting for the workers to update the search");
    isTold ||= waitedMs >= LONG_WAIT_MS;
    return false;
  });
  const [refused] = await fetchRefusedChanges(stores.mongo.documents, load);
  if (refused) throw new CommandError(refused.reason ?? "Elasticsearch rejected documents");
}
