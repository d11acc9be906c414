/** Assembles authentication: credentials become a principal, then the rate limit applies. Also opens OAuth 2.0. */
import { writeAudit } from "../../shared/access/audit.ts";
import type { ScopeName } from "../../shared/access/scopes.ts";
import type { Logger } from "../../shared/runtime/logger.ts";
import type { Config } from "../../shared/settings/config.ts";
import type { Stores } from "../../shared/stores/index.ts";
import type { AnswerDependencies } from "../answers.ts";
import { allowOrigins } from "../cors.ts";
import { buildOAuthRoutes, buildProfileRoute, openSweep } from "../oauth/index.ts";
import { openAuthorizationServer, type AuthorizationServer } from "../oauth/server.ts";
import { openAttempts } from "../limits/attempts.ts";
import { openChecks } from "../oauth/context.ts";
import { openCallCounter, openRateLimit } from "../limits/rate-limit.ts";
import { openBase, type AppContext } from "../request-context.ts";
import {
  findCaller,
  identify,
  isInScope,
  type KnownCaller,
  openKeyCallers,
  openTokenCallers,
  refuseStrangers,
} from "./identify.ts";
import { openSecretCache, type SecretCacheOptions } from "./secret-cache.ts";

/** What access is built from. */
export interface AccessOptions {
  config: Config;
  stores: Pick<Stores, "mongo"> & { redis: Pick<Stores["redis"], "counters"> };
  log: Logger;
  clock: () => Date;
}

/** Access to the API, for callers with a key or an access token. `lookupsUnderWay`: the limit on all lookups. */
export function buildAccess(options: AccessOptions & Pick<AnswerDependencies, "lookupsUnderWay">) {
  const { config, stores, log, clock, lookupsUnderWay } = options;
  const { documents } = stores.mongo;
  const callers = { documents, defaultLimit: config.RATE_LIMIT };
  const found = { key: openKeyCallers(callers, "rest"), bearer: openTokenCallers(callers) };
  const { counter, limit, identification } = openIdentification(options, found);
  const { lookups, anonymousLimit, baseOf, now } = identification;
  return {
    /** The endpoints of OAuth 2.0, which need no key. */
    oauth: buildOAuthRoutes({
      ...{ documents, clock, counter, baseOf, tokens: lookups.bearer, addressLimit: anonymousLimit },
      ...{ lookupsUnderWay, checksUnderWay: openChecks(), records: stores.mongo.records },
      ...{ server: openServer(options), attempts: openAttempts(stores.redis.counters, log, now) },
      sweep: openSweep(documents, clock),
    }),
    /** The middleware before all other routes, in order: CORS, identification, rate limit. */
    middleware: [
      limit.announce,
      allowOrigins(documents, now, baseOf),
      identify(identification),
      limit.middleware,
    ],
    /** The person on whose behalf an application calls. */
    profile: buildProfileRoute({ documents, lookupsUnderWay, baseOf }),
  };
}

/** Access to the event streams, for callers with a stream key. */
export function buildStreamAccess(options: AccessOptions) {
  const { limit, identification } = openIdentification(options, {
    key: openKeyCallers({ documents: options.stores.mongo.documents, defaultLimit: 0 }, "stream"),
    bearer: () => Promise.resolve(new Map<string, KnownCaller>()),
  });
  return {
    /** Identifies callers, refuses those without a stream key, and limits how often they may call. */
    middleware: [identify(identification), limit.middleware, refuseStrangers()],
    /** False once the caller's key is no longer valid, or its application no longer has the scope. */
    mayRead: async (ctx: AppContext, scope: ScopeName) => {
      const { principal, refusal } = await findCaller(ctx, identification);
      return refusal === undefined && isInScope(principal, scope);
    },
  };
}

type FetchCallers = SecretCacheOptions<KnownCaller>["fetchMany"];

/** Opens what identifies callers and limits their calls. */
function openIdentification(options: AccessOptions, { key, bearer }: Record<"key" | "bearer", FetchCallers>) {
  const { config, stores, log, clock } = options;
  const { ANONYMOUS_LIMIT: anonymousLimit, PUBLIC_URL } = config;
  const now = () => clock().getTime();
  const counter = openCallCounter(stores.redis.counters, log, now);
  const limit = openRateLimit(counter, now, anonymousLimit);
  const lookups = {
    key: openSecretCache({ fetchMany: key, now }),
    bearer: openSecretCache({ fetchMany: bearer, now }),
  };
  const baseOf = openBase(PUBLIC_URL);
  const identification = { lookups, anonymousLimit, isUsedUp: limit.isUsedUp, baseOf, now };
  return { counter, limit, identification };
}

function openServer({ config, stores, log }: AccessOptions): AuthorizationServer {
  const { documents } = stores.mongo;
  return openAuthorizationServer({
    documents,
    lifetimes: { access: config.ACCESS_TOKEN_SECONDS, refresh: config.REFRESH_TOKEN_SECONDS },
    onReuse: async (grant) => {
      log.warn({ grant }, "grant ended: its code was used twice");
      await writeAudit(documents, { action: "grant ended: code used twice", subject: grant, by: "api" });
    },
  });
}
