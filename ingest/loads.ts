/** Owns the record of loads: what was loaded when, from which files, with what outcome. */
import type { DocumentStore } from "../api/core/stores/mongo.ts";
import type { BatchCounts } from "./queue.ts";

const COLLECTION = "loads";

/** One run of the load command. */
export interface LoadRecord {
  /** `20261121T0612-3f9c`: sorts by time. */
  _id: string;
  state: "running" | "succeeded" | "failed";
  files: string[];
  started_at: string;
  finished_at?: string;
  counts: BatchCounts;
  /** Why it failed. */
  reason?: string;
}

/** Counts of nothing. */
export function noCounts(): BatchCounts {
  return { read: 0, written: 0, unchanged: 0, refused: 0, skipped: 0, warnings: {} };
}

/** Two counts together. */
export function addCounts(a: BatchCounts, b: BatchCounts): BatchCounts {
  const warnings = { ...a.warnings };
  for (const [reason, count] of Object.entries(b.warnings))
    warnings[reason] = (warnings[reason] ?? 0) + count;
  return {
    read: a.read + b.read,
    written: a.written + b.written,
    unchanged: a.unchanged + b.unchanged,
    refused: a.refused + b.refused,
    skipped: a.skipped + b.skipped,
    warnings,
  };
}

/** An id for a load: the minute it began, and four digits that keep two of the same minute apart. */
export function newLoadId(moment: Date, random: number): string {
  const stamp = moment.toISOString().slice(0, 19).replace(/[-:]/g, "");
  return `${stamp}-${Math.floor(random * 0x10000)
    .toString(16)
    .padStart(4, "0")}`;
}

/** Keeps the state of a load. */
export async function writeLoad(documents: DocumentStore, load: LoadRecord): Promise<void> {
  await documents.put(COLLECTION, { ...load });
}
