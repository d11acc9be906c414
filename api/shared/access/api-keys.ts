/** Owns API keys as they are kept: only a hash of each, so that a copy of the database opens no door. */
import { randomUUID } from "node:crypto";
import type { DocumentStore } from "../stores/mongodb/mongo.ts";
import { applications, type Application } from "./applications.ts";
import { openKept } from "./kept.ts";
import { hashSecret } from "./secrets.ts";

const keys = openKept<ApiKey>("api_keys");
// Digits of the hash by which people name a key.
const ID_DIGITS = 10;

/** What a key opens: the API, or the event streams. Neither opens the other's door (specification 5, item 2). */
export type KeyKind = "rest" | "stream";

export interface ApiKey {
  /** SHA-256 of the key. */
  _id: string;
  application: string;
  kind: KeyKind;
  created_at: string;
  /** From this moment on it is no key; absent: never. */
  expires_at?: string;
}

export interface StoredKey {
  key: ApiKey;
  application: Application;
}

/** A new random key, of the shape the original's keys have: 122 random bits. */
export function generateKey(): string {
  return randomUUID();
}

/** Keeps a new key's hash; the key itself is nowhere stored. */
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

/** The keys of these hashes that there are, with their applications, by hash. A key whose application is gone is none. */
export async function fetchKeysByHash(
  documents: DocumentStore,
  hashes: readonly string[],
): Promise<Map<string, StoredKey>> {
  const stored = await withApplications(documents, await keys.fetchAll(documents, { _id: hashes }));
  return new Map(stored.map((one) => [one.key._id, one]));
}

/** All keys with their applications, oldest first. */
export async function fetchKeys(documents: DocumentStore): Promise<StoredKey[]> {
  const stored = await withApplications(documents, await keys.fetchAll(documents));
  return stored.sort((a, b) => (a.key.created_at < b.key.created_at ? -1 : 1));
}

/** The keys of an application, whether that is there or not. */
export function fetchKeysOf(documents: DocumentStore, application: string): Promise<ApiKey[]> {
  return keys.fetchAll(documents, { application });
}

/** Takes a key away: processes that know it let it in for some seconds more at most. */
export const removeKey = keys.remove;

/** The short id by which people name a key. */
export function shortId({ _id }: Pick<ApiKey, "_id">): string {
  return _id.slice(0, ID_DIGITS);
}

/** True from the moment of its expiry on, and where that cannot be read. `now` in milliseconds. */
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
