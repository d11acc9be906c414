/** Follows the change log, in order, and never past a change that is being written. */
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, UnavailableError } from "../../api/shared/runtime/errors.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { SpanFacts } from "../../api/shared/tracing/spans.ts";
import { inSpan, outsideSpans } from "../../api/shared/tracing/tracing.ts";
import {
  fetchLinksFollower,
  fetchLive,
  toPosition,
  type Follower,
} from "../../api/shared/stores/collections/positions.ts";
import { keepLinks } from "../links/keep.ts";
import { followStandings } from "../persons/inactive.ts";
import { projectLive } from "../projection/project.ts";
import { closeUpTo, fetchAfter, fetchLastEntered, fetchRefusals, type Change } from "./changes.ts";
import { fetchFollowers, LASTING, moveFollower } from "./followers.ts";
import { storeEvents } from "./store-events.ts";

// A batch enters within milliseconds of drawing its position, and is written within seconds. One that takes
// longer, or has died, is passed: if it continues, it enters again.
const PATIENCE = { gapMs: 5_000, writingMs: 60_000 };
// Limit: empty positions that are closed at once. A restored MongoDB knows nothing of millions that Redis has given out; no
// batch enters at one after which so many were.
const MOST_CLOSED = 10_000;

interface FollowingOptions {
  /** For tests: how long it waits for a change that is being written. */
  patience?: typeof PATIENCE | undefined;
  /** How many changes it takes at once; the log's page by default. */
  page?: number;
}

export class Following {
  private waitsAt = "";
  private waitsSince = 0;

  constructor(
    private readonly stores: Stores,
    private readonly fetchFollower: () => Promise<Follower | undefined>,
    private readonly take: (changes: Change[]) => Promise<unknown>,
    private readonly options: FollowingOptions = {},
  ) {}

  /**
   * Applies what is written; returns the position reached. Closes what is empty or in writing too long. `isEnough` is
   * asked after each page, not before the first: a Redis that has lost its last positions would say that none is left.
   */
  async run(isEnough: (position: string) => boolean = () => false): Promise<string> {
    for (;;) {
      const follower = await this.fetchFollower();
      if (!follower) return "";
      const changes = await fetchAfter(this.stores, follower.position, this.options.page);
      const done = doneAfter(follower.position, changes);
      const last = done.at(-1);
      if (!last) {
        await this.waitOrClose(follower, changes);
        return follower.position;
      }
      await inSpan(spanOf(follower, done), async () => {
        await this.take(done);
        // If another process has moved the follower, the changes may be applied again.
        await moveFollower(this.stores.mongo.documents, follower, last._id);
      });
      if (isEnough(last._id)) return last._id;
    }
  }

  private async waitOrClose(follower: Follower, changes: readonly Change[]): Promise<void> {
    const [next] = changes;
    if (!next) return;
    const { position } = follower;
    const { documents } = this.stores.mongo;
    const { gapMs, writingMs } = this.options.patience ?? PATIENCE;
    if (this.waitsAt !== position) [this.waitsAt, this.waitsSince] = [position, performance.now()];
    const patienceMs = Number(next._id) === Number(position) + 1 ? writingMs : gapMs;
    if (performance.now() - this.waitsSince < patienceMs) return;
    const writing = changes.find(({ state, job }) => state === "writing" && job === next.job) ?? next;
    const near = toPosition(Math.max(Number(position), Number(next._id) - MOST_CLOSED));
    if (near > position) await moveFollower(documents, follower, near);
    await closeUpTo(documents, near, { next, writing });
  }
}

/** Changes of one load continue its trace. */
function spanOf({ _id }: Follower, changes: readonly Change[]): SpanFacts {
  const attributes = { "company_register.follower": _id, "company_register.changes": changes.length };
  return { name: "follow changes", attributes, from: changes.map(({ traceparent }) => traceparent) };
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
// How often an idle worker looks for changes of others, and whether somebody waits for them.
const LOOK_MS = 1_000;
const CALL_LOOK_MS = 100;
// Tuned: changes gather this long, so that a document of several records is made once for many batches.
const GATHER_MS = 3_000;
// Rest between passes, as a multiple of the last: documents of very many records take only a share of a load.
const REST_FACTOR = 3;
// The same for links: each pass of a large load writes nearly all pages again, however few changes it takes.
const LINKS_REST_FACTOR = 10;
// Limit: changes of which links are kept at once, some 10 kB each in memory.
const LINKS_PAGE = 512;

/** What the live indices and the events follow by. */
export function openLive(stores: Stores, patience?: FollowingOptions["patience"]): Following {
  const { documents } = stores.mongo;
  const take = async (changes: Change[]) => {
    await followStandings(stores, changes);
    await projectLive(stores, changes);
    await storeEvents(stores, changes);
  };
  return new Following(stores, () => fetchLive(documents), take, { patience });
}

/** What the links of profiles follow by. */
export function openLinks(stores: Stores, patience?: FollowingOptions["patience"]): Following {
  const fetch = () => fetchLinksFollower(stores.mongo.documents);
  const take = (changes: Change[]) => keepLinks(stores, changes);
  return new Following(stores, fetch, take, { patience, page: LINKS_PAGE });
}

/** Follows for the live indices and the links of profiles, from its creation. */
export class LiveFollower {
  private active = 0;
  private isStopping = false;
  private woken = new AbortController();
  private readonly live: Following;
  private readonly links: Following;
  /** The last position that was drawn when this process last looked. */
  private seen: number | null = null;
  private areLinksLeft = false;
  /** When the last pass of links was long enough ago. */
  private linksDueAt = 0;
  private readonly ended: Promise<void>;

  constructor(
    private readonly stores: Stores,
    private readonly log: Record<"warn" | "error", (facts: object, words: string) => unknown>,
  ) {
    this.live = openLive(stores);
    this.links = openLinks(stores);
    this.ended = this.run();
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

  private async run(): Promise<void> {
    let passMs = 0;
    while (!this.isStopping) {
      if (this.active > 0) await this.rest(Math.max(GATHER_MS, REST_FACTOR * passMs));
      else await this.idle();
      this.woken = new AbortController();
      if (this.isStopping) return;
      const startedAt = performance.now();
      await this.follow().catch((error: unknown) => this.tell(error));
      passMs = performance.now() - startedAt;
    }
  }

  private rest(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.woken.signal }).catch(() => undefined);
  }

  /** Until the next look while no batch runs here: sooner if links are left from the last one, at once if somebody waits. */
  private async idle(): Promise<void> {
    const lookAt = performance.now() + LOOK_MS;
    const endsAt = this.areLinksLeft ? Math.min(this.linksDueAt, lookAt) : lookAt;
    while (performance.now() < endsAt && !this.woken.signal.aborted) {
      await this.rest(Math.min(endsAt - performance.now(), CALL_LOOK_MS));
      if (!(await this.stores.redis.areFollowersCalled().catch(() => false))) continue;
      this.linksDueAt = 0;
      return;
    }
  }

  private async follow(): Promise<void> {
    // If this pass cannot run, the next one is not due at once.
    this.areLinksLeft = false;
    const lock = await this.stores.redis.locks.acquire(FOLLOW_LOCK);
    if (!lock) return;
    try {
      const last = await this.stores.redis.fetchPosition();
      // What is written meanwhile waits for the next pass, so that a pass ends.
      const isEnough = (position: string) => this.isStopping || (last !== null && Number(position) >= last);
      // Also due when no batch has begun since the last look.
      this.areLinksLeft = last !== this.seen && performance.now() < this.linksDueAt;
      this.seen = last;
      // First: profiles do not wait for Elasticsearch.
      if (!this.areLinksLeft) await this.followLinks(isEnough);
      if (!this.isStopping) await this.live.run(isEnough);
    } finally {
      await lock.release();
    }
  }

  private async followLinks(isEnough: (position: string) => boolean): Promise<void> {
    const startedAt = performance.now();
    await this.links.run(isEnough);
    const endedAt = performance.now();
    this.linksDueAt = endedAt + LINKS_REST_FACTOR * (endedAt - startedAt);
  }

  private tell(error: unknown): void {
    if (error instanceof UnavailableError)
      this.log.warn({ reason: error.message }, "search update failed, will retry");
    else this.log.error({ err: error }, "search update failed");
  }
}

const WAIT_MS = 20;
// A wait is this share of those before it, so that a load ends hardly later than its search update.
const WAIT_SHARE = 1 / 4;
const LONGEST_WAIT_MS = 500;
// After this time the user sees why.
const LONG_WAIT_MS = 10_000;

/** Calls the workers, and waits until live indices and links have all changes up to now, or `isEnough`, asked before each wait. */
export async function waitForLive(
  { mongo: { documents }, redis }: Stores,
  isEnough: (waitedMs: number) => boolean,
) {
  const until = await fetchLastEntered(documents);
  const isBehind = async () =>
    (await fetchFollowers(documents, LASTING)).some(({ position }) => position < until);
  let waitedMs = 0;
  while ((await outsideSpans(isBehind)) && !isEnough(waitedMs)) {
    // Not waited for: without Redis it lasts a second longer.
    void outsideSpans(() => redis.callFollowers()).catch(() => undefined);
    const waitMs = Math.min(WAIT_MS + WAIT_SHARE * waitedMs, LONGEST_WAIT_MS);
    await sleep(waitMs);
    waitedMs += waitMs;
  }
}

/** Waits for the changes of a load. Throws CommandError when Elasticsearch refuses some of them, or a person stops it. */
export async function waitForSearch(
  stores: Stores,
  load: string,
  { tell, isStopping }: { tell: (note: string) => void; isStopping: () => boolean },
) {
  let isTold = false;
  await waitForLive(stores, (waitedMs) => {
    if (isStopping())
      throw new CommandError("stopped; all rows are written, and the workers go on updating the search");
    if (waitedMs >= LONG_WAIT_MS && !isTold)
      tell("all rows are written; waiting for the workers to update the search");
    isTold ||= waitedMs >= LONG_WAIT_MS;
    return false;
  });
  const [refused] = await fetchRefusals(stores.mongo.documents, load);
  if (refused) throw new CommandError(refused.reason ?? "Elasticsearch rejected documents");
}
