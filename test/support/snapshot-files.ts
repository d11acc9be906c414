/** Reads files of the sample register and maps them with a source, as a load does, for unit tests of snapshots. */
import type { Encoding, RawRow } from "../../ingest/readers/read-rows.ts";
import type { Outcome, SourceDefinition, Tally } from "../../ingest/sources/define-source.ts";
import { readFixture } from "./map-file.ts";

export { recordsOf as dataOf } from "./map-file.ts";

/** A file that a source has mapped. */
export interface MappedFile {
  outcomes: Outcome[];
  /** Runs the source's check at the end of the file; throws SourceError if it fails. */
  close: () => void;
}

/** The lines of a file that can be decoded, except blank ones. */
export function readRowsOf(file: string, encoding?: Encoding): Promise<RawRow[]> {
  return readFixture({ reader: "lines" }, file, encoding);
}

/** Opens a file with a source and maps its rows; the context goes through JSON, as in the queue. */
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

/** Counts rows by the kinds that the end of the file counts separately, as the first reading of a load does. */
export function tallyOf({ kindOf }: SourceDefinition, rows: RawRow[]): Tally {
  const tally: Record<string, number> = {};
  for (const { text } of rows) if (kindOf) tally[kindOf(text)] = (tally[kindOf(text)] ?? 0) + 1;
  return tally;
}

/** How many outcomes there are of each kind; kinds other than these three only if there are any. */
export function countKinds(outcomes: Outcome[]): Partial<Record<Outcome["kind"], number>> {
  const counts: Partial<Record<Outcome["kind"], number>> = { record: 0, refused: 0, skipped: 0 };
  for (const { kind } of outcomes) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** What is wrong with each refused row, and in which field, by line. */
export function refusalsOf(outcomes: Outcome[]): Record<number, string> {
  const refused = outcomes.flatMap((outcome) => (outcome.kind === "refused" ? [outcome] : []));
  return Object.fromEntries(
    refused.map(({ row, reason, field }) => [row.line, field ? `${field} ${reason}` : reason]),
  );
}
