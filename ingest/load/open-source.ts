/** Owns the opening of a bulk file: which format it is, what its first row says, and its rows. */
import { SourceError } from "../../api/core/errors.ts";
import type { RawRow, SourceContext, SourceDefinition } from "../sources/define-source.ts";
import type { BatchJob } from "../queue/queue.ts";
import type { Input } from "../readers/open-input.ts";
import { isBlank, isUnreadable, readRows, type Encoding, type ReadRow } from "../readers/read-rows.ts";
import { recogniseSource, requireLineFeeds } from "../readers/recognise.ts";
import { findSource, sources } from "../sources/index.ts";

/** How a person wants files to be read. */
export interface Reading {
  /** Name of the source, when the person said it. */
  as: string | undefined;
  encoding: Encoding;
  /** True: a file is taken although its end is missing, its trailer or totals do not add up, or its encoding is doubtful. */
  isUnchecked?: boolean | undefined;
  /** Of a file of mended rows: the one that they are of. */
  mended?: MendedFile | undefined;
}

/** A file of an earlier load, of which refused rows were mended: they are read as that file was. */
export interface MendedFile {
  source: SourceDefinition;
  /** Its base name, which may tell its day. */
  name: string;
  /** Its context, where the format has no header. */
  context?: SourceContext | undefined;
  /** Lines on which the rows stand in it that its export holds, in their order. */
  lines: readonly number[];
  /** What each batch is told. */
  job: Pick<BatchJob, "file" | "place" | "lackedBy">;
}

/** A bulk file whose format is known. */
export interface OpenSource {
  source: SourceDefinition;
  context: SourceContext;
  /** Where the format has one. */
  header?: string;
  /** Base name without `.zip` or `.gz`; for a zip the name of its one member; of mended rows that of their file. */
  name: string;
  /** Rows after the header, in chunks, and all blank lines. */
  rows: AsyncGenerator<ReadRow[]>;
}

/** Reads the beginning of a file. Throws SourceError when it is of no known format, or not what it should be. */
export async function openSource(input: Input, { as, encoding, mended }: Reading): Promise<OpenSource> {
  // The first line says the format, and the format how lines are cut: a header never holds a line break.
  const { firstLine, whole } = await readFirstLine(input.stream as AsyncIterable<Buffer>, encoding);
  requireLineFeeds(firstLine);
  const { name } = mended ?? input;
  const source = mended?.source ?? (as ? findSource(as) : recogniseSource(sources, name, firstLine));
  const chunks = readRows(whole, source.reader, encoding);
  const head = await readHead(chunks);
  // Of a file of blank lines alone the first of these.
  const first = head.find((row) => !isBlank(row)) ?? head[0];
  if (!first) throw new SourceError("it holds no row at all; get it again");
  if (isUnreadable(first) && !mended?.context) throw new SourceError(`line ${first.line}: ${first.reason}`);
  const context = mended?.context ?? source.open(first as RawRow, name); // it has been decoded
  const rows = rejoin(source.hasHeader ? head.filter((row) => row !== first) : head, chunks);
  const header = source.hasHeader && !isUnreadable(first) ? { header: first.text } : {};
  return { source, context, ...header, name, rows: mended ? atLines(rows, mended.lines) : rows };
}

/** Rows as they stand in the file in which they were refused; blank lines are none, and behind the last comes a trailer. */
async function* atLines(
  chunks: AsyncGenerator<ReadRow[]>,
  lines: readonly number[],
): AsyncGenerator<ReadRow[]> {
  let count = 0;
  const end = (lines.at(-1) ?? 0) + 1;
  for await (const chunk of chunks)
    yield chunk.map((row) => (isBlank(row) ? row : { ...row, line: lines[count++] ?? end }));
}

/** Errors that say what is wrong with a file, with its name; others as they are. */
export async function namingFile<T>(label: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (!(error instanceof SourceError) || error.message.includes(label)) throw error;
    throw new SourceError(`${label}: ${error.message}`);
  }
}

/** Rows up to the chunk that holds the first one that is not blank. */
async function readHead(chunks: AsyncGenerator<ReadRow[]>): Promise<ReadRow[]> {
  const head: ReadRow[] = [];
  while (head.length <= MAX_BLANK_LINES) {
    const next = await chunks.next();
    if (next.done) return head;
    for (const row of next.value) head.push(row);
    if (next.value.some((row) => !isBlank(row))) return head;
  }
  throw new SourceError(`it begins with ${head.length} blank lines: this is no bulk file; get it again`);
}

async function* rejoin<T>(head: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

// Limit: more blank lines than this before the first row; they are held in memory.
const MAX_BLANK_LINES = 1_000_000;
// Limit: a first line longer than this is no header or row of any bulk format; what was read of it is judged.
const MAX_FIRST_LINE = 65_536;

/** The first line that is not blank, and the stream again from its beginning. */
async function readFirstLine(
  stream: AsyncIterable<Buffer>,
  encoding: Encoding,
): Promise<{ firstLine: string; whole: AsyncIterable<Buffer> }> {
  const iterator = stream[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  let text = "";
  while (!text.includes("\n") && head.length <= MAX_FIRST_LINE) {
    const next = await iterator.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
    text = head.toString(encoding).replace(/^\uFEFF?\s*/, "");
  }
  const [firstLine = ""] = text.split("\n", 1);
  return { firstLine: firstLine.replace(/\r$/, ""), whole: rejoin(head, iterator) };
}
