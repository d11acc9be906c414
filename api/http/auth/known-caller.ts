/** Owns known callers: who they are, until when and from which addresses they may call. */
import { fetchKeysByHash, type StoredKey, type KeyKind } from "../../shared/access/api-keys.ts";
import { allowAddresses } from "../../shared/access/allowed-addresses.ts";
import type { Application } from "../../shared/access/applications.ts";
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

/** The application as a principal, without its scopes. */
export function principalOf(application: Application, defaultLimit: number): Principal {
  const { _id, limit = defaultLimit === 0 ? "none" : defaultLimit } = application;
  return { countedAs: _id, application, ...(limit !== "none" && { limit }) };
}

/** A principal with the addresses from which its application may call. */
export function callerOf(principal: Principal, { addresses }: Application, expiresAt?: number): KnownCaller {
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
