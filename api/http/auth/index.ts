/** Owns the assembly of authentication: one chain from credentials to a principal, the rate limit behind it, and OAuth 2.0. */
import type Router from "@koa/router";
import type { Middleware } from "koa";
import { writeAudit } from "../../shared/access/audit.ts";
import { messageOf } from "../../shared/runtime/errors.ts";
import type { Logger } from "../../shared/runtime/logger.ts";
import type { Config } from "../../shared/settings/config.ts";
import type { Stores } from "../../shared/stores/index.ts";
import { openCallCounter, type CallCounter } from "../limits/call-counter.ts";
import { allowOrigins } from "../cors.ts";
import { buildOAuthRoutes, buildProfileRoute, openSweep } from "../oauth/index.ts";
import { openAuthorizationServer, type AuthorizationServer } from "../oauth/server.ts";
import { openRateLimit } from "../limits/rate-limit.ts";
import { openBase, type AppContext, type RequestState } from "../request-context.ts";
import { findCaller, identify, refuseStrangers } from "./identify.ts";
import { openKeyCallers, openTokenCallers, type KnownCaller } from "./known-caller.ts";
import { openRemembered } from "./remembered.ts";

/** What it needs. */
export interface AccessOptions {
  config: Config;
  stores: Pick<Stores, "mongo"> & { redis: Pick<Stores["redis"], "counters"> };
  log: Logger;
  clock: () => Date;
}

/** The parts of authentication. */
export interface Access {
  /** The endpoints of OAuth 2.0, which need no key. */
  oauth: Router<RequestState>;
  /** The middleware before all other routes, in order: CORS, identification, rate limit. */
  middleware: Middleware<RequestState>[];
  /** The person on whose behalf an application calls. */
  profile: Router<RequestState>;
}

/** Assembles it. */
export function buildAccess(options: AccessOptions): Access {
  const { config, stores, clock } = options;
  const { ANONYMOUS_LIMIT: anonymousLimit } = config;
  const { documents } = stores.mongo;
  const now = () => clock().getTime();
  const counter = openCounter(options, now);
  const limit = openRateLimit(counter, now, anonymousLimit);
  const callers = { documents, defaultLimit: config.RATE_LIMIT };
  const lookups = {
    key: openRemembered({ fetchMany: openKeyCallers(callers, "rest"), now }),
    bearer: openRemembered({ fetchMany: openTokenCallers(callers), now }),
  };
  const baseOf = openBase(config.PUBLIC_URL);
  const oauth = buildOAuthRoutes({
    ...{ documents, clock, counter, baseOf, tokens: lookups.bearer, addressLimit: anonymousLimit },
    server: openServer(options),
    sweep: openSweep(documents, clock),
  });
  const middleware = [
    limit.announce,
    allowOrigins(documents, now),
    identify({ lookups, anonymousLimit, isUsedUp: limit.isUsedUp, now }),
    limit.middleware,
  ];
  return { oauth, middleware, profile: buildProfileRoute(documents, baseOf) };
}

export interface StreamAccess {
  /** Identifies callers, refuses those without a stream key, and limits how often they may call. */
  middleware: Middleware<RequestState>[];
  /** False once the caller's key is no longer valid. */
  isKnown: (ctx: AppContext) => Promise<boolean>;
}

/** Access to the event streams, for callers with a stream key. */
export function buildStreamAccess(options: AccessOptions): StreamAccess {
  const { config, stores, clock } = options;
  const { ANONYMOUS_LIMIT: anonymousLimit } = config;
  const { documents } = stores.mongo;
  const now = () => clock().getTime();
  const limit = openRateLimit(openCounter(options, now), now, anonymousLimit);
  const nobody = () => Promise.resolve(new Map<string, KnownCaller>());
  const lookups = {
    key: openRemembered({ fetchMany: openKeyCallers({ documents, defaultLimit: 0 }, "stream"), now }),
    bearer: openRemembered({ fetchMany: nobody, now }),
  };
  const identification = { lookups, anonymousLimit, isUsedUp: limit.isUsedUp, now };
  return {
    middleware: [identify(identification), limit.middleware, refuseStrangers()],
    isKnown: async (ctx) => (await findCaller(ctx, identification)).refusal === undefined,
  };
}

function openCounter({ stores, log }: AccessOptions, now: () => number): CallCounter {
  return openCallCounter(
    (...asked) => stores.redis.counters.add(...asked),
    (reason) =>
      log.warn({ reason: messageOf(reason) }, "redis unavailable, this process counts calls by itself"),
    now,
  );
}

function openServer({ config, stores, log }: AccessOptions): AuthorizationServer {
  const { documents } = stores.mongo;
  return openAuthorizationServer({
    documents,
    lifetimes: { access: config.ACCESS_TOKEN_SECONDS, refresh: config.REFRESH_TOKEN_SECONDS },
    onReuse: async (grant, kind) => {
      log.warn({ grant, kind }, "grant ended: its code or refresh token was used twice");
      await writeAudit(documents, {
        action: `grant ended: ${kind} token used twice`,
        subject: grant,
        by: "api",
      });
    },
  });
}
