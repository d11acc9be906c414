/** The figures of a measured load: rates, their ratio, memory. Pure. */
import { formatBytes } from "../../../api/shared/runtime/format.ts";
import { round } from "../statistics.ts";
import type { FloorResult } from "./floor.ts";
import type { LoadResult } from "./pipeline.ts";

/** One file, loaded and written by the floor. */
export interface FileMeasurement {
  /** Name of the file for people: `companies`. */
  title: string;
  load: LoadResult;
  floor: FloorResult;
}

/** Rates of a file, or of several together. */
interface LoadRates {
  title: string;
  rows: number;
  records: number;
  documents: number;
  loadSeconds: number;
  loadRowsPerSecond: number;
  floorSeconds: number;
  floorRowsPerSecond: number;
  mongoSeconds: number;
  elasticsearchSeconds: number;
  /** Rate of the load divided by that of the floor. */
  ratio: number;
}

/** The rates of several measurements together: times and rows are added up. */
export function toRates(title: string, measurements: readonly FileMeasurement[]): LoadRates {
  const sum = (valueOf: (measurement: FileMeasurement) => number) =>
    measurements.reduce((total, measurement) => total + valueOf(measurement), 0);
  const rows = sum(({ floor }) => floor.rows);
  const loadMs = sum(({ load }) => load.ms);
  const floorMs = sum(({ floor }) => floor.ms);
  return {
    title,
    rows,
    records: sum(({ floor }) => floor.records),
    documents: sum(({ floor }) => floor.documents),
    loadSeconds: round(loadMs / 1_000, 1),
    loadRowsPerSecond: Math.round((rows / loadMs) * 1_000),
    floorSeconds: round(floorMs / 1_000, 1),
    floorRowsPerSecond: Math.round((rows / floorMs) * 1_000),
    mongoSeconds: round(sum(({ floor }) => floor.mongoMs) / 1_000, 1),
    elasticsearchSeconds: round(sum(({ floor }) => floor.elasticsearchMs) / 1_000, 1),
    ratio: round(floorMs / loadMs, 3),
  };
}

const HEAD = ["file", "rows", "records", "documents", "load s", "rows/s", "floor s", "rows/s"];
const HEAD_END = ["MongoDB s", "Elasticsearch s", "ratio"];

/** The rows of the table, with its head. */
export function toRows(rates: readonly LoadRates[]): string[][] {
  const rows = rates.map((rate) => [
    rate.title,
    ...[rate.rows, rate.records, rate.documents].map(String),
    rate.loadSeconds.toFixed(1),
    String(rate.loadRowsPerSecond),
    rate.floorSeconds.toFixed(1),
    String(rate.floorRowsPerSecond),
    rate.mongoSeconds.toFixed(1),
    rate.elasticsearchSeconds.toFixed(1),
    rate.ratio.toFixed(2),
  ]);
  return [[...HEAD, ...HEAD_END], ...rows];
}

/** The peak memory of all these loads; undefined if the system does not tell. */
export function peaksOf(loads: readonly LoadResult[]) {
  const most = (peaks: (number | undefined)[]) => Math.max(...peaks.map((peak) => peak ?? 0)) || undefined;
  return {
    commandPeakBytes: most(loads.map(({ commandPeakBytes }) => commandPeakBytes)),
    workerPeakBytes: most(loads.map(({ workerPeakBytes }) => workerPeakBytes)),
  };
}

/** The peak memory of a process, for people. */
export function formatPeak(bytes: number | undefined): string {
  return bytes === undefined ? "unknown on this system" : formatBytes(bytes);
}
