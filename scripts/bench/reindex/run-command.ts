/** Owns the measured reindex: the real command, a process of its own. */
import { join } from "node:path";
import type { Config } from "../../../api/shared/settings/config.ts";
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import type { IndexName } from "../../../api/shared/definitions/define-index.ts";
import type { PartContext } from "../define-part.ts";
import { endOfLog, startProcess } from "../processes.ts";

/** What a reindex has taken, from the start of the command to its end. */
export interface ReindexResult {
  documents: number;
  ms: number;
  peakBytes: number | undefined;
}

/** Reindexes as a person would. Throws CommandError when the command does not end with 0. */
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
