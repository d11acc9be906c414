/** Shared by the tests of `doctor`: runs its checks on given stores, and opens empty stores. */
import { closeStores, openStores, type Stores } from "../../api/shared/stores/index.ts";
import type { Config } from "../../api/shared/settings/config.ts";
import { checks, runChecks, type Examined } from "../../scripts/commands/doctor.ts";
import { testConfig } from "./register.ts";

/** Stores, and the configuration that they were opened with. */
export interface OpenStores {
  config: Config;
  stores: Stores;
}

/** Runs all checks on these stores; `now` is the clock of this machine. */
export async function examine({ stores, config }: OpenStores, now = Date.now): Promise<Examined[]> {
  return runChecks(checks, { stores, config, now });
}

/** The finding of the check with this title. */
export function findingOf(examined: readonly Examined[], title: string): Examined {
  const found = examined.find((each) => each.title === title);
  if (!found) throw new Error(`there is no check "${title}"`);
  return found;
}

/** Opens stores in which nothing has been created. Adds a function to `closers`, for the test to call at its end. */
export function openEmpty(
  closers: (() => Promise<unknown>)[],
  settings: Record<string, string> = {},
): OpenStores {
  const config = testConfig(settings);
  const stores = openStores(config);
  closers.push(async () => {
    await Promise.allSettled([stores.mongo.dropDatabase(), stores.elasticsearch.deleteIndices()]);
    await closeStores(stores);
  });
  return { config, stores };
}

/** Sends a request to Elasticsearch; throws when it is refused. */
export async function askElasticsearch(
  { ELASTICSEARCH_URL }: Config,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const response = await fetch(`${ELASTICSEARCH_URL}/${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
  return JSON.parse(text);
}
