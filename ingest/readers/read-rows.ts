/** Owns the way from bytes to rows: where a row ends, its line number, strict decoding. One pass, flat memory. */
import { isUtf8 } from "node:buffer";
import type { RawRow, SourceDefinition } from "../define-source.ts";

/** A row whose bytes are no text in the expected encoding. */
export interface UnreadableRow {
  line: number;
  /** The bytes as they came, in base64. */
  bytes: string;
  reason: string;
}

export type ReadRow = RawRow | UnreadableRow;

/** Encodings a file can be told to have. */
export type Encoding = "utf-8" | "latin1";

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
// Limit: a quoted field that is still open after this many bytes was never closed (the widest row of any
// known edition is below 8 kB). Its first line is handed on alone, and reading goes on behind it.
const MAX_OPEN_BYTES = 65_536;

/** True for a row that could not be decoded. */
export function isUnreadable(row: ReadRow): row is UnreadableRow {
  return "bytes" in row;
}

/**
 * Cuts a stream into rows, many at a time. Blank lines are left out; CR before LF and a byte order mark are
 * no part of a row. With the reader `csv` a line break inside quotes belongs to its row.
 */
export async function* readRows(
  stream: AsyncIterable<Buffer>,
  reader: SourceDefinition["reader"],
  encoding: Encoding,
): AsyncGenerator<ReadRow[]> {
  const splitter = createSplitter(reader === "csv");
  const decode = (raw: RawBytes) => decodeRow(raw, encoding);
  for await (const chunk of stream) {
    const rows = splitter.push(chunk);
    if (rows.length > 0) yield rows.map(decode);
  }
  const rest = splitter.end();
  if (rest.length > 0) yield rest.map(decode);
}

interface RawBytes {
  line: number;
  bytes: Buffer;
}

interface Splitter {
  push: (chunk: Buffer) => RawBytes[];
  end: () => RawBytes[];
}

function createSplitter(keepsQuoted: boolean): Splitter {
  let pending: Buffer = Buffer.alloc(0);
  let line = 1;
  let isFirst = true;

  const take = (bytes: Buffer, rows: RawBytes[]) => {
    const body = isFirst && bytes.subarray(0, 3).equals(BOM) ? bytes.subarray(3) : bytes;
    isFirst = false;
    const end = body.at(-1) === CR ? body.length - 1 : body.length;
    if (!isBlank(body, end)) rows.push({ line, bytes: body.subarray(0, end) });
    line += 1 + countBreaks(bytes, keepsQuoted);
  };

  const cut = (data: Buffer, atEnd: boolean): RawBytes[] => {
    const rows: RawBytes[] = [];
    let start = 0;
    while (start < data.length) {
      const end = findRowEnd(data, start, keepsQuoted);
      const isOverlong = end === -1 && (atEnd || data.length - start > MAX_OPEN_BYTES);
      const cutAt = isOverlong ? data.indexOf(LF, start) : end;
      if (cutAt === -1) break;
      take(data.subarray(start, cutAt), rows);
      start = cutAt + 1;
    }
    pending = data.subarray(start);
    return rows;
  };

  return {
    push: (chunk) => cut(pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk, false),
    end: () => {
      const rows = cut(pending, true);
      if (pending.length > 0) take(pending, rows);
      return rows;
    },
  };
}

/** Position of the line feed that ends the row, or -1. */
function findRowEnd(data: Buffer, start: number, keepsQuoted: boolean): number {
  const first = data.indexOf(LF, start);
  if (!keepsQuoted || first === -1) return first;
  let isQuoted = false;
  for (let position = start; position < data.length; position += 1) {
    const byte = data[position];
    // A doubled quote toggles twice, so parity alone tells inside from outside.
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (byte === LF && !isQuoted) return position;
  }
  return -1;
}

function countBreaks(bytes: Buffer, keepsQuoted: boolean): number {
  let breaks = 0;
  if (!keepsQuoted) return breaks;
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) breaks += 1;
  return breaks;
}

function isBlank(bytes: Buffer, end: number): boolean {
  for (let position = 0; position < end; position += 1) {
    const byte = bytes[position];
    if (byte !== 0x20 && byte !== 0x09) return false;
  }
  return true;
}

function decodeRow({ line, bytes }: RawBytes, encoding: Encoding): ReadRow {
  if (encoding === "latin1") return { line, text: bytes.toString("latin1") };
  if (isUtf8(bytes)) return { line, text: bytes.toString("utf8") };
  const reason =
    "holds bytes that are not UTF-8; if the whole file is Latin-1, load it with --encoding latin1";
  return { line, bytes: bytes.toString("base64"), reason };
}
