/** Measures memory: of the command `load --complete`, and of comparing as many ids as the register has officers. */
import { join } from "node:path";
import type { PartContext, PartOptions, PartReport } from "../define-part.ts";
import { runToEnd } from "../processes.ts";
import { generateRegister, makeTemporaryFolder } from "../register/generate.ts";
import { round } from "../statistics.ts";
import { formatTable } from "../table.ts";
import { loadWithCommand, openPipeline } from "./pipeline.ts";
import { formatPeak } from "./report.ts";

/** One measurement. */
interface Complete {
  title: string;
  ids: number;
  seconds: number;
  peakBytes: number | undefined;
}

/** Loads the companies with --complete, then compares ids. */
export async function measureComplete(context: PartContext, options: PartOptions): Promise<PartReport> {
  const ids = Number(options.own.ids);
  const folder = makeTemporaryFolder(context);
  const measured = [await loadComplete(context, options, folder), await compareIds(context, ids, folder)];
  return { lines: formatComplete(measured), facts: { measured } };
}

async function loadComplete(context: PartContext, options: PartOptions, folder: string): Promise<Complete> {
  context.tell(`generating ${options.companies} companies`);
  const { csv } = await generateRegister(folder, options, ["csv"]);
  const pipeline = await openPipeline(context, "complete", folder);
  context.tell("loading them with --complete");
  const { ms, counts, commandPeakBytes } = await loadWithCommand(context, pipeline, csv, ["--complete"]);
  await pipeline.worker.stop();
  const ids = counts.written;
  return { title: "load --complete", ids, seconds: round(ms / 1_000, 1), peakBytes: commandPeakBytes };
}

async function compareIds(context: PartContext, ids: number, folder: string): Promise<Complete> {
  context.tell(`comparing ${ids} ids`);
  const comparison = await runToEnd(context, "the comparison", {
    entry: "scripts/bench/load/compare-ids.js",
    args: [String(ids)],
    config: context.config,
    logFile: join(folder, "compare-ids.log"),
  });
  const seconds = round(comparison.ms / 1_000, 1);
  return { title: "ids alone", ids, seconds, peakBytes: comparison.peakBytes() };
}

/** The table for people. */
function formatComplete(measured: readonly Complete[]): string[] {
  const rows = measured.map(({ title, ids, seconds, peakBytes }) => [
    title,
    String(ids),
    seconds.toFixed(1),
    formatPeak(peakBytes),
  ]);
  return formatTable([["what", "ids", "seconds", "memory"], ...rows]);
}
