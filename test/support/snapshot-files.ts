/** Owns the way from a file of the sample register to a source's outcomes, as a load takes it. */
import { createReadStream } from "node:fs";
import {
  type RawRow,
  isBlank,
  isUnreadable,
  readRows,
  type Encoding,
} from "../../ingest/readers/read-rows.ts";
import type { Outcome, SourceDefinition, Tally } from "../../ingest/sources/define-source.ts";
import { SAMPLE } from "./sample-register.ts";

/** A file as a source saw it. */
export interface MappedFile {
  outcomes: Outcome[];
  /** Runs the source's check of the end; throws SourceError. */
  close: () => void;
}

/** Rows of a file that could be decoded, without blank lines. */
export async function readRowsOf(file: string, encoding: Encoding = "utf-8"): Promise<RawRow[]> {
  const rows: RawRow[] = [];
  for await (const batch of readRows(createReadStream(`${SAMPLE}/${file}`), "lines", encoding)) {
    rows.push(...batch.filter((row): row is RawRow => !isUnreadable(row) && !isBlank(row)));
  }
  return rows;
}

/** Opens a file with a source and maps its rows; the context travels as JSON, as it does in a queue. */
export async function mapFile(
  source: SourceDefinition,
  file: string,
  encoding?: Encoding,
): Promise<MappedFile> {
  const [header, ...rows] = await readRowsOf(file, encoding);
  const opened = source.open(header ?? { line: 1, text: "" }, file);
  const context = JSON.parse(JSON.stringify(opened)) as typeof opened;
  return {
    outcomes: source.mapRows(rows, context),
    close: () => source.close?.(rows.at(-1), rows.length, context, tallyOf(source, rows)),
  };
}

/** Rows by the kinds that the end of the file counts apart, as a survey counts them. */
export function tallyOf({ kindOf }: SourceDefinition, rows: RawRow[]): Tally {
  const tally: Record<string, number> = {};
  for (const { text } of rows) if (kindOf) tally[kindOf(text)] = (tally[kindOf(text)] ?? 0) + 1;
  return tally;
}

/** How many outcomes there are of each kind; removals only where there are any. */
export function countKinds(outcomes: Outcome[]): Partial<Record<Outcome["kind"], number>> {
  const counts: Partial<Record<Outcome["kind"], number>> = { record: 0, refused: 0, skipped: 0 };
  for (const { kind } of outcomes) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Data of the records, in file order. */
export function dataOf<Data>(outcomes: Outcome[]): Data[] {
  return outcomes.flatMap((outcome) => (outcome.kind === "record" ? [outcome.data as Data] : []));
}

/** Refusals by line: what is wrong, and where. */
export function refusalsOf(outcomes: Outcome[]): Record<number, string> {
  const refused = outcomes.flatMap((outcome) => (outcome.kind === "refused" ? [outcome] : []));
  return Object.fromEntries(
    refused.map(({ row, reason, field }) => [row.line, field ? `${field} ${reason}` : reason]),
  );
}
