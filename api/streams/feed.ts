/** Owns the following of the streams by readers: what there is goes out as fast as each of them takes it, then what comes. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Stores } from "../core/stores/index.ts";
import { fetchBounds, type StreamBounds } from "../core/stores/events.ts";
import { openPages } from "./pages.ts";
import type { StreamDefinition } from "./streams.ts";

// Between two looks whether the register has changed; one process asks once for all of its readers.
const LOOK_MS = 1_000;
const HEARTBEAT_MS = 30_000;
const HEARTBEAT = Buffer.from("\n");

/** How a reader follows. */
export interface Reading {
  /** The timepoint of the first event. */
  from: number;
  /** Asked with each heartbeat; false ends the reading. */
  mayGoOn: () => Promise<boolean>;
  /** Told how many bytes of events go out. */
  onSent?: (bytes: number) => void;
}

/** The streams as readers follow them. */
export interface Feed {
  /** Lines of events, and an empty one each half minute; the first at once, so that a reader sees that it is let in. */
  follow: (stream: StreamDefinition, reading: Reading) => AsyncGenerator<Buffer, void>;
  /** Ends every reading behind its last whole event. */
  end: () => void;
}

/** Opens it; nothing is asked as long as nobody reads. `heartbeatMs`: half a minute unless told. */
export function openFeed(
  stores: Pick<Stores, "mongo">,
  clock: () => Date,
  heartbeatMs: number = HEARTBEAT_MS,
): Feed {
  const fetchNext = openPages(stores, clock);
  const ended = new AbortController();
  let look: Promise<StreamBounds> | undefined;
  /** What there is, at most a second ago. */
  const fetchLately = () => {
    look ??= fetchBounds(stores.mongo.documents).finally(
      () => void setTimeout(() => (look = undefined), LOOK_MS).unref(),
    );
    return look;
  };
  let pause: Promise<void> | undefined;
  /** Readers who have everything wait together. */
  const rest = () => {
    pause ??= sleep(LOOK_MS, undefined, { signal: ended.signal })
      .catch(() => undefined)
      .finally(() => (pause = undefined));
    return pause;
  };
  async function* follow(stream: StreamDefinition, { from, mayGoOn, onSent }: Reading) {
    let next = from;
    let beatAt = -Infinity;
    while (!ended.signal.aborted) {
      if (performance.now() - beatAt >= heartbeatMs) {
        if (!(await mayGoOn())) return;
        yield HEARTBEAT;
        beatAt = performance.now();
      }
      const bounds = await fetchLately();
      // Too slow for what is kept: who asks again is told so.
      if (next < bounds.oldest) return;
      if (next >= bounds.next) {
        await rest();
        continue;
      }
      const page = await fetchNext(stream, next, bounds.reached);
      next = page.next;
      if (page.bytes.length === 0) continue;
      onSent?.(page.bytes.length);
      yield page.bytes;
    }
  }
  return { follow, end: () => ended.abort() };
}
