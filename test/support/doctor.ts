/** What tests of `doctor` share: its verdict on given stores, and stores that are empty. */
import { closeStores, openStores, type Stores } from "../../api/shared/stores/index.ts";
import type { Config } from "../../api/shared/settings/config.ts";
import { checks, runChecks, type Examined } from "../../scripts/commands/doctor.ts";
import { testConfig } from "./register.ts";

/** Stores, and what they were opened from. */
export interface OpenStores {
  config: Config;
  stores: Stores;
}

/** What doctor says of these stores; `now` is our clock. */
export async function examine({ stores, config }: OpenStores, now = Date.now): Promise<Examined[]> {
  return runChecks(checks, { stores, config, now });
}

/** What one check says. */
export function findingOf(examined: readonly Examined[], title: string): Examined {
  const found = examined.find((each) => each.title === title);
  if (!found) throw new Error(`there is no check "${title}"`);
  return found;
}

/** Stores of their own in which nothing has been created; `closers` are to be called when the test has ended. */
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
