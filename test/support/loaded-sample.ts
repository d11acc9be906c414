/**
 * Registers with the whole sample loaded, for suites that only read. Loading takes longer than most of these suites,
 * so a register stays when its suite ends. Its names are kept in Redis, where the next suite of any process takes
 * them, as long as the sources are the same.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import type { Config } from "../../api/shared/settings/config.ts";
import { closeStores, openStores } from "../../api/shared/stores/index.ts";
import { followNow } from "./follow.ts";
import { endRegister, type Names } from "./register-names.ts";
import { openRegister, openStorage, testConfig, type Storage, type TestRegister } from "./register.ts";
import { SAMPLE, SAMPLE_FILES } from "./sample-register.ts";

const LOADED = "test-registers-loaded";

/** Opens a register with the sample loaded and without a worker. The suite must not change its records. */
export async function openLoadedSample(
  options: { settings?: Record<string, string>; clock?: () => Date } = {},
): Promise<TestRegister> {
  const sources = hashSources();
  const names = await takeLoaded(sources);
  const loaded = names && openLoaded({ ...names, ...options.settings }, sources);
  return openRegister({
    ...options,
    withWorker: false,
    storage: loaded ?? (await loadSample(sources, options)),
  });
}

/** A hash of what a loaded register depends on: the code and the sample. */
function hashSources(): string {
  const hash = createHash("sha256");
  for (const folder of ["api", "ingest", "index-mappings", SAMPLE]) {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).sort())
      hash.update(path).update(readFileSync(path));
  }
  return hash.digest("hex");
}

/** Takes the names of a loaded register, for the caller alone. Drops registers of other sources that it finds. */
async function takeLoaded(sources: string): Promise<Names | undefined> {
  const redis = new Redis(testConfig().REDIS_URL);
  try {
    for (let kept = await redis.lpop(LOADED); kept !== null; kept = await redis.lpop(LOADED)) {
      const { sources: itsSources, ...names } = JSON.parse(kept) as Names & { sources: string };
      if (itsSources === sources) return names;
      const config = testConfig({ ...names });
      const stores = openStores(config);
      await endRegister(stores, config);
      await closeStores(stores);
    }
    return undefined;
  } finally {
    redis.disconnect();
  }
}

function openLoaded(settings: Record<string, string>, sources: string): Storage {
  const config = testConfig(settings);
  return { config, stores: openStores(config), end: () => keepLoaded(config, sources) };
}

async function loadSample(
  sources: string,
  { settings }: { settings?: Record<string, string> },
): Promise<Storage> {
  const { config, stores, end } = await openStorage(settings);
  let isLoaded = false;
  const storage = { config, stores, end: () => (isLoaded ? Promise.resolve() : end()) };
  const register = await openRegister({ storage });
  try {
    const { exitCode, error, messages } = await register.load(...SAMPLE_FILES);
    if (exitCode !== 0) throw error ?? new Error(messages.join("\n"));
    await followNow(stores);
    isLoaded = true;
  } finally {
    await register.close();
  }
  const { DATABASE_NAME, INDEX_PREFIX, QUEUE_PREFIX } = config;
  return openLoaded({ DATABASE_NAME, INDEX_PREFIX, QUEUE_PREFIX, ...settings }, sources);
}

/** Keeps a register for the next suite; deletes what its suite left in Redis, such as counts of requests. */
async function keepLoaded(config: Config, sources: string): Promise<void> {
  const { DATABASE_NAME, INDEX_PREFIX, QUEUE_PREFIX } = config;
  const redis = new Redis(config.REDIS_URL);
  const keys = await redis.keys(`${QUEUE_PREFIX}:*`);
  if (keys.length > 0) await redis.del(...keys);
  await redis.rpush(LOADED, JSON.stringify({ sources, DATABASE_NAME, INDEX_PREFIX, QUEUE_PREFIX }));
  redis.disconnect();
}
