/** Reads one file of a load: recognises its format, reads its first row, then its rows to the end. */
import { crc32 } from "node:zlib";
import { CommandError, SourceError, UnknownFormatError } from "../../api/shared/runtime/errors.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { LoadPlan, LoadRecord, SurveyedFile } from "../history/loads.ts";
import type { Step, StepHandle } from "../pace.ts";
import { STOPPED } from "../queue/producer.ts";
import type { BatchJob } from "../queue/queue.ts";
import { openUnlinked, type Input } from "../readers/open-input.ts";
import { isBlank, isUnreadable, readRows, textOf, type ReadRow } from "../readers/read-rows.ts";
import type { RefusedFile } from "../refused-rows/refused-rows.ts";
import {
  type SetFile,
  type SourceContext,
  type SourceDefinition,
  FORMATS_PAGE,
} from "../sources/define-source.ts";
import { findSource, sources } from "../sources/index.ts";
import type { Config } from "../../api/shared/settings/config.ts";

export interface LoadRun {
  context: { config: Config; tell: (note: string) => void; isStopping: () => boolean };
  stores: Stores;
  record: LoadRecord;
  /** Opens a file; each file is opened twice. */
  open: (path: string) => Promise<Input>;
  /** Turns off the checks of editions, daily updates and refused rows. */
  isForced: boolean;
  isDryRun: boolean;
  /** Shows a step of the load until its `end`. */
  watch: (step: Step) => StepHandle;
}

type Phase = "survey" | "load";

/** The file of an earlier load whose refused rows were mended. Mended rows are read in the same way as that file. */
export interface MendedFile extends Pick<RefusedFile, "lines" | "refused"> {
  facts: SurveyedFile;
  job: Pick<BatchJob, "file" | "place" | "lackedBy">;
}

export interface OpenFile extends Pick<SetFile, "file" | "context"> {
  /** A path, or `-` for standard input. */
  path: string;
  /** Base name without `.zip` or `.gz`; for a zip its member's name; for mended rows the original file's. */
  name: string;
  source: SourceDefinition;
  header?: string;
  mended?: MendedFile | undefined;
  /** Rows after the header, in chunks, including blank lines. */
  rows: AsyncGenerator<ReadRow[]>;
  /** Rows read so far, without blank lines. */
  count: number;
  /** The CRC-32 of the header and of these rows. */
  checksum: number;
}

/** A file that was read to its end. */
export interface FileSurvey extends SetFile, Omit<OpenFile, "rows" | "count" | "checksum"> {
  /** Collections that its rows fill. */
  fills: readonly string[];
  /** Why the file looks wrong although it is loaded. */
  doubt?: string;
  facts: SurveyedFile;
}

/**
 * Opens a file, calls `read` and always closes the file. SourceErrors name the file, and have its path unless the user
 * has asked to stop.
 */
export async function readFile<T>(
  run: LoadRun,
  { path, phase, mendedOf }: { path: string; phase: Phase; mendedOf: (input: Input) => OpenFile["mended"] },
  read: (file: OpenFile) => Promise<T>,
): Promise<T> {
  const { isStopping } = run.context;
  const input = await run.open(path);
  const { label } = input;
  const watching = run.watch(stepOf(run, input, phase));
  try {
    const onFormat = (format: string) => noteFormat(run.record, format);
    const { rows, ...opened } = await openFile(input, run.record.plan, mendedOf(input), onFormat);
    const file = { ...opened, path, file: label, count: 0, checksum: crc32(opened.header ?? "") };
    async function* follow() {
      for await (const chunk of rows) {
        yield chunk;
        const read = chunk.filter((row) => !isBlank(row));
        file.count += read.length;
        // Each row gets a line feed, since how rows are divided into chunks varies with the speed of unpacking.
        file.checksum = crc32(read.map((row) => `${textOf(row)}\n`).join(""), file.checksum);
        watching.onProgress(file.count);
        if (!isStopping()) continue;
        if (phase === "survey") throw new SourceError("stopped before anything was loaded");
        throw run.isDryRun ? new SourceError(`stopped after ${file.count} rows`) : new CommandError(STOPPED);
      }
    }
    return await read(Object.assign(file, { rows: follow() }));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const { message } = error;
    const file = isStopping() ? undefined : path;
    const Unfit = error instanceof UnknownFormatError ? UnknownFormatError : SourceError;
    throw new Unfit(message.includes(label) ? message : `${label}: ${message}`, file);
  } finally {
    watching.end();
    input.stream.destroy();
  }
}

function noteFormat(record: LoadRecord, format: string): void {
  if (!record.surveyed) record.formats = [...new Set(record.formats).add(format)];
}

/** The step of reading a file. A load counts written rows; a check or a dry run measures the bytes that were read. */
function stepOf({ record, isDryRun }: LoadRun, input: Input, phase: Phase): Step {
  const { label, totalBytes, readBytes } = input;
  if (phase === "load" && !isDryRun) {
    const total = record.surveyed?.reduce((sum, { rows }) => sum + rows, 0);
    return { doing: `loading ${label}`, unit: "rows", total, doneOf: () => record.counts.read };
  }
  const doing = phase === "survey" ? "checking" : "comparing";
  const shareOf = () => (totalBytes ? readBytes() / totalBytes : undefined);
  return { doing: `${doing} ${label}`, unit: "rows", shareOf };
}

// Limit: how many blank lines may precede the first row; they are held in memory.
const MAX_BLANK_LINES = 1_000_000;
// Limit: bytes of the first line that are read to recognise the format; no bulk format has longer ones.
const MAX_FIRST_LINE = 65_536;

/** Recognises a file of a watched folder by its name and its beginning. Throws SourceError. */
export async function peekFile(path: string): Promise<Pick<OpenFile, "source" | "context">> {
  const input = await openUnlinked(path);
  return openFile(input, { encoding: "utf-8" }, undefined).finally(() => input.stream.destroy());
}

async function openFile(
  input: Input,
  { as, encoding, asOf }: Pick<LoadPlan, "as" | "encoding" | "asOf">,
  mended: OpenFile["mended"],
  onFormat?: (format: string) => void,
) {
  // The first line determines the format, and the format how lines are split. No header holds a line break.
  // The byte order mark counts as white space, too.
  const beginningOf = (bytes: Buffer[]) => Buffer.concat(bytes).toString(encoding).trimStart();
  const beginning = await peek(
    input.stream as AsyncIterable<Buffer>,
    (bytes) => Buffer.concat(bytes).length > MAX_FIRST_LINE || beginningOf(bytes).includes("\n"),
  );
  const [firstLine = ""] = beginningOf(beginning.head).split("\n", 1);
  requireLineFeeds(firstLine);
  const { name } = mended?.facts ?? input;
  const known = mended?.facts.source ?? as;
  // Trimmed, since with CRLF the first line ends with a CR, for instance after a closing quote.
  const source = known ? findSource(known) : recogniseSource(sources, name, firstLine.trimEnd());
  onFormat?.(source.name);
  const { head, whole } = await peek(readRows(beginning.whole, source.reader, encoding), hasRow);
  // If there are only blank lines, the first of them is checked.
  const first = head.flat().find((row) => !isBlank(row)) ?? head[0]?.[0];
  if (!first) throw new SourceError("it has no rows; download it again");
  const found = mended?.facts.context ?? openWith(source, first, name);
  const context = asOf === undefined ? found : { ...found, asOf };
  if (source.hasHeader)
    for (const chunk of head) if (chunk.includes(first)) chunk.splice(chunk.indexOf(first), 1);
  const header = source.hasHeader && !isUnreadable(first) ? { header: first.text } : {};
  const rows = mended ? atLines(whole, mended.lines) : whole;
  return { source, context, ...header, name, mended, rows };
}

/** Reads the context from the first row. A row with bytes that are not text may be a bad row, but not a header. */
function openWith(source: SourceDefinition, first: ReadRow, name: string): SourceContext {
  if (!isUnreadable(first)) return source.open(first, name);
  const unfit = new SourceError(`line ${first.line}: ${first.reason}`);
  if (source.hasHeader) throw unfit;
  try {
    return source.open({ line: first.line, text: textOf(first) }, name);
  } catch {
    throw unfit;
  }
}

/** True if the last chunk has a row that is not blank. Throws SourceError after too many blank lines. */
function hasRow(chunks: readonly ReadRow[][]): boolean {
  if (chunks.at(-1)?.some((row) => !isBlank(row))) return true;
  const count = chunks.reduce((sum, { length }) => sum + length, 0);
  if (count <= MAX_BLANK_LINES) return false;
  throw new SourceError(`it begins with ${count} blank lines: this is no bulk file; download it again`);
}

/** Reads items until there are enough; `whole` yields these and all that follow. */
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

/** Gives mended rows their line numbers in the original file. The last row may be followed by a trailer. */
async function* atLines(chunks: AsyncGenerator<ReadRow[]>, lines: readonly number[]) {
  let count = 0;
  const end = (lines.at(-1) ?? 0) + 1;
  for await (const chunk of chunks)
    yield chunk.map((row) => (isBlank(row) ? row : { ...row, line: lines[count++] ?? end }));
}

/* oxlint-disable no-control-regex -- first bytes of files that are not text */
const DISGUISES: [beginning: RegExp, is: string][] = [
  [/^PK[\u0003\u0005]/, "a zip inside the file; unpack it and load its content"],
  [/^\u001f/, "a gzip inside the file; unpack it and load its content"],
  [/^(BZh|\ufffd7zXZ|7z\ufffd|Rar!|\(\ufffd\/)/, "a compressed file; unpack it (zip and gzip load as is)"],
  [/^(\ufffd\ufffd|\u00ff\u00fe|\u00fe\u00ff)?\u0000?[^\u0000]\u0000/, "UTF-16; convert it to UTF-8"],
  [/^<\?xml/i, "XML, which is not read; load the company CSV, or the API's answers as JSON lines"],
];
/* oxlint-enable no-control-regex */

/** Finds the source of a file by its first line, or else by its name. Throws SourceError that says what was found. */
export function recogniseSource(sources: readonly SourceDefinition[], fileName: string, firstLine: string) {
  const byLine = sources.filter((source) => source.recognises(firstLine));
  const [, disguise] =
    DISGUISES.find(([beginning]) => byLine.length === 0 && beginning.test(firstLine)) ?? [];
  if (disguise) throw new SourceError(`expected the text of a bulk file, found ${disguise}`);
  const isNamed = (source: SourceDefinition) => source.fileNames.test(fileName);
  // If the name is known but the first line is wrong, the source of that name gives the best error.
  const found = byLine.find(isNamed) ?? byLine[0] ?? sources.find(isNamed);
  if (found) return found;
  if (firstLine.trim() === "") throw new SourceError("it has no rows; download it again");
  throw new UnknownFormatError(
    `unknown format: it begins with "${firstLine.slice(0, 60)}"; see ${FORMATS_PAGE}, and if it has one of these ` +
      "formats, run load FILE --as FORMAT",
  );
}

// JSON may have a carriage return between two members; between two objects it ends a line.
const LOST_LINE_FEEDS = /^\s*[^\s{][^\r]*\r[^\r]|^\s*\{.*\}[^\S\r]*\r\s*\{/s;

/** Throws SourceError if the first line is several lines separated by carriage returns. Skips `DISGUISES`. */
export function requireLineFeeds(firstLine: string): void {
  if (!LOST_LINE_FEEDS.test(firstLine) || DISGUISES.some(([beginning]) => beginning.test(firstLine))) return;
  throw new SourceError(
    "expected lines that end with a line feed, found carriage returns alone (CR): convert them to line feeds, " +
      "for instance with tr '\\r' '\\n'",
  );
}
