/** Follows the change log in order, and never passes a change that is being written. */
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
import { recountAffectedOfficers } from "../persons/inactive.ts";
import { projectLive } from "../projection/project.ts";
import { closeUpTo, fetchAfter, fetchLastEntered, fetchRefusals, type Change } from "./changes.ts";
import { fetchFollowers, LASTING, moveFollower } from "./followers.ts";
import { storeEvents } from "./store-events.ts";

// A batch enters its change within milliseconds of drawing a position, and writes it within seconds. Followers pass a
// batch that takes longer, or has died; if it continues, it enters again.
const PATIENCE = { gapMs: 5_000, writingMs: 60_000 };
// Limit: how many empty positions are closed at once. After a restore MongoDB may lack millions that Redis has given
// out. Those before the last 10,000 are skipped: no batch still enters there.
const MOST_CLOSED = 10_000;

interface LogFollowerOptions {
  /** For tests: how long the follower waits at an empty position, and for a change that is being written. */
  patience?: typeof PATIENCE | undefined;
  /** How many changes are taken at once; the log's page by default. */
  page?: number;
}

export class LogFollower {
  private waitsAt = "";
  private waitsSince = 0;

  constructor(
    private readonly stores: Stores,
    private readonly fetchFollower: () => Promise<Follower | undefined>,
    private readonly take: (changes: Change[]) => Promise<unknown>,
    private readonly options: LogFollowerOptions = {},
  ) {}

  /**
   * Applies written changes, and returns the position reached. Closes a position that is empty, or being written, for
   * too long. `isEnough` is asked after each page, but not before the first: its answer may come from a Redis that has
   * lost its last positions.
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
  // An interrupted change waits while its batch runs again: only afterwards is it known which run wrote what.
  const isOpen = ({ state, job }: Change) => state !== "written" && writing.has(job);
  const end = changes.findIndex((change, at) => isOpen(change) || Number(change._id) !== first + at);
  return changes.slice(0, end === -1 ? undefined : end);
}

/** The lock that lets one process at a time write the live indices. */
export const FOLLOW_LOCK = "follow";
// How often an idle worker looks for changes of other processes, and for a call by `waitForLive`.
const LOOK_MS = 1_000;
const CALL_LOOK_MS = 100;
// Tuned: how long changes gather, so that a document of several records is made once for many batches.
const GATHER_MS = 3_000;
// The rest after a pass, as a multiple of its time, so that documents of very many records do not slow a load down.
const REST_FACTOR = 3;
// The same for links: in a large load each pass writes nearly all pages again, however few changes it applies.
const LINKS_REST_FACTOR = 10;
// Limit: how many changes the links take at once, some 10 kB each in memory.
const LINKS_PAGE = 512;

/** The follower of the live indices and of stream events. */
export function openLive(stores: Stores, patience?: LogFollowerOptions["patience"]): LogFollower {
  const { documents } = stores.mongo;
  const take = async (changes: Change[]) => {
    await recountAffectedOfficers(stores, changes);
    await projectLive(stores, changes);
    await storeEvents(stores, changes);
  };
  return new LogFollower(stores, () => fetchLive(documents), take, { patience });
}

/** The follower of the links of profiles. */
export function openLinks(stores: Stores, patience?: LogFollowerOptions["patience"]): LogFollower {
  const fetch = () => fetchLinksFollower(stores.mongo.documents);
  const take = (changes: Change[]) => keepLinks(stores, changes);
  return new LogFollower(stores, fetch, take, { patience, page: LINKS_PAGE });
}

/** Keeps the live indices, the stream events and the links of profiles up to date, from its creation until `stop`. */
export class LiveFollower {
  private active = 0;
  private isStopping = false;
  private woken = new AbortController();
  private readonly live: LogFollower;
  private readonly links: LogFollower;
  /** The last position that Redis had given out when this process last looked. */
  private seen: number | null = null;
  /** When links may be updated again. */
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

  /** Runs the work of a batch. Once no batch runs any more, its changes are followed at once. */
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
      await this.follow().catch((error: unknown) => this.logFailure(error));
      passMs = performance.now() - startedAt;
    }
  }

  private rest(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.woken.signal }).catch(() => undefined);
  }

  /** Waits for the next look while this process runs no batch; ends at once if `waitForLive` calls. */
  private async idle(): Promise<void> {
    const endsAt = performance.now() + LOOK_MS;
    while (performance.now() < endsAt && !this.woken.signal.aborted) {
      await this.rest(Math.min(endsAt - performance.now(), CALL_LOOK_MS));
      if (!(await this.stores.redis.areFollowersCalled().catch(() => false))) continue;
      this.linksDueAt = 0;
      return;
    }
  }

  private async follow(): Promise<void> {
    const lock = await this.stores.redis.locks.acquire(FOLLOW_LOCK);
    if (!lock) return;
    try {
      const last = await this.stores.redis.fetchPosition();
      // So that a pass ends, changes entered during it wait for the next one.
      const isEnough = (position: string) => this.isStopping || (last !== null && Number(position) >= last);
      // Links are also due when no batch has begun since the last look.
      const areLinksDue = last === this.seen || performance.now() >= this.linksDueAt;
      this.seen = last;
      // Links come first, so that profiles do not wait for Elasticsearch.
      if (areLinksDue) await this.followLinks(isEnough);
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

  private logFailure(error: unknown): void {
    if (error instanceof UnavailableError)
      this.log.warn({ reason: error.message }, "search update failed, will retry");
    else this.log.error({ err: error }, "search update failed");
  }
}

const WAIT_MS = 20;
// Each wait grows by this share of the time waited so far, so that a load ends soon after its search update.
const WAIT_SHARE = 1 / 4;
const LONGEST_WAIT_MS = 500;
// After this time the user is told why the command waits.
const LONG_WAIT_MS = 10_000;

/**
 * Calls the workers, and waits until the live indices and the links have all changes up to now. `isEnough` is asked
 * before each wait, and can end it sooner.
 */
export async function waitForLive(
  { mongo: { documents }, redis }: Stores,
  isEnough: (waitedMs: number) => boolean,
) {
  const until = await fetchLastEntered(documents);
  const isBehind = async () =>
    (await fetchFollowers(documents, LASTING)).some(({ position }) => position < until);
  let waitedMs = 0;
  while ((await outsideSpans(isBehind)) && !isEnough(waitedMs)) {
    // Not awaited: without Redis the call would add a second to each wait.
    void outsideSpans(() => redis.callFollowers()).catch(() => undefined);
    const waitMs = Math.min(WAIT_MS + WAIT_SHARE * waitedMs, LONGEST_WAIT_MS);
    await sleep(waitMs);
    waitedMs += waitMs;
  }
}

/**
 * Waits until the search has the changes of a load. Throws CommandError when Elasticsearch has refused some of them, or
 * when the user stops the command.
 */
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
