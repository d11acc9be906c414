/**
 * Owns under which names a test's register is stored. To make a database and search indices costs the engines more than most tests:
 * a register is emptied at its end instead, and its names are kept in Redis for the next one, of whatever process. One that a test has
 * changed in its form is dropped.
 */
import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { MongoClient } from "mongodb";
import type { Config } from "../../api/shared/settings/config.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { indices } from "../../index-mappings/index.ts";
import settings from "../../index-mappings/settings.json" with { type: "json" };
import { wordsIndex } from "../../index-mappings/words/index.ts";
import { fetchIndexFaults, indexedCollections } from "../../ingest/prepare.ts";

export type Names = Pick<Config, "DATABASE_NAME" | "INDEX_PREFIX" | "QUEUE_PREFIX">;

const FORM = JSON.stringify([indices, wordsIndex, indexedCollections]);
/** Names of empty registers, of the form that these sources give them. */
const FREE = `test-registers:${createHash("sha256").update(FORM).digest("hex")}`;

/** Names that no other run uses. */
export function makeNames(): Names {
  const run = `test-${randomBytes(4).toString("hex")}`;
  return { DATABASE_NAME: run.replace("-", "_"), INDEX_PREFIX: `${run}-`, QUEUE_PREFIX: run };
}

// Elasticsearch looks at the clock five times a second.
const REST_MS = 500;

/** Names of a register that was emptied, which the caller has alone from now on; undefined when there is none. */
export async function takeNames(config: Config): Promise<Names | undefined> {
  const redis = new Redis(config.REDIS_URL);
  const free = await redis.lpop(FREE);
  redis.disconnect();
  if (free === null) return undefined;
  const { at, ...names } = JSON.parse(free) as Names & { at: number };
  await sleep(Math.max(0, at + REST_MS - Date.now()));
  const own = { ...config, ...names };
  // Forgets what was deleted, and remembers again what will be.
  await ask(own, "POST", "_refresh");
  await ask(own, "PUT", "_settings", { index: { gc_deletes: settings.gc_deletes } });
  return names;
}

/** False where something of its last test went on and has written since, as where that test failed: each load enters the change log. */
export async function isEmpty({ mongo, redis }: Stores, { QUEUE_PREFIX }: Config): Promise<boolean> {
  const keys = await redis.connection.keys(`${QUEUE_PREFIX}:*`);
  const written = await Promise.all(["changes", "loads"].map((name) => mongo.documents.fetchAny(name)));
  return keys.length === 0 && written.every((document) => document === null);
}

/** Describes the form of a register's indices: as long as it is the same, another test can use them. */
export function fetchForm(config: Config): Promise<string> {
  return ask(config, "GET", "");
}

/** Empties a register for the next test, or drops it if its form is not this one. */
export async function endRegister(stores: Stores, config: Config, form?: string): Promise<void> {
  const { DATABASE_NAME, INDEX_PREFIX, QUEUE_PREFIX } = config;
  const isAsMade = form !== undefined && (await fetchForm(config)) === form && (await hasIndexes(stores));
  if (isAsMade) {
    await Promise.all([emptyDatabase(config), emptyIndices(config)]);
  } else {
    await stores.mongo.dropDatabase();
    await stores.elasticsearch.deleteIndices();
  }
  const { connection } = stores.redis;
  const keys = await connection.keys(`${QUEUE_PREFIX}:*`);
  if (keys.length > 0) await connection.del(...keys);
  const free = { DATABASE_NAME, INDEX_PREFIX, QUEUE_PREFIX, at: Date.now() };
  if (isAsMade) await connection.rpush(FREE, JSON.stringify(free));
}

async function hasIndexes({ mongo }: Stores): Promise<boolean> {
  const { missing, inTheWay } = await fetchIndexFaults(mongo);
  return missing.length === 0 && inTheWay.length === 0;
}

async function emptyDatabase({ MONGODB_URL, DATABASE_NAME }: Config): Promise<void> {
  const client = new MongoClient(MONGODB_URL);
  const collections = await client.db(DATABASE_NAME).collections();
  await Promise.all(collections.map((collection) => collection.deleteMany({})));
  await client.close();
}

async function emptyIndices(config: Config): Promise<void> {
  // What is deleted would otherwise refuse lower versions, as the documents of another test have: until it is taken again.
  await ask(config, "PUT", "_settings", { index: { gc_deletes: "0s" } });
  await ask(config, "POST", "_refresh");
  await ask(config, "POST", "_delete_by_query?refresh=true", { query: { match_all: {} } });
}

/** Asks Elasticsearch about all indices of a register. Throws when it refuses. */
async function ask(config: Config, method: string, what: string, body?: object): Promise<string> {
  const [node = ""] = config.ELASTICSEARCH_URL.split(",");
  const url = new URL(`${config.INDEX_PREFIX}*/${what}`, node.trim());
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  if (!answer.ok)
    throw new Error(`Elasticsearch answered ${answer.status} to ${method} ${url.href}: ${text}`);
  return text;
}
