/** The pause between two measurements: the second must not pay for work that the first has left in the engines. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../api/shared/settings/config.ts";
import { openWireClient } from "./http-client.ts";
import { settleIndices } from "./register/index-care.ts";

// MongoDB and its stand-in do not tell what work is left after the answer to the last insert.
const REST_MS = 3_000;

/** Waits until the indices of these settings have no merges in Elasticsearch, and a moment longer for MongoDB. */
export async function settle(...configs: Config[]): Promise<void> {
  for (const { ELASTICSEARCH_URL, INDEX_PREFIX } of configs) {
    const engine = openWireClient(ELASTICSEARCH_URL);
    await settleIndices(engine, INDEX_PREFIX).finally(() => engine.close());
  }
  await sleep(REST_MS);
}
