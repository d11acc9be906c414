/** Owns API keys as they are kept: only a hash of each, so that a copy of the database opens no door. */
import { createHash, randomUUID } from "node:crypto";
import type { DocumentStore } from "./stores/mongo.ts";

const COLLECTION = "api_keys";

/** A key as it is kept. */
export interface ApiKey {
  /** SHA-256 of the key: keys are long and random, so a slow hash would add nothing but time to each request. */
  _id: string;
  /** Who it was made for, in the operator's words. */
  name: string;
  created_at: string;
}

/** A new random key, of the shape the original's keys have. */
export function generateKey(): string {
  return randomUUID();
}

/** Keeps a key's hash under a name; the key itself is nowhere stored. A key that exists gets the new name. */
export async function storeKey(
  documents: DocumentStore,
  key: string,
  name: string,
  moment: Date,
): Promise<void> {
  await documents.put(COLLECTION, { _id: hashKey(key), name, created_at: moment.toISOString() });
}

/** The kept entry of a key, or null when it is not known. */
export async function fetchKey(documents: DocumentStore, key: string): Promise<ApiKey | null> {
  return (await documents.fetch(COLLECTION, hashKey(key))) as ApiKey | null;
}

function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
