/** Adds up the counts of batches to those of a load. */
import type { BatchCounts } from "../queue/queue.ts";

// Limit: how many reasons of warnings are counted separately for each load. Reasons may quote rows, so a file could have
// any number.
const MAX_REASONS = 100;
const OTHER_REASONS = "other warnings";
const COUNTED = ["read", "written", "removed", "unchanged", "refused", "skipped"] as const;

type WarnedRows = BatchCounts["warnedRows"];

export function noCounts(): BatchCounts {
  return { read: 0, written: 0, removed: 0, unchanged: 0, refused: 0, skipped: 0, warnings: {} };
}

/** Adds two counts; reasons of warnings over the limit are counted as one. */
export function addCounts(a: BatchCounts, b: BatchCounts): BatchCounts {
  const warnings = addWarnings(a.warnings, b.warnings);
  const warnedRows = addWarnedRows(a.warnedRows, b.warnedRows, warnings);
  const sum = { ...a, warnings, ...(warnedRows && { warnedRows }) };
  for (const name of COUNTED) sum[name] += b[name];
  return sum;
}

/** Of two rows of one file it keeps the earlier one, since the batches of a load end in any order. */
function addWarnedRows(a: WarnedRows, b: WarnedRows, warnings: BatchCounts["warnings"]): WarnedRows {
  if (!a || !b) return a ?? b;
  const sum = { ...a };
  for (const [reason, place] of Object.entries(b)) {
    const known = sum[reason];
    const isFirst = !known || (known.file === place.file && place.line < known.line);
    if (isFirst && reason in warnings) sum[reason] = place;
  }
  return sum;
}

export function sumCounts(batches: readonly { counts: BatchCounts }[]): BatchCounts {
  return batches.reduce((sum, { counts }) => addCounts(sum, counts), noCounts());
}

function addWarnings(a: BatchCounts["warnings"], b: BatchCounts["warnings"]): BatchCounts["warnings"] {
  const sum = new Map(Object.entries(a));
  for (const [reason, count] of Object.entries(b)) {
    const distinct = sum.size - (sum.has(OTHER_REASONS) ? 1 : 0);
    const counted = sum.has(reason) || distinct < MAX_REASONS ? reason : OTHER_REASONS;
    sum.set(counted, (sum.get(counted) ?? 0) + count);
  }
  return Object.fromEntries(sum);
}
