/** Settles the indices of a benchmark after they were filled. */
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import type { WireClient } from "../http-client.ts";

const QUIET_MS = 300_000;
const LOOK_MS = 500;

/**
 * Refreshes the indices, and waits until no merge is running, so that work left from loading is not measured as
 * searching. Returns the number of segments. Throws CommandError if merges take longer than 5 minutes.
 */
export async function settleIndices(engine: WireClient, prefix: string): Promise<number> {
  await call(engine, "POST", `/${prefix}*/_refresh`);
  for (const until = performance.now() + QUIET_MS; ;) {
    const { _all } = (await call(engine, "GET", `/${prefix}*/_stats/merge,segments`)) as Stats;
    if (_all.primaries.merges.current === 0) return _all.primaries.segments.count;
    if (performance.now() > until)
      throw new CommandError("Elasticsearch has not come to rest within 5 minutes");
    await sleep(LOOK_MS);
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
