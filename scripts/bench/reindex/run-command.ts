/** Runs the real command `reindex` in its own process, and measures it. */
import { join } from "node:path";
import type { Config } from "../../../api/shared/settings/config.ts";
import type { IndexName } from "../../../api/shared/definitions/define-index.ts";
import type { PartContext } from "../define-part.ts";
import { runToEnd } from "../processes.ts";

/** Documents, time (from the start of the command to its end) and peak memory of a reindex. */
export interface ReindexResult {
  documents: number;
  ms: number;
  peakBytes: number | undefined;
}

/** Runs `reindex` for one index. Throws CommandError unless its exit code is 0. */
export async function reindexWithCommand(
  context: PartContext,
  config: Config,
  folder: string,
  index: IndexName,
): Promise<ReindexResult> {
  const logFile = join(folder, `reindex-${Date.now().toString(36)}.log`);
  const args = ["reindex", index, "--json"];
  const command = await runToEnd(context, "the reindex", { entry: "scripts/cli.js", args, config, logFile });
  const [, documents] = /"documents":(\d+)/.exec(command.readLog()) ?? [];
  return { documents: Number(documents), ms: command.ms, peakBytes: command.peakBytes() };
}
