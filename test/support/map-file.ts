/** Reads files of the sample register as a load does, but without stores: bytes to rows, rows to outcomes. */
import { createReadStream } from "node:fs";
import {
  type RawRow,
  isBlank,
  isUnreadable,
  readRows,
  type Encoding,
} from "../../ingest/readers/read-rows.ts";
import type { Outcome, SourceDefinition } from "../../ingest/sources/define-source.ts";
import { SAMPLE } from "./sample-register.ts";

/** All rows of a file that can be decoded, with header and trailer, without blank lines. */
export async function readFixture(
  { reader }: Pick<SourceDefinition, "reader">,
  file: string,
  encoding: Encoding = "utf-8",
): Promise<RawRow[]> {
  const rows: RawRow[] = [];
  for await (const batch of readRows(createReadStream(`${SAMPLE}/${file}`), reader, encoding)) {
    rows.push(...batch.filter((row): row is RawRow => !isUnreadable(row) && !isBlank(row)));
  }
  return rows;
}

/** The outcomes of a file with a header; the context goes through JSON, as on its way to a worker. */
export async function mapFixture(
  source: SourceDefinition,
  file: string,
  encoding?: Encoding,
): Promise<Outcome[]> {
  const [header, ...rows] = await readFixture(source, file, encoding);
  const context = source.open(header ?? { line: 1, text: "" }, file);
  return source.mapRows(rows, JSON.parse(JSON.stringify(context)) as typeof context);
}

/** The data of the records among outcomes. */
export function recordsOf<Data>(outcomes: Outcome[]): Data[] {
  // The cast: the caller names the record type of the source.
  return outcomes.flatMap((outcome) => (outcome.kind === "record" ? [outcome.data as Data] : []));
}
