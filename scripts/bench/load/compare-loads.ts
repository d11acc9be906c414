/** Compares loads with each other: rates, ratios, memory. Pure. */
import { round } from "../statistics.ts";
import { formatTable } from "../table.ts";
import type { LoadResult } from "./pipeline.ts";
import { formatPeak, peaksOf } from "./report.ts";

/** The figures of several loads together. */
interface ComparedLoads {
  /** For people: `companies again`. */
  title: string;
  rows: number;
  seconds: number;
  rowsPerSecond: number;
  /** Their rate divided by that of the loads they are compared with. */
  ratio: number;
  commandPeakBytes: number | undefined;
  workerPeakBytes: number | undefined;
}

/** Adds up times and rows of some loads, and compares their rate with that of others (by default with itself: 1). */
export function compareLoads(
  title: string,
  loads: readonly LoadResult[],
  others: readonly LoadResult[] = loads,
): ComparedLoads {
  const { rows, ms } = sumOf(loads);
  const other = sumOf(others);
  return {
    title,
    rows,
    seconds: round(ms / 1_000, 1),
    rowsPerSecond: Math.round((rows / ms) * 1_000),
    ratio: round(rows / ms / (other.rows / other.ms), 3),
    ...peaksOf(loads),
  };
}

function sumOf(loads: readonly LoadResult[]): { rows: number; ms: number } {
  return {
    rows: loads.reduce((sum, { counts }) => sum + counts.read, 0),
    ms: loads.reduce((sum, { ms }) => sum + ms, 0),
  };
}

/** The table for people. */
export function formatCompared(head: string, compared: readonly ComparedLoads[]): string[] {
  const rows = compared.map((one) => [
    one.title,
    String(one.rows),
    one.seconds.toFixed(1),
    String(one.rowsPerSecond),
    one.ratio.toFixed(2),
    formatPeak(one.commandPeakBytes),
    formatPeak(one.workerPeakBytes),
  ]);
  return formatTable([[head, "rows", "seconds", "rows/s", "ratio", "command", "worker"], ...rows]);
}
