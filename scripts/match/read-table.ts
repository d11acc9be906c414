/** Reads a user's own table row by row, with any of the usual separators; bad rows come with a reason. */
import type { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse/sync";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import { formatNumber } from "../../api/shared/runtime/format.ts";
import { requireLineFeeds } from "../../ingest/load/open-file.ts";
import {
  isBlank,
  isUnreadable,
  readRows,
  SEPARATORS,
  textOf,
  type Encoding,
  type ReadRow,
} from "../../ingest/readers/read-rows.ts";

/** A row of a table: as many cells as the header has. */
export interface TableRow {
  /** Number of the line in the file, from 1. */
  line: number;
  cells: string[];
  /** Why the row cannot be used; `cells` then has as much of it as could be read. */
  fault?: string;
}

/** A table whose header has been read. */
export interface Table {
  columns: string[];
  /** Between cells: of the usual separators, the most frequent one in the header outside quotes. */
  separator: string;
  /** The rows in order, without blank lines. */
  rows: AsyncGenerator<TableRow[]>;
}

/**
 * Reads the header of a table. Throws CommandError if it is missing or two columns have one name, and SourceError if
 * lines end with carriage returns alone.
 */
export async function readTable(stream: Readable, label: string, encoding: Encoding): Promise<Table> {
  const chunks = dropBlank(readRows(stream, "table", encoding));
  const [header, ...rest] = (await chunks.next()).value ?? [];
  if (!header) throw new CommandError(`${label} has no header: its first line must name the columns`);
  if (isUnreadable(header))
    throw new CommandError(`${label}, line ${header.line}: the header ${header.reason}`);
  const names = header.text.replace(/"[^"]*"/g, '""');
  requireLineFeeds(names);
  const separator = separatorOf(names);
  const columns = (cut(header.text, separator) ?? [header.text]).map((name) => name.trim());
  const twice = columns.find((name, at) => name !== "" && columns.indexOf(name) !== at);
  if (twice !== undefined) throw new CommandError(`${label} has two columns "${twice}": rename one of them`);
  const toRow = (row: ReadRow) => toTableRow(row, columns.length, separator);
  return { columns, separator, rows: readOn(rest, chunks, toRow) };
}

async function* dropBlank(chunks: AsyncIterable<ReadRow[]>): AsyncGenerator<ReadRow[], undefined> {
  for await (const rows of chunks) {
    const filled = rows.filter((row) => !isBlank(row));
    if (filled.length > 0) yield filled;
  }
  return undefined;
}

async function* readOn(
  first: ReadRow[],
  chunks: AsyncIterable<ReadRow[]>,
  toRow: (row: ReadRow) => TableRow,
): AsyncGenerator<TableRow[]> {
  if (first.length > 0) yield first.map(toRow);
  for await (const rows of chunks) yield rows.map(toRow);
}

function separatorOf(names: string): string {
  const count = (separator: string) => names.split(separator).length;
  return SEPARATORS.reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}

function toTableRow(row: ReadRow, width: number, separator: string): TableRow {
  const { line } = row;
  const fill = (cells: string[]) => Array.from({ length: width }, (_, at) => cells[at] ?? "");
  if (isUnreadable(row)) return { line, cells: fill([textOf(row)]), fault: `line ${line} ${row.reason}` };
  const cells = cut(row.text, separator);
  if (!cells) return { line, cells: fill([row.text]), fault: `line ${line} has a quote that is not closed` };
  if (cells.length === width) return { line, cells };
  const surplus = cells.slice(width).filter(Boolean);
  const left = surplus.length > 0 ? `; left out: ${surplus.join(", ")}` : "";
  return {
    line,
    cells: fill(cells),
    fault: `line ${line} has ${formatNumber(cells.length, "cell")}, the header ${width}${left}`,
  };
}

/** The cells of a row; null if its quotes are wrong. */
function cut(text: string, separator: string): string[] | null {
  if (!text.includes('"')) return text.split(separator);
  try {
    const rows: string[][] = parse(text, { delimiter: separator });
    return rows[0] ?? null;
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}
