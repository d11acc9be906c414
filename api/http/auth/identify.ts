/** Owns the identification of the caller: the one chain from a request to a principal, be it a key or an access token. */
import type { Middleware } from "koa";
import { networkOf } from "../../shared/access/allowed-addresses.ts";
import { hashSecret } from "../../shared/access/secrets.ts";
import { ApiError, AuthenticationError } from "../../shared/runtime/errors.ts";
import { foreignOrigin, withdrawOrigin } from "../cors.ts";
import { serviceError } from "../error-response.ts";
import type { AppContext, Principal, RequestState } from "../request-context.ts";
import { parseCredentials } from "./credentials.ts";
import { type KnownCaller, callerOf, principalOf, type CallerOptions } from "./known-caller.ts";
import type { Remembered } from "./remembered.ts";
import { applications } from "../../shared/access/applications.ts";
import { fetchAccessTokens, type StoredToken } from "../../shared/access/grants.ts";
import { people } from "../../shared/access/people.ts";
import { mayAskFor } from "../../shared/access/scopes.ts";
import { webClients } from "../../shared/access/web-clients.ts";

/** What finds callers. */
export interface IdentifyOptions {
  /** Where secrets of each kind are looked up. */
  lookups: Record<"key" | "bearer", Remembered<KnownCaller>>;
  /** Most calls in five minutes of an address without a key, or with wrong ones. */
  anonymousLimit: number;
  /** True when memory shows that a caller has used up its calls. */
  isUsedUp: (principal: Principal) => boolean;
  /** In milliseconds. */
  now: () => number;
}

/**
 * Sets the principal of each request. Without a key, or with a wrong one, the principal is the address of the request.
 * A refusal is set beside it and thrown later, behind the rate limit, because a refusal counts as a call, too.
 */
export function identify(options: IdentifyOptions): Middleware<RequestState> {
  return async (ctx, next) => {
    const { principal, refusal } = await findCaller(ctx, options);
    ctx.state.principal = principal;
    if (principal.application) ctx.state.caller = principal.application.name;
    if (refusal) ctx.state.refusal = refusal;
    await next();
  };
}

interface Found {
  principal: Principal;
  refusal?: Error;
}

/** The principal of a request, and the reason when it is refused. */
export async function findCaller(ctx: AppContext, options: IdentifyOptions): Promise<Found> {
  const credentials = parseCredentials(ctx.get("Authorization"), ctx.get("api_key"));
  // Made only when needed, as is the error of one that is unknown, which costs a stack trace.
  const anonymous = () => {
    return { countedAs: `address:${networkOf(ctx.ip)}`, limit: options.anonymousLimit, scopes: [] };
  };
  if (credentials.kind === "none") {
    return { principal: anonymous(), refusal: new AuthenticationError("Empty Authorization header") };
  }
  const isBearer = credentials.kind === "bearer";
  const unknown = () => ({
    principal: anonymous(),
    refusal: new AuthenticationError("Invalid Authorization", isBearer),
  });
  if (credentials.kind === "malformed") return unknown();
  const lookup = options.lookups[credentials.kind];
  const hash = hashSecret(credentials.secret);
  // An address that has sent too many wrong secrets is refused, except with a secret that is known to be right.
  if (!lookup.isRemembered(hash) && options.isUsedUp(anonymous())) return unknown();
  const caller = await lookup.find(hash);
  if (!caller || (caller.expiresAt !== undefined && caller.expiresAt <= options.now())) return unknown();
  const { principal, isAllowedFrom } = caller;
  const origin = foreignOrigin(ctx);
  const isHome = origin === null || principal.application?.origins?.includes(origin) === true;
  if (isHome && (!isAllowedFrom || isAllowedFrom(ctx.ip))) return { principal };
  withdrawOrigin(ctx);
  // Compat: the original refuses a key from another address or web page with 403 and this word.
  return { principal, refusal: new ApiError(403, [serviceError("access-denied")]) };
}

/**
 * Finds many callers by the hashes of their access tokens. A token is invalid when its grant, client, person or application
 * was deleted; it never grants more than its application has now.
 */
export function openTokenCallers({
  documents,
  defaultLimit,
}: CallerOptions): (hashes: readonly string[]) => Promise<Map<string, KnownCaller>> {
  return async (hashes) => {
    const stored = [...(await fetchAccessTokens(documents, hashes))];
    if (stored.length === 0) return new Map();
    const idsOf = (member: "application" | "client" | "person") =>
      stored.map(([, { grant }]) => grant[member]);
    const [callers, isClient, isPerson] = await Promise.all([
      applications.fetchById(documents, idsOf("application")),
      webClients.fetchById(documents, idsOf("client")),
      people.fetchById(documents, idsOf("person")),
    ]);
    return new Map(
      stored.flatMap(([hash, { token, grant }]: [string, StoredToken]) => {
        const application = callers.get(grant.application);
        if (!application || !isClient.has(grant.client) || !isPerson.has(grant.person)) return [];
        const scopes = token.scopes.filter((scope) => mayAskFor(application.scopes, scope));
        const principal = {
          ...principalOf(application, defaultLimit),
          ...{ scopes, person: grant.person, client: grant.client },
        };
        return [[hash, callerOf(principal, application, Date.parse(token.expires_at))] as const];
      }),
    );
  };
}
