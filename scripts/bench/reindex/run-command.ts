/** Runs the real command `reindex` in its own process, and measures it. */
import { join } from "node:path";
import type { Config } from "../../../api/shared/settings/config.ts";
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import type { IndexName } from "../../../api/shared/definitions/define-index.ts";
import type { PartContext } from "../define-part.ts";
import { endOfLog, startProcess } from "../processes.ts";

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
  const startedAt = performance.now();
  const command = startProcess({
    entry: "scripts/cli.js",
    args: ["reindex", index, "--json"],
    config,
    logFile,
  });
  context.onEnd("the reindex", command.stop);
  const code = await command.ended;
  const ms = performance.now() - startedAt;
  if (code !== 0) throw new CommandError(`the reindex ended with code ${code}:\n${endOfLog(command)}`);
  const [, documents] = /"documents":(\d+)/.exec(command.readLog()) ?? [];
  return { documents: Number(documents), ms, peakBytes: command.peakBytes() };
}
