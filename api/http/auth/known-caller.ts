/** Owns known callers, by key or by access token: who they are, until when and from which addresses they may call. */
import { fetchKeysByHash, type StoredKey, type KeyKind } from "../../shared/access/api-keys.ts";
import { allowAddresses } from "../../shared/access/allowed-addresses.ts";
import { applications, type Application } from "../../shared/access/applications.ts";
import { fetchAccessTokens, type StoredToken } from "../../shared/access/grants.ts";
import { people } from "../../shared/access/people.ts";
import { mayAskFor } from "../../shared/access/scopes.ts";
import { webClients } from "../../shared/access/web-clients.ts";
import type { DocumentStore } from "../../shared/stores/mongodb/mongo.ts";
import type { Principal } from "../request-context.ts";

/** A known caller. */
export interface KnownCaller {
  principal: Principal;
  /** The moment from which it is unknown, in milliseconds; absent: never. */
  expiresAt?: number;
  /** Absent: it may call from any address. */
  isAllowedFrom?: (address: string) => boolean;
}

/** What callers are made from. */
export interface CallerOptions {
  documents: DocumentStore;
  /** Limit of applications without one of their own; 0: none. */
  defaultLimit: number;
}

/** Finds many callers by the hashes of their keys of one kind. */
export function openKeyCallers(
  { documents, defaultLimit }: CallerOptions,
  kind: KeyKind,
): (hashes: readonly string[]) => Promise<Map<string, KnownCaller>> {
  return async (hashes) => {
    const found = [...(await fetchKeysByHash(documents, hashes))];
    return new Map(
      found
        .filter(([, { key }]) => key.kind === kind)
        .map(([hash, stored]) => [hash, toCaller(stored, defaultLimit)]),
    );
  };
}

function toCaller({ key, application }: StoredKey, defaultLimit: number): KnownCaller {
  const { scopes } = application;
  const expiresAt = key.expires_at === undefined ? undefined : parseMoment(key.expires_at);
  return callerOf(
    { ...principalOf(application, defaultLimit), ...(scopes && { scopes }) },
    application,
    expiresAt,
  );
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

/** The application as a principal, without its scopes. */
function principalOf(application: Application, defaultLimit: number): Principal {
  const { _id, limit = defaultLimit === 0 ? "none" : defaultLimit } = application;
  return { countedAs: _id, application, ...(limit !== "none" && { limit }) };
}

/** A principal with the addresses from which its application may call. */
function callerOf(principal: Principal, { addresses }: Application, expiresAt?: number): KnownCaller {
  return {
    principal,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(addresses && { isAllowedFrom: allowAddresses(addresses) }),
  };
}

/** A date that cannot be parsed counts as past: only a manual change of the database writes one. */
function parseMoment(text: string): number {
  const time = Date.parse(text);
  return Number.isNaN(time) ? 0 : time;
}
