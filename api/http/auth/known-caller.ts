/** Owns callers that have been found by their key: who they are, until when and from where. */
import { fetchKeysByHash, type StoredKey, type KeyKind } from "../../core/access/api-keys.ts";
import { allowAddresses } from "../../core/access/allowed-addresses.ts";
import type { Application } from "../../core/access/applications.ts";
import type { DocumentStore } from "../../core/stores/mongo.ts";
import type { Principal } from "./principal.ts";

/** A caller that has been found. */
export interface KnownCaller {
  principal: Principal;
  /** From when on it is unknown, in milliseconds; absent: never. */
  expiresAt?: number;
  /** Absent: it may call from anywhere. */
  isAllowedFrom?: (address: string) => boolean;
}

/** What callers are made from. */
export interface CallerOptions {
  documents: DocumentStore;
  /** Limit of applications that have none of their own; 0: none. */
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
        .map(([hash, held]) => [hash, toCaller(held, defaultLimit)]),
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

/** The application as a principal, before its scopes. */
export function principalOf(application: Application, defaultLimit: number): Principal {
  const { _id, limit = defaultLimit === 0 ? "none" : defaultLimit } = application;
  return { countedAs: _id, application, ...(limit !== "none" && { limit }) };
}

/** A principal with what its application says of where it may call from. */
export function callerOf(principal: Principal, { addresses }: Application, expiresAt?: number): KnownCaller {
  return {
    principal,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(addresses && { isAllowedFrom: allowAddresses(addresses) }),
  };
}

/** A moment that cannot be read is over: only a hand that changes the database writes such a thing. */
function parseMoment(text: string): number {
  const time = Date.parse(text);
  return Number.isNaN(time) ? 0 : time;
}
