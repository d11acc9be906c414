/** Owns the rest between two measurements: what one has left the engines to do is not measured as the other's. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../api/shared/settings/config.ts";
import { openWireClient } from "./http-client.ts";
import { settleIndices } from "./register/index-care.ts";

// What MongoDB and its stand-ins still have to do when the last insert has been answered is not told by them.
const REST_MS = 3_000;

/** Waits until the engines have come to rest; Elasticsearch is asked about the indices of these settings. */
export async function settle(...configs: Config[]): Promise<void> {
  for (const { ELASTICSEARCH_URL, INDEX_PREFIX } of configs) {
    const engine = openWireClient(ELASTICSEARCH_URL);
    await settleIndices(engine, INDEX_PREFIX).finally(() => engine.close());
  }
  await sleep(REST_MS);
}
