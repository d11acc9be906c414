/** The figures of a measured reindex. Pure. */
import { formatPeak } from "../load/report.ts";
import { round } from "../statistics.ts";
import { formatTable } from "../table.ts";
import type { Floor } from "./floors.ts";
import type { ReindexResult } from "./run-command.ts";

/** The three measurements of a round. */
export interface ReindexRound {
  reindex: ReindexResult;
  cursor: Floor;
  prepared: Floor;
}

/** Times and rates of a round; `ratio` is the time of the reindex divided by that of the slower floor. */
export function toFacts({ reindex, cursor, prepared }: ReindexRound) {
  const timed = (count: number, ms: number) => ({
    documents: count,
    seconds: round(ms / 1_000, 1),
    perSecond: Math.round((count / ms) * 1_000),
  });
  return {
    reindex: { ...timed(reindex.documents, reindex.ms), peakBytes: reindex.peakBytes },
    cursor: timed(cursor.count, cursor.ms),
    prepared: timed(prepared.count, prepared.ms),
    ratio: round(reindex.ms / Math.max(cursor.ms, prepared.ms), 3),
  };
}

/** The table for people. */
export function formatReport(rounds: readonly ReindexRound[]): string[] {
  const head = ["round", "what", "documents", "seconds", "per second", "memory"];
  const rows = rounds.flatMap((measured, index) => {
    const facts = toFacts(measured);
    const row = (what: string, { documents, seconds, perSecond }: typeof facts.cursor, memory = "") => [
      ...[String(index + 1), what, String(documents), seconds.toFixed(1), String(perSecond), memory],
    ];
    return [
      row("reindex", facts.reindex, formatPeak(facts.reindex.peakBytes)),
      row("bare cursor", facts.cursor),
      row("prepared documents", facts.prepared),
    ];
  });
  const ratios = rounds.map((measured) => toFacts(measured).ratio.toFixed(2)).join(", ");
  return [...formatTable([head, ...rows]), "", `reindex over the slower floor: ${ratios}`];
}
