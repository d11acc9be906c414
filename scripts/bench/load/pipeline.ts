/** The load that is measured: the real command and a real worker, each in its own process. */
import { join } from "node:path";
import type { Config } from "../../../api/shared/settings/config.ts";
import type { Stores } from "../../../api/shared/stores/index.ts";
import type { BatchCounts } from "../../../ingest/queue/queue.ts";
import type { PartContext } from "../define-part.ts";
import { openOwnStores, withOwnNames } from "../own-stores.ts";
import { runToEnd, startProcess, waitForLog, type Started } from "../processes.ts";
import { generateRegister, makeTemporaryFolder } from "../register/generate.ts";
import { settle } from "../rest.ts";

const START_MS = 30_000;

/** A worker that waits for batches, and what it shares with the command. */
export interface Pipeline {
  config: Config;
  stores: Stores;
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
export async function openPipeline(context: PartContext, purpose: string, folder: string): Promise<Pipeline> {
  // The log says when the worker takes batches.
  const config = { ...withOwnNames(context.config, purpose), LOG_LEVEL: "info" as const };
  const stores = await openOwnStores(context, config);
  const logFile = join(folder, `worker-${config.QUEUE_PREFIX}.log`);
  const worker = startProcess({ entry: "ingest/main.js", config, logFile });
  context.onEnd("the worker", worker.stop);
  await waitForLog(worker, /"msg":"taking batches"/, START_MS);
  return { config, stores, worker, folder };
}

/** A register of generated companies, loaded with the command `load`; `csv` is their file. */
export async function loadCompanies(
  context: PartContext,
  size: { companies: number; seed: number },
  purpose: string,
): Promise<Pipeline & { csv: string }> {
  const folder = makeTemporaryFolder(context);
  const { csv } = await generateRegister(folder, size, ["csv"]);
  const pipeline = await openPipeline(context, purpose, folder);
  context.tell(`loading ${size.companies} companies`);
  await loadWithCommand(context, pipeline, csv);
  await settle(pipeline.config);
  return { ...pipeline, csv };
}

/** Loads a file with the command `load`. Throws CommandError unless its exit code is 0. */
export async function loadWithCommand(
  context: PartContext,
  { config, worker }: Pipeline,
  path: string,
  options: readonly string[] = [],
): Promise<LoadResult> {
  const logFile = `${path}.${config.QUEUE_PREFIX}-${Date.now().toString(36)}.log`;
  const cpuBefore = worker.cpuMs() ?? 0;
  const args = ["load", path, "--json", ...options];
  const command = await runToEnd(context, "the load", { entry: "scripts/cli.js", args, config, logFile });
  const [result = ""] = /^{"load":.*}$/m.exec(command.readLog()) ?? [];
  const { counts } = JSON.parse(result) as { counts: BatchCounts };
  const workerCpuMs = worker.cpuMs();
  return {
    ms: command.ms,
    counts,
    commandPeakBytes: command.peakBytes(),
    workerPeakBytes: worker.peakBytes(),
    commandCpuMs: command.cpuMs(),
    workerCpuMs: workerCpuMs === undefined ? undefined : workerCpuMs - cpuBefore,
  };
}
