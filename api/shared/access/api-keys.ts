/** Stored API keys. Only their hashes are stored, so nobody can use a key that is read from a copy of the database. */
import { randomUUID } from "node:crypto";
import type { DocumentStore } from "../stores/mongodb/mongo.ts";
import { applications, type Application } from "./applications.ts";
import { openCollection } from "./collections.ts";
import { hashSecret } from "./secrets.ts";

const keys = openCollection<ApiKey>("api_keys");
// How many digits of its hash make the short id of a key.
const ID_DIGITS = 10;

/** A key is for the API or for the event streams, never for both (specification 5, item 2). */
export type KeyKind = "rest" | "stream";

export interface ApiKey {
  /** SHA-256 of the key. */
  _id: string;
  application: string;
  kind: KeyKind;
  created_at: string;
  /** The key is refused from this moment on; absent: it does not expire. */
  expires_at?: string;
}

export interface StoredKey {
  key: ApiKey;
  application: Application;
}

/** A new random key of 122 random bits, in the form of the original's keys. */
export function generateKey(): string {
  return randomUUID();
}

/** Stores the hash of a new key. The key itself is not stored. */
export async function storeKey(
  documents: DocumentStore,
  key: string,
  given: Pick<ApiKey, "application" | "kind" | "expires_at">,
  moment: Date,
): Promise<ApiKey> {
  const kept = { _id: hashSecret(key), ...given, created_at: moment.toISOString() };
  await keys.put(documents, kept);
  return kept;
}

/** The existing keys among these hashes, by hash, with their applications. Keys without an application are left out. */
export async function fetchKeysByHash(
  documents: DocumentStore,
  hashes: readonly string[],
): Promise<Map<string, StoredKey>> {
  const stored = await withApplications(documents, await keys.fetchAll(documents, { _id: hashes }));
  return new Map(stored.map((one) => [one.key._id, one]));
}

/** All keys with their applications, oldest first. Keys without an application are left out. */
export async function fetchKeys(documents: DocumentStore): Promise<StoredKey[]> {
  const stored = await withApplications(documents, await keys.fetchAll(documents));
  return stored.sort((a, b) => (a.key.created_at < b.key.created_at ? -1 : 1));
}

/** The keys of an application, even if the application no longer exists. */
export function fetchKeysOf(documents: DocumentStore, application: string): Promise<ApiKey[]> {
  return keys.fetchAll(documents, { application });
}

/** Removes a key. Processes that have it cached accept it for a few more seconds. */
export const removeKey = keys.remove;

/** The short id by which people name a key. */
export function shortId({ _id }: Pick<ApiKey, "_id">): string {
  return _id.slice(0, ID_DIGITS);
}

/** True once a key has expired, and if its expiry cannot be read. `now`: milliseconds since 1970. */
export function isExpired({ expires_at }: Pick<ApiKey, "expires_at">, now: number): boolean {
  return expires_at !== undefined && !(Date.parse(expires_at) > now);
}

async function withApplications(documents: DocumentStore, found: readonly ApiKey[]): Promise<StoredKey[]> {
  const ids = found.map(({ application }) => application);
  const known = await applications.fetchById(documents, ids);
  return found.flatMap((key) => {
    const application = known.get(key.application);
    return application ? { key, application } : [];
  });
}
