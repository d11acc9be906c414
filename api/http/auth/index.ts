/** Owns the assembly of who may call: one chain from credentials to a principal, and the limit behind it. */
import type { Middleware } from "koa";
import { messageOf } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import type { Stores } from "../../core/stores/index.ts";
import { openCallCounter } from "../call-counter.ts";
import { allowOrigins } from "../cors.ts";
import { openRateLimit } from "../rate-limit.ts";
import type { RequestState } from "../request-context.ts";
import { identify } from "./identify.ts";
import { openKeyCallers, type KnownCaller } from "./known-caller.ts";
import { openRemembered } from "./remembered.ts";

/** What it needs. */
export interface AccessOptions {
  stores: Pick<Stores, "mongo"> & { redis: Pick<Stores["redis"], "counters"> };
  log: Logger;
  /** In milliseconds. */
  now: () => number;
  /** Most calls in five minutes of an application that has no limit of its own; 0 for none. */
  rateLimit: number;
  /** Most calls in five minutes of an address without a key, or with wrong ones. */
  anonymousLimit: number;
}

/** The middleware before the routes, in order: which pages may call, who calls, and whether that is too often. */
export function buildAccess(options: AccessOptions): Middleware<RequestState>[] {
  const { stores, log, now, rateLimit, anonymousLimit } = options;
  const counter = openCallCounter(
    (...asked) => stores.redis.counters.add(...asked),
    (reason) =>
      log.warn({ reason: messageOf(reason) }, "calls of limited callers counted by this process alone"),
  );
  const limit = openRateLimit(counter, now);
  const callers = { documents: stores.mongo.documents, defaultLimit: rateLimit };
  const lookups = {
    key: openRemembered({ fetchMany: openKeyCallers(callers, "rest"), now }),
    bearer: openRemembered<KnownCaller>({ fetchMany: () => Promise.resolve(new Map()), now }),
  };
  return [
    allowOrigins(stores.mongo.documents, now),
    identify({ lookups, anonymousLimit, isUsedUp: limit.isUsedUp, now }),
    limit.middleware,
  ];
}
