/** Owns API keys as they are kept: only a hash of each, so that a copy of the database opens no door. */
import { randomUUID } from "node:crypto";
import type { DocumentStore } from "../stores/mongodb/mongo.ts";
import { applications, type Application } from "./applications.ts";
import { openKept } from "./kept.ts";
import { hashSecret } from "./secrets.ts";

const keys = openKept<ApiKey | FormerKey>("api_keys");
// Digits of the hash by which people name a key.
const ID_DIGITS = 10;

/** What a key opens: the API, or the event streams. Neither opens the other's door (specification 5.2). */
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

/** A key of a former release, which was an application of its own. */
interface FormerKey extends Omit<ApiKey, "application" | "kind"> {
  application?: undefined;
  name: string;
  limit?: number;
  addresses?: string[];
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
export async function fetchKeysOf(documents: DocumentStore, application: string): Promise<ApiKey[]> {
  // The cast: a former key has no application.
  return (await keys.fetchAll(documents, { application })) as ApiKey[];
}

/** Takes a key away: processes that know it let it in for some seconds more at most. */
export const removeKey = keys.remove;

/**
 * Makes applications of the keys of former releases, each of which was one by itself; returns how many. May be run at
 * any time and again: what they were is left in the keys, so that a former release can use them.
 */
export async function adoptFormerKeys(documents: DocumentStore): Promise<number> {
  const former = (await keys.fetchAll(documents)).filter(isFormer).map(adopt);
  await documents.putMissing(
    applications.collection,
    former.map(({ application }) => application),
  );
  await documents.amend(
    keys.collection,
    former.map(({ key: { _id, application, kind } }) => ({ _id, application, kind })),
  );
  return former.length;
}

/** The short id by which people name a key. */
export function shortId({ _id }: Pick<ApiKey, "_id">): string {
  return _id.slice(0, ID_DIGITS);
}

/** True from the moment of its expiry on, and where that cannot be read. `now` in milliseconds. */
export function isExpired({ expires_at }: Pick<ApiKey, "expires_at">, now: number): boolean {
  return expires_at !== undefined && !(Date.parse(expires_at) > now);
}

async function withApplications(
  documents: DocumentStore,
  found: (ApiKey | FormerKey)[],
): Promise<StoredKey[]> {
  const ids = found.flatMap(({ application }) => application ?? []);
  const known = await applications.fetchById(documents, ids);
  return found.flatMap((key) => {
    if (isFormer(key)) return adopt(key);
    const application = known.get(key.application);
    return application ? { key, application } : [];
  });
}

function isFormer(key: ApiKey | FormerKey): key is FormerKey {
  return key.application === undefined;
}

/** What a key of a former release is now. Its calls were counted by its hash, those of the application by its id. */
function adopt({ _id, created_at, expires_at, name, limit, addresses }: FormerKey): StoredKey {
  const application = shortId({ _id });
  return {
    key: { _id, application, kind: "rest", created_at, ...(expires_at !== undefined && { expires_at }) },
    application: {
      ...{ _id: application, name, created_at },
      // Without one it had none; a setting that came later does not change that.
      limit: limit ?? "none",
      ...(addresses && { addresses }),
    },
  };
}
