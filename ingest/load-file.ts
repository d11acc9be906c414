/** Owns the producer's side of a load: one file is recognised, cut into batches and enqueued, row by row. */
import { SourceError } from "../api/core/errors.ts";
import { BatchCutter, type Batch, type BatchLimits } from "./batches.ts";
import type { RawRow, SourceContext, SourceDefinition } from "./define-source.ts";
import type { LoadedFileRecord } from "./load-files.ts";
import type { BatchJob } from "./queue.ts";
import type { Input } from "./readers/open-input.ts";
import { isUnreadable, readRows, type Encoding, type ReadRow } from "./readers/read-rows.ts";
import { recogniseSource } from "./recognise.ts";
import { findSource, sources } from "./sources/index.ts";

/** What loading a file needs. */
export interface FileLoad {
  load: string;
  input: Input;
  /** Name of the source, when the person said it. */
  as: string | undefined;
  encoding: Encoding;
  limits: BatchLimits;
  /** A number higher than that of any batch before. */
  nextRevision: () => number;
  /** Told how the file is read, before its first batch is enqueued. */
  onOpen?: (file: LoadedFileRecord) => Promise<void>;
  /** Takes a batch; resolves when there is room for the next one. */
  enqueue: (job: BatchJob) => Promise<void>;
  /** Told after each chunk how many rows have been read. */
  onProgress: (rows: number) => void;
  isStopping: () => boolean;
}

/** Reads one file to its end. Throws SourceError when the file is unfit; what was enqueued before stays. */
export async function loadFile(load: FileLoad): Promise<LoadedFile> {
  const { label } = load.input;
  try {
    return await readFile(load);
  } catch (error) {
    if (!(error instanceof SourceError) || error.message.includes(label)) throw error;
    throw new SourceError(`${label}: ${error.message}`);
  }
}

/** What has been read of a file. */
export interface LoadedFile {
  source: string;
  /** Rows after the header, blank ones left out. */
  rows: number;
}

async function readFile(load: FileLoad): Promise<LoadedFile> {
  const reader = new FileReader(load);
  // The way of cutting lines depends on the format and the format on the first line, so both begin as
  // plain lines: a header never holds a line break.
  const stream = load.input.stream as AsyncIterable<Buffer>;
  const { firstLine, whole } = await readFirstLine(stream, load.encoding);
  const source = load.as ? findSource(load.as) : recogniseSource(sources, load.input.name, firstLine);
  for await (const rows of readRows(whole, source.reader, load.encoding)) {
    for (const row of rows) await reader.take(source, row);
    load.onProgress(reader.rows);
    if (load.isStopping()) throw new SourceError(`stopped after ${reader.rows} rows`);
  }
  await reader.finish(source);
  return { source: source.name, rows: reader.rows };
}

class FileReader {
  /** Rows after the header, blank ones left out. */
  rows = 0;
  private context: SourceContext | undefined;
  private cutter: BatchCutter | undefined;
  private last: RawRow | undefined;

  constructor(private readonly load: FileLoad) {}

  async take(source: SourceDefinition, row: ReadRow): Promise<void> {
    if (!this.cutter) {
      await this.open(source, row);
      if (source.hasHeader) return;
    }
    this.rows += 1;
    this.last = isUnreadable(row) ? undefined : row;
    const batch = this.cutter?.push(row);
    if (batch) await this.enqueue(source, batch);
  }

  async finish(source: SourceDefinition): Promise<void> {
    const { cutter, context = {} } = this;
    if (!cutter) throw new SourceError("it holds no row at all");
    const batch = cutter.take();
    if (batch) await this.enqueue(source, batch);
    source.close?.(this.last, this.rows, context);
  }

  private async open(source: SourceDefinition, first: ReadRow): Promise<void> {
    if (isUnreadable(first)) throw new SourceError(`line ${first.line}: ${first.reason}`);
    const { load, input, encoding, limits, onOpen } = this.load;
    this.context = source.open(first, input.name);
    this.cutter = new BatchCutter(source.groupKey, limits);
    await onOpen?.({ load, file: input.label, name: input.name, source: source.name, encoding, first });
  }

  private async enqueue(source: SourceDefinition, batch: Batch): Promise<void> {
    const { load, input, nextRevision, enqueue } = this.load;
    const context = this.context ?? {};
    await enqueue({
      load,
      file: input.label,
      source: source.name,
      context,
      revision: nextRevision(),
      ...batch,
    });
  }
}

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

async function* rejoin(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
