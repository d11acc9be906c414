/** Owns the measured load: the real command and a real worker, each a process of its own. */
import { join } from "node:path";
import type { Config } from "../../../api/core/config.ts";
import { CommandError } from "../../../api/core/errors.ts";
import type { PartContext } from "../define-part.ts";
import { endOfLog, startProcess, waitForLog, type Started } from "../processes.ts";

const START_MS = 30_000;

/** A worker that waits for batches, and the settings it has in common with the command. */
export interface Pipeline {
  config: Config;
  worker: Started;
  /** For the logs. */
  folder: string;
}

/** What loading a file took. */
export interface LoadResult {
  /** From the start of the command to its end, in milliseconds. */
  ms: number;
  commandPeakBytes: number | undefined;
}

/** Starts a worker. */
export async function startPipeline(context: PartContext, config: Config, folder: string): Promise<Pipeline> {
  const logFile = join(folder, `worker-${config.QUEUE_PREFIX}.log`);
  const worker = startProcess({ entry: "ingest/main.js", config, logFile });
  context.onEnd("the worker", worker.stop);
  await waitForLog(worker, /"msg":"taking batches"/, START_MS);
  return { config, worker, folder };
}

/** Loads a file as a person would. Throws CommandError when the command does not end with 0. */
export async function loadWithCommand(
  context: PartContext,
  { config, folder }: Pipeline,
  path: string,
): Promise<LoadResult> {
  const logFile = `${path}.${config.QUEUE_PREFIX}.log`;
  const startedAt = performance.now();
  const command = startProcess({ entry: "scripts/cli.js", args: ["load", path], config, logFile });
  context.onEnd("the load", command.stop);
  const code = await command.ended;
  const ms = performance.now() - startedAt;
  if (code === 0) return { ms, commandPeakBytes: command.peakBytes() };
  throw new CommandError(`the load ended with code ${code} (files in ${folder}):\n${endOfLog(command)}`);
}
