/**
 * Splits bytes into rows with line numbers, and rows into groups, in one pass and in constant memory. Decoding is
 * strict: a row with bytes that do not fit the encoding becomes an UnreadableRow.
 */
import { isUtf8 } from "node:buffer";
import { SourceError } from "../../api/shared/runtime/errors.ts";
import { fromWindows, toWindows } from "../../api/shared/values/windows-1252.ts";

/** How a text file is cut into rows: `csv` keeps line breaks inside quotes, `lines` does not. */
export type Reader = "csv" | "lines";

export interface RawRow {
  /** Line on which the row starts, from 1. */
  line: number;
  text: string;
}

export interface UnreadableRow {
  line: number;
  /** The original bytes, in base64. */
  bytes: string;
  reason: string;
}

/** A line of a file. A blank one has empty text. */
export type ReadRow = RawRow | UnreadableRow;

export const ENCODINGS = ["utf-8", "latin1"] as const;

export type Encoding = (typeof ENCODINGS)[number];

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
/** The characters that separate the fields of a CSV row in one file or another. */
export const SEPARATORS = [",", ";", "\t", "|"] as const;
const SEPARATOR_BYTES: readonly number[] = [...Buffer.from(SEPARATORS.join(""))];
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
// DOS programs write Ctrl-Z (U+001A) after the last line.
// oxlint-disable-next-line no-control-regex -- it is what is looked for
const BLANK = /^[ \t\x1a]+$/;
// Limit: a CSV row with more bytes or line feeds has an unclosed quote (the widest known row is below 8 kB,
// and the only known row with a line break has one). Its first line becomes a row, and reading continues after it.
const MAX_OPEN_BYTES = 65_536;
const MAX_OPEN_BREAKS = 10;
// Limit: a file with a longer line is not a bulk file; this bounds memory for a file without line feeds.
export const MAX_LINE_BYTES = 1_048_576;

const NOT_UTF8 = "contains bytes that are not UTF-8; if the whole file is Latin-1, use --encoding latin1";
// The stores cannot store NUL.
const HAS_NUL = "contains a NUL character; if all rows do, the file is UTF-16: convert it to UTF-8";

/** Programs write it for a character that they cannot convert. It is never stored, since the original is lost. */
export const LOST_CHARACTER = "\ufffd";
export const HAS_LOST_CHARACTER =
  "contains U+FFFD (\ufffd), which stands for a character that an earlier conversion has lost; put the character back";

export function isUnreadable(row: ReadRow): row is UnreadableRow {
  return "bytes" in row;
}

/** Decodes bytes. Latin-1 is read as Windows-1252, since files called Latin-1 often are Windows-1252. */
export function toText(bytes: Buffer, encoding: Encoding): string {
  return encoding === "latin1" ? fromWindows(bytes) : bytes.toString(encoding);
}

/** The bytes from which `toText` has made this text. */
export function toBytes(text: string, encoding: Encoding): Buffer {
  return encoding === "latin1" ? toWindows(text) : Buffer.from(text, encoding);
}

/** The text of a row. If the row could not be decoded, only its ASCII characters are certain. */
export function textOf(row: ReadRow): string {
  return isUnreadable(row) ? Buffer.from(row.bytes, "base64").toString("latin1") : row.text;
}

/** True for a line of only spaces, tabs and Ctrl-Z: it is no row. */
export function isBlank(row: ReadRow): boolean {
  return "text" in row && row.text === "";
}

/** Groups adjacent rows with equal keys; an undecodable row joins the group before it. */
export function cutGroups<Row extends ReadRow>(rows: readonly Row[], keyOf: (text: string) => string) {
  const groups: [Row, ...Row[]][] = [];
  let key: string | undefined;
  for (const row of rows) {
    const rowKey = isUnreadable(row) ? key : keyOf(row.text);
    const last = groups.at(-1);
    if (last && rowKey === key) last.push(row);
    else groups.push([row]);
    key = rowKey;
  }
  return groups;
}

/**
 * Splits a stream into rows, blank lines included; a final line feed starts no row. Drops CRs before LF, and byte order
 * marks before any row, since files may have been concatenated. `csv` keeps line breaks inside quoted fields, up to ten
 * a row, whichever the separator; `table` keeps any number, since a user's own table may have a cell of notes.
 * Throws SourceError for a line longer than 1 MB.
 */
export async function* readRows(stream: AsyncIterable<Buffer>, reader: Reader | "table", encoding: Encoding) {
  const splitter = new Splitter(reader, encoding);
  for await (const chunk of stream) {
    const rows = splitter.push(chunk);
    if (rows.length > 0) yield rows;
  }
  const rest = splitter.push(null);
  if (rest.length > 0) yield rest;
}

class Splitter {
  /** The chunks of an unfinished row, joined once, however many there are. */
  private waiting: Buffer[] = [];
  private line = 1;

  constructor(
    private readonly reader: Reader | "table",
    private readonly encoding: Encoding,
  ) {}

  /** The rows that end in this chunk; null: end of file. */
  push(chunk: Buffer | null): ReadRow[] {
    if (chunk) this.waiting.push(chunk);
    if (chunk && !chunk.includes(LF)) {
      this.guardLength(this.waiting.reduce((sum, { length }) => sum + length, 0));
      return [];
    }
    const data = Buffer.concat(this.waiting);
    const rows: ReadRow[] = [];
    let start = 0;
    while (start < data.length) {
      const end = this.findEnd(data, start, chunk === null);
      if (end === -1) break;
      rows.push(this.take(data.subarray(start, end)));
      start = end + 1;
    }
    this.waiting = start < data.length ? [data.subarray(start)] : [];
    return rows;
  }

  /** Where the row ends, or -1 if more bytes are needed. */
  private findEnd(data: Buffer, start: number, isAtEnd: boolean): number {
    const firstBreak = data.indexOf(LF, start);
    this.guardLength((firstBreak === -1 ? data.length : firstBreak) - start);
    if (firstBreak === -1) return isAtEnd ? data.length : -1;
    // True of nearly every row: paired quotes leave no field open at the end of the line.
    if (this.reader === "lines" || hasPairedQuotes(data, start, firstBreak)) return firstBreak;
    return this.findRowEnd(data, start, firstBreak, isAtEnd);
  }

  /**
   * Position of the line feed that ends a CSV row, or -1 if more bytes are needed. A quote opens a field only
   * at its start and closes it only at its end (RFC 4180); a row with any other quote ends with its first line.
   * Limit: an unclosed quote swallows up to nine good rows, unless one of them starts a field with a quote and text,
   * as every row does in a file whose fields are all quoted.
   */
  private findRowEnd(data: Buffer, start: number, firstBreak: number, atEnd: boolean): number {
    const bound = Math.min(data.length, start + MAX_OPEN_BYTES);
    const mostBreaks = this.reader === "table" ? Infinity : MAX_OPEN_BREAKS;
    let breaks = 0;
    let isQuoted = false;
    let isAtFieldStart = true;
    // A byte order mark is not part of the first field.
    for (let position = start + lengthOfBom(data.subarray(start)); position < bound; position += 1) {
      const byte = data[position];
      if (isQuoted) {
        if (byte === LF && (breaks += 1) > mostBreaks) return firstBreak;
        if (byte !== QUOTE) continue;
        const next = data[position + 1];
        if (next === QUOTE) position += 1;
        else if (next === undefined || next === LF || next === CR || SEPARATOR_BYTES.includes(next))
          isQuoted = false;
        else return firstBreak;
      } else if (byte === LF) {
        return position;
      } else {
        isQuoted = byte === QUOTE && isAtFieldStart;
        isAtFieldStart = byte !== undefined && SEPARATOR_BYTES.includes(byte);
      }
    }
    if (bound < data.length) return firstBreak;
    if (!atEnd) return -1;
    return isQuoted ? firstBreak : data.length;
  }

  private take(bytes: Buffer): ReadRow {
    const { line, encoding } = this;
    this.line += 1;
    if (this.reader !== "lines")
      for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) this.line += 1;
    const start = lengthOfBom(bytes);
    let end = bytes.length;
    // Several CRs, where a program has converted the line feed of a CRLF to CRLF once more.
    while (end > start && bytes[end - 1] === CR) end -= 1;
    const row = bytes.subarray(start, end);
    const isText = encoding === "latin1" || isUtf8(row);
    const reason = row.includes(0) ? HAS_NUL : isText ? undefined : NOT_UTF8;
    if (reason !== undefined) return { line, bytes: row.toString("base64"), reason };
    const text = toText(row, encoding);
    return { line, text: text.charCodeAt(0) <= SPACE && BLANK.test(text) ? "" : text };
  }

  private guardLength(length: number): void {
    if (length <= MAX_LINE_BYTES) return;
    throw new SourceError(
      `line ${this.line} is longer than ${MAX_LINE_BYTES} bytes: this is not a bulk file, or it lost its line ends; download it again`,
    );
  }
}

function lengthOfBom(bytes: Buffer): number {
  return bytes[0] === BOM[0] && bytes.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
}

function hasPairedQuotes(data: Buffer, start: number, end: number): boolean {
  let quotes = 0;
  for (let position = start; position < end; position += 1) if (data[position] === QUOTE) quotes += 1;
  return quotes % 2 === 0;
}
