/**
 * Identifies the caller of a request by its key or access token, which becomes a principal, and checks what that
 * principal may do. Scopes are checked after the rate limit, so that refused requests count as calls, too.
 */
import type { Middleware } from "koa";
import { allowAddresses, networkOf } from "../../shared/access/allowed-addresses.ts";
import { fetchKeysByHash, type KeyKind } from "../../shared/access/api-keys.ts";
import { applications, type Application } from "../../shared/access/applications.ts";
import { fetchAccessTokens } from "../../shared/access/grants.ts";
import { people } from "../../shared/access/people.ts";
import { hasScope, mayAskFor, type ScopeName } from "../../shared/access/scopes.ts";
import { hashSecret } from "../../shared/access/secrets.ts";
import { webClients } from "../../shared/access/web-clients.ts";
import { ApiError, AuthenticationError, serviceError } from "../../shared/runtime/errors.ts";
import type { DocumentStore } from "../../shared/stores/mongodb/mongo.ts";
import { parsePathNumber } from "../../shared/values/company-number.ts";
import { foreignOrigin, withdrawOrigin } from "../cors.ts";
import type { AppContext, BaseOf, Principal, RequestState } from "../request-context.ts";
import type { SecretCache } from "./secret-cache.ts";

/** A caller known by a key or an access token. */
export interface KnownCaller {
  principal: Principal;
  /** When its key or token expires, in milliseconds; absent: never. */
  expiresAt?: number;
  /** Absent: it may call from any address. */
  isAllowedFrom?: (address: string) => boolean;
}

/** What identification needs. */
interface IdentifyOptions {
  /** Where secrets of each kind are looked up. */
  lookups: Record<"key" | "bearer", SecretCache<KnownCaller>>;
  /** Most calls in five minutes of an address without a key, or with wrong ones. */
  anonymousLimit: number;
  /** True when memory shows that a caller has used up its calls. */
  isUsedUp: (principal: Principal) => boolean;
  /** The service's address: a page with the same host is our own. */
  baseOf: BaseOf;
  /** The time in milliseconds. */
  now: () => number;
}

/**
 * Sets the principal of each request. Without a key, or with a wrong one, it is the address of the caller. A refusal is
 * only stored here, and thrown after the rate limit, because a refused request counts as a call, too.
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
  // Read before any wait: a socket that has closed has no address.
  const { ip } = ctx;
  // A function, as is `unknown`: most requests need neither, and an error costs a stack trace.
  const anonymous = () => {
    return { countedAs: `address:${networkOf(ip)}`, limit: options.anonymousLimit, scopes: [] };
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
  // An address that has sent too many wrong secrets gets no more lookups; secrets in the cache still work.
  if (!lookup.isRemembered(hash) && options.isUsedUp(anonymous())) return unknown();
  const caller = await lookup.find(hash);
  if (!caller || (caller.expiresAt !== undefined && caller.expiresAt <= options.now())) return unknown();
  const { principal, isAllowedFrom } = caller;
  const origin = foreignOrigin(ctx, options.baseOf(ctx));
  const isHome = origin === null || principal.application?.origins?.includes(origin) === true;
  if (isHome && (!isAllowedFrom || isAllowedFrom(ip))) return { principal };
  withdrawOrigin(ctx);
  // Compat: the original refuses a key from another address or web page with 403 and this code.
  return { principal, refusal: new ApiError(403, [serviceError("access-denied")]) };
}

/** The credentials: a secret and its kind, nothing at all, or something that is neither. */
type Credentials = { kind: "key" | "bearer"; secret: string } | { kind: "none" } | { kind: "malformed" };

const NONE: Credentials = { kind: "none" };
const MALFORMED: Credentials = { kind: "malformed" };
// Limit: no secret of ours is longer; a longer one is not looked up.
const LONGEST = 256;

/**
 * Reads the headers `Authorization` and `api_key`: the key as the user name of Basic authentication or bare, or a token
 * after the word `Bearer`.
 * Compat: the vendor's own SDK sends the bare key, and the interface definition declares `api_key`
 * (specification 5, item 3).
 */
export function parseCredentials(authorization: string, apiKeyHeader: string): Credentials {
  const given = authorization || apiKeyHeader;
  if (given === "") return NONE;
  const [scheme = "", encoded, ...rest] = given.split(/\s+/);
  if (rest.length > 0) return MALFORMED;
  const word = scheme.toLowerCase();
  // The word Basic or Bearer alone is no key; neither are the credentials of another scheme.
  if (encoded === undefined)
    return word === "basic" || word === "bearer" ? MALFORMED : secretOf("key", scheme);
  if (word === "bearer") return secretOf("bearer", encoded);
  return word === "basic" ? secretOf("key", userOf(encoded)) : MALFORMED;
}

function secretOf(kind: "key" | "bearer", secret: string): Credentials {
  return secret === "" || secret.length > LONGEST ? MALFORMED : { kind, secret };
}

/** The user name of `user:password` in base64. */
function userOf(encoded: string): string {
  return Buffer.from(encoded, "base64").toString("utf8").split(":", 1)[0] ?? "";
}

/** What callers are made from in the store. */
interface CallerOptions {
  documents: DocumentStore;
  /** Call limit of applications without one of their own; 0: no limit. */
  defaultLimit: number;
}

/** Makes the function that finds callers by the hashes of their keys, of one kind, many at a time. */
export function openKeyCallers(
  { documents, defaultLimit }: CallerOptions,
  kind: KeyKind,
): (hashes: readonly string[]) => Promise<Map<string, KnownCaller>> {
  return async (hashes) => {
    const found = [...(await fetchKeysByHash(documents, hashes))].filter(([, { key }]) => key.kind === kind);
    const callers = found.map(([hash, { key, application }]) => {
      const { scopes } = application;
      const caller = toCaller(application, defaultLimit, { ...(scopes && { scopes }) }, key.expires_at);
      return [hash, caller] as const;
    });
    return new Map(callers);
  };
}

/**
 * Makes the function that finds callers by the hashes of their access tokens, many at a time. A token is invalid when
 * its grant, client, person or application was deleted. It never grants more scopes than its application has now.
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
      stored.flatMap(([hash, { token, grant }]) => {
        const application = callers.get(grant.application);
        const { client, person } = grant;
        if (!application || !isClient.has(client) || !isPerson.has(person)) return [];
        const scopes = token.scopes.filter((scope) => mayAskFor(application.scopes, scope));
        const caller = toCaller(application, defaultLimit, { scopes, person, client }, token.expires_at);
        return [[hash, caller] as const];
      }),
    );
  };
}

/** Makes a caller of an application. `facts`: what the key or token adds to the principal. */
function toCaller(
  application: Application,
  defaultLimit: number,
  facts: Pick<Principal, "scopes" | "person" | "client">,
  expires_at: string | undefined,
): KnownCaller {
  const { _id, addresses, limit = defaultLimit === 0 ? "none" : defaultLimit } = application;
  return {
    principal: { countedAs: _id, application, ...(limit !== "none" && { limit }), ...facts },
    // A date that cannot be parsed counts as past: only a manual change of the database writes one.
    ...(expires_at !== undefined && { expiresAt: Date.parse(expires_at) || 0 }),
    ...(addresses && { isAllowedFrom: allowAddresses(addresses) }),
  };
}

/** What a definition requires of its callers. */
export interface AccessRule {
  /** The required scope. */
  scope: ScopeName;
  /** True: callers without a key are let in, too. */
  isOpen?: boolean | undefined;
}

/** Lets in callers that have the scope: 401 without a key where one is needed, 403 without the scope. */
export function requireAccess({ scope, isOpen = false }: AccessRule): Middleware<RequestState> {
  return async (ctx, next) => {
    const { refusal } = ctx.state;
    const hasNoKey = refusal instanceof AuthenticationError && refusal.isEmpty;
    if (refusal && !(isOpen && hasNoKey)) throw refusal;
    // The cast: a router's context has the values of the path.
    const { company_number } = (ctx as unknown as { params: Record<string, string | undefined> }).params;
    if (!isOpen) requireScope(ctx, scope, company_number);
    await next();
  };
}

/** Throws ApiError 403 for a caller without the scope. `inPath`: the path's company number; a scope may be for one. */
export function requireScope(ctx: AppContext, scope: ScopeName, inPath?: string): void {
  const company = inPath === undefined ? null : parsePathNumber(inPath);
  const { principal } = ctx.state;
  if (isInScope(principal, scope, company ?? undefined)) return;
  // Lets a client with a token ask the person for more scopes (RFC 6750, 3.1).
  if (principal?.client) ctx.set("WWW-Authenticate", 'Bearer error="insufficient_scope"');
  throw new ApiError(403, [serviceError("access-denied")]);
}

/** True for a caller with the scope, for all companies or for this one. A principal without `scopes` has all scopes. */
export function isInScope(
  principal: Principal | undefined,
  scope: ScopeName,
  companyNumber?: string,
): boolean {
  return principal?.scopes === undefined || hasScope(principal.scopes, scope, companyNumber);
}

/** Comes after the routes. Refuses strangers on unknown paths as on known ones, which hides the paths that exist. */
export function refuseStrangers(): Middleware<RequestState> {
  return async (ctx, next) => {
    if (ctx.state.refusal) throw ctx.state.refusal;
    await next();
  };
}
