/** Owns the record of loads: what was loaded when, from which files, with what outcome. */
import type { DocumentStore } from "../api/core/stores/mongo.ts";
import type { BatchCounts } from "./queue.ts";

const COLLECTION = "loads";
// Limit: reasons of warnings that a load tells apart; they may quote the row, so that a file could hold any number.
const MAX_REASONS = 100;
const OTHER_REASONS = "other warnings";

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
  return { read: 0, written: 0, removed: 0, unchanged: 0, refused: 0, skipped: 0, warnings: {} };
}

/** Two counts together. Reasons of warnings that are too many to tell apart are counted as one. */
export function addCounts(a: BatchCounts, b: BatchCounts): BatchCounts {
  return {
    read: a.read + b.read,
    written: a.written + b.written,
    removed: a.removed + b.removed,
    unchanged: a.unchanged + b.unchanged,
    refused: a.refused + b.refused,
    skipped: a.skipped + b.skipped,
    warnings: addWarnings(a.warnings, b.warnings),
  };
}

function addWarnings(a: BatchCounts["warnings"], b: BatchCounts["warnings"]): BatchCounts["warnings"] {
  const sum = new Map(Object.entries(a));
  const add = (reason: string, count: number) => sum.set(reason, (sum.get(reason) ?? 0) + count);
  for (const [reason, count] of Object.entries(b)) {
    const distinct = sum.size - (sum.has(OTHER_REASONS) ? 1 : 0);
    const isTold = reason === OTHER_REASONS || sum.has(reason) || distinct < MAX_REASONS;
    add(isTold ? reason : OTHER_REASONS, count);
  }
  return Object.fromEntries(sum);
}

/** An id for a load: the minute it began, and four digits that keep two of the same minute apart. */
export function newLoadId(moment: Date, random: number): string {
  const stamp = moment.toISOString().slice(0, 19).replace(/[-:]/g, "");
  return `${stamp}-${Math.floor(random * 0x10000)
    .toString(16)
    .padStart(4, "0")}`;
}

/** A load as it is kept, its warnings apart; null when there is none of this id. */
export async function fetchLoad(
  documents: DocumentStore,
  load: string,
): Promise<Pick<LoadRecord, "_id" | "state" | "files" | "started_at"> | null> {
  return (await documents.fetch(COLLECTION, load)) as LoadRecord | null;
}

/** Keeps the state of a load. Warnings become a list: a store may refuse names of members that hold dots or dollars. */
export async function writeLoad(documents: DocumentStore, load: LoadRecord): Promise<void> {
  const warnings = Object.entries(load.counts.warnings).map(([reason, count]) => ({ reason, count }));
  await documents.put(COLLECTION, { ...load, counts: { ...load.counts, warnings } });
}
