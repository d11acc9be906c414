/** Owns what a worker counts of its batches. */
import type { Metrics } from "../../api/core/metrics/metrics.ts";
import { sources } from "../sources/index.ts";
import type { BatchTry } from "../worker.ts";

const OUTCOMES = ["written", "removed", "unchanged", "refused", "skipped"] as const;

/** Makes what is told of each try of a batch. */
export function countBatches(metrics: Metrics): (batch: BatchTry) => void {
  return ({ source: given, seconds, counts, isPassing }) => {
    // A batch of another release may name what this one does not know; labels come from definitions alone.
    const source = sources.some(({ name }) => name === given) ? given : "unknown";
    const outcome = counts ? "done" : isPassing ? "retried" : "failed";
    metrics.observe("batch_seconds", { source, outcome }, seconds);
    if (!counts) return;
    metrics.count("rows_read_total", { source }, counts.read);
    for (const outcome of OUTCOMES) metrics.count("rows_total", { source, outcome }, counts[outcome]);
  };
}
