/**
 * The names under which a test's register is stored. Creating a database and indices costs the engines more than most
 * tests do. So a register is emptied at its end, and its names are kept in Redis, where the next test of any process
 * takes them. If a test changed the indexes, mappings or settings, the changed part is dropped instead.
 */
import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { MongoClient } from "mongodb";
import type { Config } from "../../api/shared/settings/config.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { fetchIndexes } from "../../api/shared/stores/mongodb/indexes.ts";
import { indices } from "../../index-mappings/index.ts";
import settings from "../../index-mappings/settings.json" with { type: "json" };
import { wordsIndex } from "../../index-mappings/words/index.ts";
import { fetchIndexFaults, indexedCollections, prepareStores } from "../../ingest/prepare.ts";

export type Names = Pick<Config, "DATABASE_NAME" | "INDEX_PREFIX" | "QUEUE_PREFIX">;

const FORM = JSON.stringify([indices, wordsIndex, indexedCollections]);
/** Redis key of the names of empty registers with the indices and MongoDB indexes of these sources. */
const FREE = `free-registers:${hash(FORM)}`;

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Makes names that no other run uses. */
export function makeNames(): Names {
  const run = `test-${randomBytes(4).toString("hex")}`;
  return { DATABASE_NAME: run.replace("-", "_"), INDEX_PREFIX: `${run}-`, QUEUE_PREFIX: run };
}

/** The state of an index. */
interface IndexState {
  /** A hash of its settings, mapping and aliases: while it is the same, another test can use the index. */
  form: string;
  /** Number of index and delete operations since it was opened. */
  moved: number;
  documents: number;
}

/** The indices of a register, by name. */
export type IndexStates = Record<string, IndexState>;

interface FreeRegister extends Names {
  /** The indices that were emptied, and when. */
  emptied: string[];
  at: number;
}

// Elasticsearch reads its clock only five times a second, and uses it to forget deleted documents.
const REST_MS = 500;

/** Takes the names of an emptied register, for the caller alone; undefined if there is none. */
export async function takeNames(config: Config): Promise<Names | undefined> {
  const redis = new Redis(config.REDIS_URL);
  const free = await redis.lpop(FREE);
  redis.disconnect();
  if (free === null) return undefined;
  const { at, emptied, ...names } = JSON.parse(free) as FreeRegister;
  if (emptied.length > 0) {
    await sleep(Math.max(0, at + REST_MS - Date.now()));
    // The refresh makes Elasticsearch forget past deletions; the setting makes it remember future ones again.
    await ask(config, "POST", emptied, "_refresh");
    await ask(config, "PUT", emptied, "_settings", { index: { gc_deletes: settings.gc_deletes } });
  }
  return names;
}

/**
 * False if something of the last test went on and wrote after its end, as it can when that test failed. It is enough to
 * look at the change log and the loads, because every load writes them.
 */
export async function isEmpty({ mongo, redis }: Stores, { QUEUE_PREFIX }: Config): Promise<boolean> {
  const keys = await redis.connection.keys(`${QUEUE_PREFIX}:*`);
  const written = await Promise.all(["changes", "loads"].map((name) => mongo.documents.fetchAny(name)));
  return keys.length === 0 && written.every((document) => document === null);
}

/** The current state of all indices of a register. */
export async function fetchIndices(config: Config): Promise<IndexStates> {
  const all = [`${config.INDEX_PREFIX}*`];
  const [forms, answer] = await Promise.all([ask(config, "GET", all, ""), ask(config, "GET", all, STATS)]);
  const stats = (answer as Stats).indices ?? {};
  return Object.fromEntries(
    Object.entries(forms as Record<string, unknown>).map(([name, form]) => {
      const { indexing, docs } = stats[name]?.primaries ?? {};
      const moved = (indexing?.index_total ?? 0) + (indexing?.delete_total ?? 0);
      return [name, { form: hash(JSON.stringify(form)), moved, documents: docs?.count ?? 0 }];
    }),
  );
}

const STATS = "_stats/indexing,docs?filter_path=indices.*.primaries";
interface Stats {
  indices?: Record<string, { primaries: Primaries }>;
}
interface Primaries {
  indexing: { index_total: number; delete_total: number };
  docs: { count: number };
}

/**
 * Empties a register for the next test. An index whose form is no longer the one in `before` is created again. Without
 * `before`, or if a MongoDB index is missing or wrong, the whole register is dropped.
 */
export async function endRegister(stores: Stores, config: Config, before?: IndexStates): Promise<void> {
  const { DATABASE_NAME, INDEX_PREFIX, QUEUE_PREFIX } = config;
  const { connection } = stores.redis;
  const keys = await connection.keys(`${QUEUE_PREFIX}:*`);
  if (keys.length > 0) await connection.del(...keys);
  if (!before || !(await emptyDatabase(config))) {
    await stores.mongo.dropDatabase();
    await stores.elasticsearch.deleteIndices();
    return;
  }
  const after = await fetchIndices(config);
  const [kept, changed] = split(Object.keys(after), (name) => after[name]?.form === before[name]?.form);
  const written = kept.filter(
    (name) => after[name]?.moved !== before[name]?.moved || after[name]?.documents !== 0,
  );
  await Promise.all([emptyIndices(config, written), deleteIndices(config, changed)]);
  if (kept.length < Object.keys(before).length) await prepareStores(stores, new Date());
  const free: FreeRegister = {
    ...{ DATABASE_NAME, INDEX_PREFIX, QUEUE_PREFIX },
    ...{ emptied: written, at: Date.now() },
  };
  await connection.rpush(FREE, JSON.stringify(free));
}

function split<T>(values: readonly T[], isFirst: (value: T) => boolean): [T[], T[]] {
  return [values.filter(isFirst), values.filter((value) => !isFirst(value))];
}

/** Empties a database; does nothing and returns false if its indexes are not those of these sources. */
async function emptyDatabase({ MONGODB_URL, DATABASE_NAME }: Config): Promise<boolean> {
  // A connection for each of some forty commands would cost more than the commands.
  const client = new MongoClient(MONGODB_URL, { maxPoolSize: 2 });
  try {
    const db = client.db(DATABASE_NAME);
    const fetch = (collection: string) => fetchIndexes(db, collection);
    const { missing, inTheWay } = await fetchIndexFaults({ fetchIndexes: fetch });
    if (missing.length > 0 || inTheWay.length > 0) return false;
    const collections = await db.collections();
    await Promise.all(collections.map((collection) => collection.deleteMany({})));
    return true;
  } finally {
    await client.close();
  }
}

async function deleteIndices(config: Config, names: string[]): Promise<void> {
  if (names.length > 0) await ask(config, "DELETE", names, "");
}

async function emptyIndices(config: Config, names: string[]): Promise<void> {
  if (names.length === 0) return;
  // Elasticsearch would otherwise remember the versions of deleted documents, and refuse the next test's lower ones.
  await ask(config, "PUT", names, "_settings", { index: { gc_deletes: "0s" } });
  await ask(config, "POST", names, "_refresh");
  await ask(config, "POST", names, "_delete_by_query?refresh=true", { query: { match_all: {} } });
}

/** Sends Elasticsearch a request about indices. Throws if it refuses. */
async function ask(
  config: Config,
  method: string,
  names: string[],
  what: string,
  body?: object,
): Promise<unknown> {
  const [node = ""] = config.ELASTICSEARCH_URL.split(",");
  const url = new URL(`${names.join(",")}/${what}`, node.trim());
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok)
    throw new Error(
      `Elasticsearch answered ${answer.status} to ${method} ${url.href}: ${await answer.text()}`,
    );
  return answer.json();
}
