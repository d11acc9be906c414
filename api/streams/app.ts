/**
 * The server of the event streams: access, start points and connection limits. Each reader gets the stored events as
 * fast as it reads them, then new events as they come.
 */
import { METHODS } from "node:http";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import Router from "@koa/router";
import { ApiError, serviceError } from "../shared/runtime/errors.ts";
import { parseQuery, type IntegerParameter } from "../shared/schemas/query-parameters.ts";
import { fetchBounds, type StreamBounds } from "../shared/stores/collections/events.ts";
import type { Stores } from "../shared/stores/index.ts";
import { requireScope } from "../http/auth/identify.ts";
import { buildStreamAccess, type AccessOptions } from "../http/auth/index.ts";
import { repairAddress } from "../http/address.ts";
import { errorResponse } from "../http/error-response.ts";
import { openKoa, requestContext, type EndedRequest, type RequestState } from "../http/request-context.ts";
import { openPages, type FetchNextPage } from "./pages.ts";
import { IN_THE_FUTURE, NEXT_TIMEPOINT, streams, type StreamDefinition } from "./streams.ts";

export interface StreamsDependencies extends AccessOptions {
  /** Called with the number of event bytes sent. */
  onSent?: (stream: string, bytes: number) => void;
  /** Called with each request after its answer, a stream included. */
  onEnd?: (request: EndedRequest) => void;
  /** Time between two empty lines, in milliseconds; half a minute by default. */
  heartbeatMs?: number;
  /** Time between two polls for changes, in milliseconds; a second by default. */
  lookMs?: number;
}

export type StreamServer = ReturnType<typeof buildStreams>;

// A connection whose client reads nothing for this long is closed: the client is gone, or blocks a connection.
const STALLED_MS = 600_000;

const FROM_NOW_ON = -1;
const OLDEST = 0;
const parameters: { timepoint: IntegerParameter } = {
  timepoint: {
    kind: "integer",
    default: FROM_NOW_ON,
    description:
      "The timepoint to continue from: one more than that of the last event that you read. 0: the oldest event that is kept.",
  },
};

/** Builds the server's app; opens and starts nothing. */
export function buildStreams(dependencies: StreamsDependencies) {
  const { config, stores, log, clock, heartbeatMs, lookMs } = dependencies;
  const feed = new Feed(stores, clock, heartbeatMs, lookMs);
  const access = buildStreamAccess(dependencies);
  const readers = new Readers(config.STREAM_CONNECTIONS);
  // All methods that Node accepts, so that those without a route get 405 instead of 501, as in the API.
  const router = new Router<RequestState>({ methods: METHODS });
  for (const stream of streams) {
    const { name, record, scope } = stream;
    router.get(`/${name}`, async (ctx) => {
      ctx.state.route = `stream ${name}`;
      requireScope(ctx, scope);
      const { timepoint } = parseQuery(parameters, ctx.query);
      // A reader that has disconnected already emits no "close", and would be counted for ever.
      if (ctx.res.destroyed) return;
      // Before the store is read, so that a connection above the limit costs no read.
      const leave = readers.enter(ctx.state.principal?.countedAs ?? "", name);
      ctx.res.once("close", leave);
      const from = startOf(timepoint, record.collection, await fetchBounds(stores.mongo.documents));
      ctx.res.setTimeout(STALLED_MS, () => ctx.res.destroy());
      const onSent = (bytes: number) => dependencies.onSent?.(name, bytes);
      const lines = feed.follow({ stream, from, mayGoOn: () => access.mayRead(ctx, scope), onSent });
      ctx.set("Content-Type", "application/json");
      ctx.set("Cache-Control", "no-store");
      ctx.set(NEXT_TIMEPOINT, String(from));
      ctx.body = Readable.from(lines, { objectMode: false });
    });
  }
  const app = openKoa(config, log, "stream interrupted");
  app.use(requestContext(log, dependencies.onEnd));
  app.use(errorResponse());
  app.use(repairAddress());
  for (const middleware of access.middleware) app.use(middleware);
  app.use(router.routes());
  app.use(router.allowedMethods());
  return {
    app,
    end: () => feed.end(),
    /** Open connections by stream. */
    countReaders: () => readers.count(),
  };
}

function oldestIn(collection: string, { oldest, origin }: StreamBounds): number {
  return oldest[collection] ?? origin;
}

/** Counts the open connections of each caller, and limits them. */
class Readers {
  private readonly open = new Set<{ caller: string; stream: string }>();

  constructor(private readonly most: number) {}

  /** Adds a connection; returns the function that removes it. Throws ApiError 429 above the caller's limit. */
  enter(caller: string, stream: string): () => void {
    const own = [...this.open].filter((one) => one.caller === caller).length;
    if (own >= this.most) throw new ApiError(429, [serviceError("too-many-connections")]);
    const reader = { caller, stream };
    this.open.add(reader);
    return () => void this.open.delete(reader);
  }

  count(): Record<string, number> {
    const counts = Object.fromEntries(streams.map(({ name }) => [name, 0]));
    for (const { stream } of this.open) counts[stream] = (counts[stream] ?? 0) + 1;
    return counts;
  }
}

/** Where to start. Throws ApiError 416 for a timepoint in the future, or one after which events have been deleted. */
function startOf(timepoint: number, collection: string, bounds: StreamBounds): number {
  const { next } = bounds;
  const oldest = oldestIn(collection, bounds);
  if (timepoint <= FROM_NOW_ON) return next;
  if (timepoint === OLDEST) return oldest;
  if (timepoint >= oldest && timepoint <= next) return timepoint;
  throw new ApiError(416, [serviceError(timepoint > next ? IN_THE_FUTURE : "timepoint-too-old")]);
}

// Time between two polls for changes, which all readers of a process share.
const LOOK_MS = 1_000;
const HEARTBEAT_MS = 30_000;
const HEARTBEAT = Buffer.from("\n");

interface Reading {
  stream: StreamDefinition;
  from: number;
  /** Called with each heartbeat; false ends the stream. */
  mayGoOn: () => Promise<boolean>;
  /** Called with the number of event bytes sent. */
  onSent: (bytes: number) => void;
}

/** Sends a stream to each reader. Does not query the stores while there are no readers. */
class Feed {
  private readonly fetchNext: FetchNextPage;
  private readonly ended = new AbortController();
  private look: Promise<StreamBounds> | undefined;
  private pause: Promise<void> | undefined;

  constructor(
    private readonly stores: Pick<Stores, "mongo">,
    clock: () => Date,
    private readonly heartbeatMs: number = HEARTBEAT_MS,
    private readonly lookMs: number = LOOK_MS,
  ) {
    this.fetchNext = openPages(stores, clock);
  }

  /** Yields events, one per line, and an empty line every half minute; the first comes at once and confirms access. */
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
      if (next >= bounds.next) {
        await this.rest();
        continue;
      }
      const page = await this.fetchNext(stream, next, bounds);
      // The reader was too slow: events of this page may have been deleted while it waited for its turn. The reason is
      // the answer to its next request.
      if (next < oldestIn(stream.record.collection, await this.fetchBounds())) return;
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

  /** The bounds, cached for the time between two polls. */
  private fetchBounds(): Promise<StreamBounds> {
    this.look ??= fetchBounds(this.stores.mongo.documents).finally(
      () => void setTimeout(() => (this.look = undefined), this.lookMs).unref(),
    );
    return this.look;
  }

  /** Waits for the next poll; all readers that are up to date share one timer. */
  private rest(): Promise<void> {
    this.pause ??= sleep(this.lookMs, undefined, { signal: this.ended.signal })
      .catch(() => undefined)
      .finally(() => (this.pause = undefined));
    return this.pause;
  }
}
