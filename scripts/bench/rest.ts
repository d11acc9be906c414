/** Waits until the engines have come to rest, so that a measurement does not pay for work that an earlier step left. */
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import type { Config } from "../../api/shared/settings/config.ts";
import { openWireClient, type WireClient } from "./http-client.ts";

const QUIET_MS = 300_000;
const LOOK_MS = 500;
// MongoDB and its stand-in do not tell what work is left after the answer to the last insert.
const REST_MS = 3_000;

/** Waits until the indices of these settings have no merges in Elasticsearch, and a moment longer for MongoDB. */
export async function settle(...configs: Config[]): Promise<void> {
  for (const config of configs) await settleIndices(config);
  await sleep(REST_MS);
}

/**
 * Refreshes the indices, and waits until no merge is running. Returns the number of segments. Throws CommandError if
 * merges take longer than 5 minutes.
 */
export async function settleIndices({ ELASTICSEARCH_URL, INDEX_PREFIX }: Config): Promise<number> {
  const engine = openWireClient(ELASTICSEARCH_URL);
  try {
    await call(engine, "POST", `/${INDEX_PREFIX}*/_refresh`);
    for (const until = performance.now() + QUIET_MS; ;) {
      const { _all } = (await call(engine, "GET", `/${INDEX_PREFIX}*/_stats/merge,segments`)) as Stats;
      if (_all.primaries.merges.current === 0) return _all.primaries.segments.count;
      if (performance.now() > until)
        throw new CommandError("Elasticsearch has not come to rest within 5 minutes");
      await sleep(LOOK_MS);
    }
  } finally {
    engine.close();
  }
}

interface Stats {
  _all: { primaries: { merges: { current: number }; segments: { count: number } } };
}

async function call(engine: WireClient, method: string, path: string): Promise<unknown> {
  const answer = await engine.send({ method, path, headers: {} });
  if (answer.status === 200) return JSON.parse(answer.body.toString());
  throw new CommandError(
    `Elasticsearch answered ${answer.status} to ${method} ${path}: ${answer.body.toString()}`,
  );
}
