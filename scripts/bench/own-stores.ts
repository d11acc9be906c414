/** Stores under names that belong to one run; their contents are deleted at the end. */
import type { Config } from "../../api/shared/settings/config.ts";
import { closeStores, openStores, type Stores } from "../../api/shared/stores/index.ts";
import { prepareStores } from "../../ingest/prepare.ts";
import type { PartContext } from "./define-part.ts";

// The stand-in for MongoDB takes minutes to count or drop a whole register.
const WHOLE_REGISTER_MS = 600_000;

/** The settings with new names of database, indices and queue, which nothing else uses. */
export function withOwnNames(config: Config, purpose: string): Config {
  return withNames(config, `bench-${process.pid}-${Date.now().toString(36)}-${purpose}`);
}

/** The settings with database, indices and queue named after a register. */
export function withNames(config: Config, name: string): Config {
  const database = name.replaceAll("-", "_");
  return { ...config, DATABASE_NAME: database, INDEX_PREFIX: `${name}-`, QUEUE_PREFIX: name };
}

/** Opens and prepares the stores; deletes their contents at the end. */
export async function openOwnStores(context: PartContext, config: Config): Promise<Stores> {
  const stores = openStores({ ...config, STORE_TIMEOUT_MS: WHOLE_REGISTER_MS });
  context.onEnd("the stores", () => closeStores(stores));
  context.onEnd("the register", async () => {
    await stores.elasticsearch.deleteIndices();
    await stores.mongo.dropDatabase();
    const keys = await stores.redis.connection.keys(`${config.QUEUE_PREFIX}:*`);
    if (keys.length > 0) await stores.redis.connection.unlink(keys);
  });
  await prepareStores(stores, new Date());
  return stores;
}
