/** Owns the totals of the snapshot of persons with significant control: the last line, which counts those of all parts. */
import { SourceError } from "../../api/core/errors.ts";
import { STATEMENT_KIND } from "../../api/resources/psc-statement/normalise.ts";
import { WAY_OUT, type RawRow, type SetFile } from "./define-source.ts";

export const EXEMPTIONS_KIND = "exemptions";
const TOTALS_KIND = "totals#persons-of-significant-control-snapshot";

/** A line that is JSON of the right outline. */
export interface SnapshotLine {
  /** Absent on the totals line. */
  company_number?: unknown;
  data: Record<string, unknown>;
}

/** Counts by what they count; `records` is that of all. */
type Totals = Readonly<Record<string, number>>;

// Kinds of lines, and the members that count them.
const COUNTS = {
  persons: "persons_of_significant_control_count",
  statements: "statements_count",
  exemptions: "exemptions_count",
};

/** The line, or null when it is cut or something else. */
export function parseSnapshotLine(text: string): SnapshotLine | null {
  try {
    const line = JSON.parse(text) as Partial<SnapshotLine> | null;
    return line && typeof line.data === "object" && line.data ? (line as SnapshotLine) : null;
  } catch {
    return null;
  }
}

/** True for the line of the totals, whatever it counts. */
export function isTotals({ data }: SnapshotLine): boolean {
  return data.kind === TOTALS_KIND;
}

/** The totals, or null when the line is none with all three, nor with the one of refused rows. */
export function readTotals(line: SnapshotLine): Totals | null {
  if (!isTotals(line)) return null;
  const isCount = (count: number) => Number.isInteger(count) && count >= 0;
  const records = Number(line.data.records_count);
  if (isCount(records)) return { records };
  const kinds = Object.entries(COUNTS).map(([kind, member]) => [kind, Number(line.data[member])] as const);
  if (!kinds.every(([, count]) => isCount(count))) return null;
  return { records: kinds.reduce((sum, [, count]) => sum + count, 0), ...Object.fromEntries(kinds) };
}

/** The totals line of a file of refused rows; mended they may be of other kinds, so that it counts all together. */
export function buildTotalsLine(texts: readonly string[]): string {
  return JSON.stringify({ data: { records_count: texts.length, kind: TOTALS_KIND } });
}

// The member of `data`: within a text its quotes would be escaped.
const KIND = /"kind"\s*:\s*"(persons-with-significant-control-statement|exemptions|totals#[^"]*)"/;

/** What the totals count a line as, without parsing it; a line of no known kind counts as a person. */
export function countedAs(text: string): string {
  const kind = KIND.exec(text)?.[1];
  if (kind === undefined) return "persons";
  if (kind === EXEMPTIONS_KIND) return "exemptions";
  return kind === STATEMENT_KIND ? "statements" : "totals";
}

/** The totals of the line that a file ends with. Throws SourceError when it is another. */
export function requireTotals(last: RawRow | undefined): Totals {
  const line = last ? parseSnapshotLine(last.text) : null;
  const totals = line && readTotals(line);
  if (!totals) throw new SourceError(`no totals line: incomplete download; ${WAY_OUT}`);
  return totals;
}

/** Throws SourceError when the totals are not those of a whole edition, in one file or several. */
export function checkTotals(files: readonly Pick<SetFile, "last" | "rows" | "tally">[]): void {
  const [file, ...others] = files;
  const isTotalsLine = ({ last }: Pick<SetFile, "last">) => last && countedAs(last.text) === "totals";
  const ending = others.length === 0 ? file : files.find(isTotalsLine);
  if (!ending) throw new SourceError(`no part ends with the totals line: incomplete download; ${WAY_OUT}`);
  const what = others.length === 0 ? "the file has" : `the ${files.length} parts have`;
  const rows = files.reduce((sum, one) => sum + one.rows, 0);
  for (const [kind, stated] of Object.entries(requireTotals(ending.last))) {
    const counted = files.reduce((sum, { tally }) => sum + (tally[kind] ?? 0), 0);
    const found = kind === "records" ? rows - 1 : counted;
    if (found !== stated)
      throw new SourceError(`the totals line says ${stated} ${kind}, ${what} ${found}; ${WAY_OUT}`);
  }
}
