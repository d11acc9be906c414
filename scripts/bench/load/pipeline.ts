/** The load that is measured: the real command and a real worker, each in its own process. */
import { join } from "node:path";
import type { Config } from "../../../api/shared/settings/config.ts";
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import type { Stores } from "../../../api/shared/stores/index.ts";
import type { BatchCounts } from "../../../ingest/queue/queue.ts";
import type { PartContext } from "../define-part.ts";
import { openOwnStores, withOwnNames } from "../own-stores.ts";
import { endOfLog, startProcess, waitForLog, type Started } from "../processes.ts";

const START_MS = 30_000;

/** A worker that waits for batches, and the settings that it shares with the command. */
export interface Pipeline {
  config: Config;
  worker: Started;
  /** Folder of the logs. */
  folder: string;
}

/** What loading a file took. */
export interface LoadResult {
  /** From the start of the command to its end, in milliseconds. */
  ms: number;
  counts: BatchCounts;
  commandPeakBytes: number | undefined;
  /** Peak since the worker was started. */
  workerPeakBytes: number | undefined;
  /** Processor time of the command; the last tenth of a second before its end may be missing. */
  commandCpuMs: number | undefined;
  /** Processor time of the worker during the load. */
  workerCpuMs: number | undefined;
}

/** Opens an empty register under its own names, and starts a worker for it. */
export async function openPipeline(
  context: PartContext,
  purpose: string,
  folder: string,
): Promise<Pipeline & { stores: Stores }> {
  const config = withOwnNames(context.config, purpose);
  const stores = await openOwnStores(context, config);
  return { ...(await startPipeline(context, config, folder)), stores };
}

/** Starts a worker, and waits until its log says that it takes batches. */
export async function startPipeline(
  context: PartContext,
  settings: Config,
  folder: string,
): Promise<Pipeline> {
  const config = { ...settings, LOG_LEVEL: "info" as const };
  const logFile = join(folder, `worker-${config.QUEUE_PREFIX}.log`);
  const worker = startProcess({ entry: "ingest/main.js", config, logFile });
  context.onEnd("the worker", worker.stop);
  await waitForLog(worker, /"msg":"taking batches"/, START_MS);
  return { config, worker, folder };
}

/** Loads a file with the command `load`. Throws CommandError unless its exit code is 0. */
export async function loadWithCommand(
  context: PartContext,
  { config, worker, folder }: Pipeline,
  path: string,
  options: readonly string[] = [],
): Promise<LoadResult> {
  const logFile = `${path}.${config.QUEUE_PREFIX}-${Date.now().toString(36)}.log`;
  const cpuBefore = worker.cpuMs() ?? 0;
  const startedAt = performance.now();
  const command = startProcess({
    entry: "scripts/cli.js",
    args: ["load", path, "--json", ...options],
    config,
    logFile,
  });
  context.onEnd("the load", command.stop);
  const code = await command.ended;
  const ms = performance.now() - startedAt;
  const [outcome] = /^{"load":.*}$/m.exec(command.readLog()) ?? [];
  if (code !== 0 || !outcome)
    throw new CommandError(`the load ended with code ${code} (files in ${folder}):\n${endOfLog(command)}`);
  const { counts } = JSON.parse(outcome) as { counts: BatchCounts };
  const workerCpuMs = worker.cpuMs();
  return {
    ms,
    counts,
    commandPeakBytes: command.peakBytes(),
    workerPeakBytes: worker.peakBytes(),
    commandCpuMs: command.cpuMs(),
    workerCpuMs: workerCpuMs === undefined ? undefined : workerCpuMs - cpuBefore,
  };
}
