/** Owns what is done to the indices of a benchmark after they were filled: visible, and quiet. */
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import type { WireClient } from "../http-client.ts";

const QUIET_MS = 300_000;
const LOOK_MS = 500;

/**
 * Makes all that was written visible and waits until no merge is under way, so that the work of loading is not
 * measured as that of searching.
 * Returns how many there are.
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
