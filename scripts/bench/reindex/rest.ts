/** Owns the rest between two measurements: what one has left the engines to do is not measured as the other's. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../../api/core/config.ts";
import type { PartContext } from "../define-part.ts";
import { openWireClient } from "../http-client.ts";
import { settleIndices } from "../register/index-care.ts";

const REST_MS = 3_000;

/** Waits until the engines have come to rest. */
export async function settle(_context: PartContext, config: Config): Promise<void> {
  const engine = openWireClient(config.ELASTICSEARCH_URL);
  await settleIndices(engine, config.INDEX_PREFIX).finally(() => engine.close());
  await sleep(REST_MS);
}
