/** The table that `match` writes: to standard output, or to a file that an interrupted run can continue. */
import { createReadStream } from "node:fs";
import { open, truncate, type FileHandle } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { CommandError } from "../../api/shared/runtime/errors.ts";

/** Where rows go. */
export interface Output {
  /** Rows that the file already has, without the header. */
  rows: number;
  /** Cells of the last of these rows. */
  last: string[] | undefined;
  write: (rows: string[][]) => Promise<void>;
  close: () => Promise<void>;
}

interface OutputOptions {
  /** The file; undefined for standard output. */
  path: string | undefined;
  columns: string[];
  separator: string;
  /** Whether to continue an existing file. */
  isResumed: boolean;
  /** Writes to standard output. */
  print: (bytes: Uint8Array) => void;
}

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;

/** Opens the output, and writes the header unless the file has it. Throws CommandError if the file cannot be used. */
export async function openOutput(options: OutputOptions): Promise<Output> {
  const { path, columns, separator, print } = options;
  const toText = (rows: string[][]) =>
    // Cells with a line feed or carriage return are quoted: most readers would take either alone for the end of the
    // row.
    stringify(rows, { delimiter: separator, record_delimiter: "windows", quoted_match: /[\r\n]/ });
  if (path === undefined) {
    const write = (rows: string[][]) => Promise.resolve(print(Buffer.from(toText(rows))));
    await write([columns]);
    return { rows: 0, last: undefined, write, close: () => Promise.resolve() };
  }
  const there = options.isResumed ? await readThere(path, toText([columns]), separator) : undefined;
  const handle = await openFile(path, there !== undefined);
  const write = (rows: string[][]) => handle.appendFile(toText(rows)).catch(cannotWrite(path));
  if (!there?.hasHeader) await write([columns]);
  return { rows: there?.rows ?? 0, last: there?.last, write, close: () => handle.close() };
}

function openFile(path: string, isThere: boolean): Promise<FileHandle> {
  return open(path, isThere ? "a" : "ax").catch(cannotWrite(path));
}

/** Makes a handler that turns an error of the file system into a CommandError. */
function cannotWrite(path: string) {
  return (error: NodeJS.ErrnoException): never => {
    throw new CommandError(
      error.code === "EEXIST"
        ? `${path} already exists: continue it with --resume, or choose another name`
        : `${path} cannot be written: ${error.message}`,
    );
  };
}

/** Reads how far an existing file has come, and removes an incomplete last row. Undefined if there is no such file. */
async function readThere(path: string, header: string, separator: string) {
  const found = await findRows(path);
  if (!found) return undefined;
  const { rows, end, lastStart, bytes } = found;
  const wanted = Buffer.from(header);
  const start = await readPart(path, 0, wanted.length);
  // Checked even if no row is complete: with other line ends, as another program writes them, none would be found.
  if (!start.equals(wanted.subarray(0, start.length)))
    throw new CommandError(
      `${path} has other columns or line ends than this run would write: choose another name`,
    );
  if (end < bytes) await truncate(path, end).catch(cannotWrite(path));
  const lastRow = await readPart(path, rows > 1 ? lastStart : end, end);
  const [last]: string[][] = parse(lastRow, { delimiter: separator });
  return { hasHeader: rows > 0, rows: Math.max(0, rows - 1), last };
}

/** The number of complete rows of a file, the offsets of the last one's beginning and end, and the file's size. */
async function findRows(path: string) {
  let [rows, end, lastStart, at] = [0, 0, 0, 0];
  let [isQuoted, isBehindCr] = [false, false];
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      for (const byte of chunk) {
        at += 1;
        if (byte === QUOTE) isQuoted = !isQuoted;
        if (byte === LF && isBehindCr && !isQuoted) {
          rows += 1;
          [lastStart, end] = [end, at];
        }
        isBehindCr = byte === CR;
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new CommandError(`${path} cannot be read: ${(error as Error).message}`);
  }
  return { rows, end, lastStart, bytes: at };
}

async function readPart(path: string, start: number, end: number): Promise<Buffer> {
  if (end <= start) return Buffer.alloc(0);
  return buffer(createReadStream(path, { start, end: end - 1 }));
}
