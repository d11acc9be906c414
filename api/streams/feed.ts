/** Sends a stream to each reader: stored events as fast as it reads them, then new ones as they come. */
import { setTimeout as sleep } from "node:timers/promises";
import { fetchBounds, type StreamBounds } from "../shared/stores/collections/events.ts";
import type { Stores } from "../shared/stores/index.ts";
import { openPages, type FetchNextPage } from "./pages.ts";
import type { StreamDefinition } from "./streams.ts";

// Time between two polls for changes, which all readers of a process share.
const LOOK_MS = 1_000;
const HEARTBEAT_MS = 30_000;
const HEARTBEAT = Buffer.from("\n");

export interface Reading {
  stream: StreamDefinition;
  /** The timepoint of the first event. */
  from: number;
  /** Called with each heartbeat; false ends the stream. */
  mayGoOn: () => Promise<boolean>;
  /** Called with the number of event bytes sent. */
  onSent: (bytes: number) => void;
}

/** Does not query the stores while there are no readers. */
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

  /** Yields events, one per line, and an empty line each half minute, the first at once to confirm access. */
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
      // The reader was too slow: its next events are deleted. A new request gets the reason.
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

  /** Ends every stream after its last whole event. */
  end(): void {
    this.ended.abort();
  }

  /** At most a second old. */
  private fetchBounds(): Promise<StreamBounds> {
    this.look ??= fetchBounds(this.stores.mongo.documents).finally(
      () => void setTimeout(() => (this.look = undefined), LOOK_MS).unref(),
    );
    return this.look;
  }

  /** Readers that are up to date wait together. */
  private rest(): Promise<void> {
    this.pause ??= sleep(LOOK_MS, undefined, { signal: this.ended.signal })
      .catch(() => undefined)
      .finally(() => (this.pause = undefined));
    return this.pause;
  }
}
