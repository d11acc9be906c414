/** Owns the opening of a bulk file: which format it is, what its first row says, and its rows. */
import { SourceError } from "../../api/core/errors.ts";
import type { RawRow, SourceContext, SourceDefinition } from "../define-source.ts";
import type { Input } from "../readers/open-input.ts";
import { isBlank, isUnreadable, readRows, type Encoding, type ReadRow } from "../readers/read-rows.ts";
import { recogniseSource, requireLineFeeds } from "../recognise.ts";
import { findSource, sources } from "../sources/index.ts";

/** How a person wants files to be read. */
export interface Reading {
  /** Name of the source, when the person said it. */
  as: string | undefined;
  encoding: Encoding;
  /** True: a file is taken although its end is missing, its trailer or totals do not add up, or its encoding is doubtful. */
  isUnchecked?: boolean | undefined;
}

/** A bulk file whose format is known. */
export interface OpenSource {
  source: SourceDefinition;
  context: SourceContext;
  /** The first row: the header, where the format has one. Of a file of blank lines alone the first of these. */
  first: RawRow;
  /** Rows after the header, in chunks, and all blank lines. */
  rows: AsyncGenerator<ReadRow[]>;
}

/** Reads the beginning of a file. Throws SourceError when it is of no known format, or not what it should be. */
export async function openSource(input: Input, { as, encoding }: Reading): Promise<OpenSource> {
  // The way of cutting lines depends on the format and the format on the first line, so both begin as
  // plain lines: a header never holds a line break.
  const stream = input.stream as AsyncIterable<Buffer>;
  const { firstLine, whole } = await readFirstLine(stream, encoding);
  requireLineFeeds(firstLine);
  const source = as ? findSource(as) : recogniseSource(sources, input.name, firstLine);
  const chunks = readRows(whole, source.reader, encoding);
  const head = await readHead(chunks);
  const first = head.find((row) => !isBlank(row)) ?? head[0];
  if (!first) throw new SourceError("it holds no row at all; get it again");
  if (isUnreadable(first)) throw new SourceError(`line ${first.line}: ${first.reason}`);
  const context = source.open(first, input.name);
  return {
    source,
    context,
    first,
    rows: rejoin(source.hasHeader ? head.filter((row) => row !== first) : head, chunks),
  };
}

/** What went wrong with a file, told with its name; errors of other kinds are left as they are. */
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
  let isEnded = false;
  let firstLine: string | undefined;
  while (firstLine === undefined && !isEnded) {
    const next = await iterator.next();
    isEnded = next.done === true;
    if (!isEnded) head = Buffer.concat([head, next.value as Buffer]);
    const text = head.toString(encoding === "latin1" ? "latin1" : "utf8").replace(/^\uFEFF?\s*/, "");
    const end = text.indexOf("\n");
    if (end !== -1) firstLine = text.slice(0, end).replace(/\r$/, "");
    else if (isEnded || head.length > MAX_FIRST_LINE) firstLine = text;
  }
  return { firstLine: firstLine ?? "", whole: rejoin(head, iterator) };
}
