/** Owns the following of the streams by readers: what there is goes out as fast as each of them takes it, then what comes. */
import { setTimeout as sleep } from "node:timers/promises";
import { fetchBounds, type StreamBounds } from "../core/stores/events.ts";
import type { Stores } from "../core/stores/index.ts";
import { openPages, type FetchNextPage } from "./pages.ts";
import type { StreamDefinition } from "./streams.ts";

// Between two looks whether the register has changed: one for all readers of a process.
const LOOK_MS = 1_000;
const HEARTBEAT_MS = 30_000;
const HEARTBEAT = Buffer.from("\n");

/** How a reader follows. */
export interface Reading {
  stream: StreamDefinition;
  /** The timepoint of the first event. */
  from: number;
  /** Asked with each heartbeat; false ends the reading. */
  mayGoOn: () => Promise<boolean>;
  /** Told how many bytes of events go out. */
  onSent: (bytes: number) => void;
}

/** The streams as readers follow them; nothing is asked as long as there are none. */
export class Feed {
  private readonly fetchNext: FetchNextPage;
  private readonly ended = new AbortController();
  private look: Promise<StreamBounds> | undefined;
  private pause: Promise<void> | undefined;

  constructor(
    private readonly stores: Pick<Stores, "mongo">,
    clock: () => Date,
    private readonly heartbeatMs: number = HEARTBEAT_MS,
  ) {
    this.fetchNext = openPages(stores, clock);
  }

  /** Lines of events, and an empty one each half minute; the first at once, so that a reader sees that it is let in. */
  async *follow({ stream, from, mayGoOn, onSent }: Reading): AsyncGenerator<Buffer, void> {
    let next = from;
    let beatAt = -Infinity;
    while (!this.ended.signal.aborted) {
      if (performance.now() - beatAt >= this.heartbeatMs) {
        if (!(await mayGoOn())) return;
        yield HEARTBEAT;
        beatAt = performance.now();
      }
      const bounds = await this.fetchBounds();
      // Too slow for what is kept: whoever asks again is told so.
      if (next < bounds.oldest) return;
      if (next >= bounds.next) {
        await this.rest();
        continue;
      }
      const page = await this.fetchNext(stream, next, bounds.reached);
      next = page.next;
      if (page.bytes.length === 0) continue;
      onSent(page.bytes.length);
      yield page.bytes;
    }
  }

  /** Ends every reading behind its last whole event. */
  end(): void {
    this.ended.abort();
  }

  /** What there is, or was at most a second ago. */
  private fetchBounds(): Promise<StreamBounds> {
    this.look ??= fetchBounds(this.stores.mongo.documents).finally(
      () => void setTimeout(() => (this.look = undefined), LOOK_MS).unref(),
    );
    return this.look;
  }

  /** Readers who have everything wait together. */
  private rest(): Promise<void> {
    this.pause ??= sleep(LOOK_MS, undefined, { signal: this.ended.signal })
      .catch(() => undefined)
      .finally(() => (this.pause = undefined));
    return this.pause;
  }
}
