/** Formats a load's totals and refused rows. Pure. */
import { formatCount, formatDuration, formatNumber, showBytes } from "../api/shared/runtime/format.ts";
import type { RefusedRow } from "./refused-rows/refused-rows.ts";
import type { LoadRecord } from "./history/loads.ts";
import type { BatchCounts } from "./queue/queue.ts";

export function formatTotals(counts: BatchCounts, elapsedMs: number | undefined): string[] {
  const { read, written, removed, unchanged, refused, skipped } = counts;
  const seconds = Math.max(elapsedMs ?? 0, 1) / 1_000;
  const pace = ` in ${formatDuration(seconds)} (${formatCount(Math.round(read / seconds))} rows/s)`;
  return [
    `read      ${formatNumber(read, "row")}${elapsedMs === undefined ? "" : pace}`,
    `written   ${formatCount(written)}`,
    ...(removed > 0 ? [`removed   ${formatCount(removed)}`] : []),
    `unchanged ${formatCount(unchanged)}`,
    `refused   ${formatCount(refused)}`,
    ...(skipped > 0 ? [`skipped   ${formatCount(skipped)} (lines without a record of their own)`] : []),
    ...formatWarnings(counts),
  ];
}

/** What a load did besides writing its rows. `lacking`: why it removed records, in a few words. */
export function formatOutcome(load: LoadOutcome, lacking = "no longer in the edition"): string[] {
  const { retired, mended, replaced, plan } = load;
  const lines: string[] = [];
  if (retired !== undefined) lines.push(`removed   ${formatCount(retired)} (${lacking})`);
  if (mended) {
    const rows = `${formatNumber(mended.rows, "refused row")} of load ${plan.mends?.load}`;
    lines.push(`mended    ${rows}, ${formatCount(mended.left)} left`);
  }
  if (replaced !== undefined) {
    const rows = `${formatNumber(replaced, "refused row")} of earlier loads`;
    lines.push(`replaced  ${rows}: this load read their rows again`);
  }
  return lines;
}

type LoadOutcome = Pick<LoadRecord, "retired" | "mended" | "replaced" | "plan">;

/** One line for each reason of a warning, with the first row that has it. */
export function formatWarnings({ warnings, warnedRows = {} }: BatchCounts): string[] {
  return Object.entries(warnings)
    .sort()
    .map(([reason, count]) => {
      const row = warnedRows[reason];
      const place = row ? ` (${count > 1 ? "first: " : ""}${row.file}, line ${row.line})` : "";
      return `warning   ${formatCount(count)} × ${reason}${place}`;
    });
}

export function formatRefused({ file, line, field, reason }: Omit<RefusedRow, "load" | "source">): string {
  return `refused: ${file}, line ${line}: ${field ? `${field}: ` : ""}${reason}`;
}

const SHOWN_CHARACTERS = 80;

export function formatRow(row: RefusedRow): string {
  const { file, line, field, reason } = row;
  const shown = showRow(row).replaceAll("\n", " ");
  const cut = shown.length > SHOWN_CHARACTERS ? `${shown.slice(0, SHOWN_CHARACTERS)}…` : shown;
  return `${file}:${line}  ${field ? `${field}: ` : ""}${reason}  ${cut}`;
}

export function formatRefusedRow(row: RefusedRow): string[] {
  const { load, file, line, source, field, reason, bytes } = row;
  const facts = Object.entries({ load, file, line, source, field, reason });
  return [
    ...facts.flatMap(([name, fact]) => (fact === undefined ? [] : `${name.padEnd(8)}${fact}`)),
    ...(bytes === undefined ? [] : ["bytes   bytes that are not text are marked"]),
    "",
    ...showRow(row).split("\n"),
  ];
}

export function showRow({ text, bytes = "" }: RefusedRow): string {
  return text ?? showBytes(Buffer.from(bytes, "base64"));
}
