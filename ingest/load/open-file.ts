/** Owns the reading of one file of a load from its beginning to its end: its format, what its first row says, and its rows. */
import type { CommandContext } from "../../api/core/define-command.ts";
import { SourceError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { LoadPlan, LoadRecord, SurveyedFile } from "../history/loads.ts";
import type { BatchJob } from "../queue/queue.ts";
import type { Input } from "../readers/open-input.ts";
import { isBlank, isUnreadable, readRows, type ReadRow } from "../readers/read-rows.ts";
import { recogniseSource, requireLineFeeds } from "../readers/recognise.ts";
import type { RawRow, SourceContext, SourceDefinition } from "../sources/define-source.ts";
import { findSource, sources } from "../sources/index.ts";

/** What a load, or a dry run of one, needs. */
export interface LoadRun {
  context: Pick<CommandContext, "config" | "tell" | "isStopping">;
  stores: Stores;
  /** As it is stored; its state and counts follow the run. */
  record: LoadRecord;
  /** Opens a file, as often as it is called: each is read twice. */
  open: (path: string) => Promise<Input>;
  /** True: the guards of editions, of daily updates and of refused rows are lifted. */
  isForced: boolean;
  /** True: nothing is written. */
  isDryRun: boolean;
  /** Follows a reading of a file: `onProgress` is told how many rows were read, `end` that it is over. */
  watch: (input: Input, phase: Phase) => { onProgress: (rows: number) => void; end: () => void };
}

type Phase = "survey" | "load";

/** A file of an earlier load, of which refused rows were mended: they are read as that file was. */
export interface MendedFile {
  facts: SurveyedFile;
  /** The lines of the rows that its export holds, in their order. */
  lines: readonly number[];
  /** What each batch is told. */
  job: Pick<BatchJob, "file" | "place" | "lackedBy">;
}

/** A file that is being read. */
export interface OpenFile {
  /** What opens it again: a path, or `-`. */
  path: string;
  /** The path as it was given, for people. */
  file: string;
  /** Base name without `.zip` or `.gz`; for a zip the name of its one member; of mended rows that of their file. */
  name: string;
  source: SourceDefinition;
  context: SourceContext;
  header?: string;
  /** The file whose refused rows it holds, mended. */
  mended?: MendedFile | undefined;
  /** Rows after the header, in chunks, and all blank lines. */
  rows: AsyncGenerator<ReadRow[]>;
  /** How many of them have been read, blank ones left out. */
  count: number;
}

/**
 * Opens a file, calls `read` with it, and closes it whatever happens. `mendedOf` finds the file of which it holds mended rows.
 * Errors name the file: SourceError when it is of no known format, or not what it should be.
 */
export async function readFile<T>(
  { open, watch, context: { isStopping }, record: { plan } }: LoadRun,
  { path, phase, mendedOf }: { path: string; phase: Phase; mendedOf: (input: Input) => OpenFile["mended"] },
  read: (file: OpenFile) => Promise<T>,
): Promise<T> {
  const input = await open(path);
  const { label } = input;
  const watching = watch(input, phase);
  try {
    const { rows, ...opened } = await openFile(input, plan, mendedOf(input));
    const file = { ...opened, path, file: label, count: 0 };
    async function* follow() {
      for await (const chunk of rows) {
        yield chunk;
        for (const row of chunk) if (!isBlank(row)) file.count += 1;
        watching.onProgress(file.count);
        const where = phase === "survey" ? "before anything was loaded" : `after ${file.count} rows`;
        if (isStopping()) throw new SourceError(`stopped ${where}`);
      }
    }
    return await read(Object.assign(file, { rows: follow() }));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const { message } = error;
    throw new SourceError(message.includes(label) ? message : `${label}: ${message}`, path);
  } finally {
    watching.end();
    input.stream.destroy();
  }
}

// Limit: more blank lines than this before the first row; they are held in memory.
const MAX_BLANK_LINES = 1_000_000;
// Limit: a first line longer than this is no header or row of any bulk format; what was read of it is judged.
const MAX_FIRST_LINE = 65_536;

async function openFile(input: Input, { as, encoding }: LoadPlan, mended: OpenFile["mended"]) {
  // The first line says the format, and the format how lines are cut: a header never holds a line break.
  const textOf = (bytes: Buffer[]) =>
    Buffer.concat(bytes)
      .toString(encoding)
      .replace(/^\uFEFF?\s*/, "");
  const beginning = await peek(
    input.stream as AsyncIterable<Buffer>,
    (bytes) => Buffer.concat(bytes).length > MAX_FIRST_LINE || textOf(bytes).includes("\n"),
  );
  const [firstLine = ""] = textOf(beginning.head).split("\n", 1);
  requireLineFeeds(firstLine.replace(/\r$/, ""));
  const { name } = mended?.facts ?? input;
  const told = mended?.facts.source ?? as;
  const source = told ? findSource(told) : recogniseSource(sources, name, firstLine);
  const { head, whole } = await peek(readRows(beginning.whole, source.reader, encoding), hasRow);
  // Of a file of blank lines alone the first of these.
  const first = head.flat().find((row) => !isBlank(row)) ?? head[0]?.[0];
  if (!first) throw new SourceError("it holds no row at all; get it again");
  const known = mended?.facts.context;
  if (isUnreadable(first) && !known) throw new SourceError(`line ${first.line}: ${first.reason}`);
  const context = known ?? source.open(first as RawRow, name); // it has been decoded
  if (source.hasHeader)
    for (const chunk of head) if (chunk.includes(first)) chunk.splice(chunk.indexOf(first), 1);
  const header = source.hasHeader && !isUnreadable(first) ? { header: first.text } : {};
  const rows = mended ? atLines(whole, mended.lines) : whole;
  return { source, context, ...header, name, ...(mended && { mended }), rows };
}

/** True where a row that is not blank is among these. Throws SourceError after very many blank ones. */
function hasRow(chunks: readonly ReadRow[][]): boolean {
  if (chunks.at(-1)?.some((row) => !isBlank(row))) return true;
  const count = chunks.reduce((sum, { length }) => sum + length, 0);
  if (count <= MAX_BLANK_LINES) return false;
  throw new SourceError(`it begins with ${count} blank lines: this is no bulk file; get it again`);
}

/** What stands at the beginning, up to the item with which it is enough, and all of it with what follows. */
async function peek<T>(items: AsyncIterable<T>, isEnough: (head: T[]) => boolean) {
  const rest = items[Symbol.asyncIterator]();
  const head: T[] = [];
  while (!isEnough(head)) {
    const next = await rest.next();
    if (next.done) break;
    head.push(next.value);
  }
  async function* join() {
    yield* head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  }
  return { head, whole: join() };
}

/** Rows as they stand in the file in which they were refused; blank lines are none, and behind the last comes a trailer. */
async function* atLines(chunks: AsyncGenerator<ReadRow[]>, lines: readonly number[]) {
  let count = 0;
  const end = (lines.at(-1) ?? 0) + 1;
  for await (const chunk of chunks)
    yield chunk.map((row) => (isBlank(row) ? row : { ...row, line: lines[count++] ?? end }));
}
