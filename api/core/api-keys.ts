/** Owns API keys as they are kept: only a hash of each, so that a copy of the database opens no door. */
import { createHash, randomUUID } from "node:crypto";
import type { DocumentStore } from "./stores/mongo.ts";

const COLLECTION = "api_keys";
// Digits of the hash by which people name a key.
const ID_DIGITS = 10;

/** A key as it is kept. */
export interface ApiKey {
  /** SHA-256 of the key: keys are long and random, so a slow hash would add nothing but time to each request. */
  _id: string;
  /** Who it was made for, in the operator's words. */
  name: string;
  created_at: string;
  /** Most requests in five minutes; absent: any number. */
  limit?: number;
  /** Addresses (`192.0.2.7`) and networks (`192.0.2.0/24`) that it may be used from; absent: any. */
  addresses?: string[];
  /** From this moment on it is no key any more; absent: never. */
  expires_at?: string;
}

/** What a key may do, as it is made. */
export type KeyTerms = Pick<ApiKey, "name" | "limit" | "addresses" | "expires_at">;

/** A new random key, of the shape the original's keys have. */
export function generateKey(): string {
  return randomUUID();
}

/** Keeps a key's hash with its terms; the key itself is nowhere stored. A key that exists gets the new terms. */
export async function storeKey(
  documents: DocumentStore,
  key: string,
  terms: KeyTerms,
  moment: Date,
): Promise<ApiKey> {
  const kept = { _id: hashKey(key), ...terms, created_at: moment.toISOString() };
  await documents.put(COLLECTION, kept);
  return kept;
}

/** The kept entry of a key, or null when it is not known. */
export async function fetchKey(documents: DocumentStore, key: string): Promise<ApiKey | null> {
  return (await documents.fetch(COLLECTION, hashKey(key))) as ApiKey | null;
}

/** All keys, oldest first. */
export async function fetchKeys(documents: DocumentStore): Promise<ApiKey[]> {
  // The cast: documents of this collection are written here.
  const keys = (await documents.fetchAll(COLLECTION, {})) as unknown as ApiKey[];
  return keys.sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
}

/** Takes a key away: processes that know it let it in for ten seconds more at most. */
export async function removeKey(documents: DocumentStore, { _id }: Pick<ApiKey, "_id">): Promise<void> {
  await documents.remove(COLLECTION, _id);
}

/** The short id by which people name a key. */
export function shortId({ _id }: Pick<ApiKey, "_id">): string {
  return _id.slice(0, ID_DIGITS);
}

/** True from the moment of its expiry on, and where that cannot be read. `now` in milliseconds. */
export function isExpired({ expires_at }: Pick<ApiKey, "expires_at">, now: number): boolean {
  return expires_at !== undefined && !(Date.parse(expires_at) > now);
}

function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
