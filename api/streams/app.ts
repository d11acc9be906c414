/** Owns the server of the event streams: who may read, from where on, and how many at once. */
import { Readable } from "node:stream";
import Koa from "koa";
import Router from "@koa/router";
import { ApiError, messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import { parseQuery, type IntegerParameter } from "../core/query-parameters.ts";
import { fetchBounds, type StreamBounds } from "../core/stores/events.ts";
import type { Stores } from "../core/stores/index.ts";
import { buildStreamAccess } from "../http/auth/index.ts";
import { errorResponse, serviceError } from "../http/error-response.ts";
import { requestContext, type EndedRequest, type RequestState } from "../http/request-context.ts";
import { Feed } from "./feed.ts";
import { streams } from "./streams.ts";

/** What the streams need. */
export interface StreamsDependencies {
  stores: Pick<Stores, "mongo"> & { redis: Pick<Stores["redis"], "counters"> };
  log: Logger;
  clock: () => Date;
  /** Proxies of ours before it, as with the API. */
  trustedProxies: number;
  /** Most calls in five minutes of an address without a key, or with wrong ones. */
  anonymousLimit: number;
  /** Most connections of one application at a time. */
  connections: number;
  /** Told of each request after it has been answered. */
  onEnd?: (request: EndedRequest) => void;
  /** Time between two empty lines, in milliseconds; half a minute unless told. */
  heartbeatMs?: number;
}

/** The streams as a server. */
export interface StreamServer {
  app: Koa<RequestState>;
  /** Ends all streams behind their last whole event. */
  end: () => void;
}

// A reader who takes nothing for so long has gone away, or stands in the way of one who reads.
const STALLED_MS = 600_000;

const FROM_NOW_ON = -1;
const parameters: { timepoint: IntegerParameter } = {
  timepoint: {
    kind: "integer",
    default: FROM_NOW_ON,
    description: "The timepoint to go on from: one more than that of the last event that was read.",
  },
};

/** Builds it; it opens nothing and starts nothing. */
export function buildStreams(dependencies: StreamsDependencies): StreamServer {
  const { stores, log, clock, trustedProxies, connections, heartbeatMs, onEnd } = dependencies;
  const feed = new Feed(stores, clock, heartbeatMs);
  const access = buildStreamAccess(dependencies);
  const reading = new Map<string, number>();
  const router = new Router<RequestState>();
  for (const stream of streams) {
    router.get(`/${stream.name}`, async (ctx) => {
      ctx.state.route = `stream ${stream.name}`;
      const { timepoint } = parseQuery(parameters, ctx.query);
      const from = startOf(timepoint, await fetchBounds(stores.mongo.documents));
      const { countedAs = "" } = ctx.state.principal ?? {};
      const open = reading.get(countedAs) ?? 0;
      if (open >= connections) throw new ApiError(429, [serviceError("too-many-connections")]);
      reading.set(countedAs, open + 1);
      const mayGoOn = () => access.isKnown(ctx);
      const lines = Readable.from(feed.follow({ stream, from, mayGoOn }), { objectMode: false });
      ctx.res.once("close", () => {
        const left = (reading.get(countedAs) ?? 1) - 1;
        if (left > 0) reading.set(countedAs, left);
        else reading.delete(countedAs);
      });
      ctx.res.setTimeout(STALLED_MS, () => ctx.res.destroy());
      ctx.set("Content-Type", "application/json");
      ctx.set("Cache-Control", "no-store");
      ctx.body = lines;
    });
  }
  const app = new Koa<RequestState>({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  // Of a stream that has begun: its status is out, and the connection is broken off.
  app.on("error", (error: NodeJS.ErrnoException) => {
    const hasGone = error.code === "ERR_STREAM_PREMATURE_CLOSE";
    if (!hasGone) log.warn({ reason: messageOf(error) }, "stream broken off");
  });
  app.use(requestContext(log, onEnd));
  app.use(errorResponse());
  for (const middleware of access.middleware) app.use(middleware);
  app.use(router.routes());
  app.use(router.allowedMethods());
  return { app, end: () => feed.end() };
}

/** Throws ApiError for a timepoint of which what came behind it is not kept any more, or that lies ahead. */
function startOf(timepoint: number, { oldest, next }: StreamBounds): number {
  if (timepoint <= FROM_NOW_ON) return next;
  if (timepoint >= oldest && timepoint <= next) return timepoint;
  throw new ApiError(416, [serviceError(timepoint > next ? "timepoint-in-the-future" : "timepoint-too-old")]);
}
