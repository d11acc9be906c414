/** Owns the files of refused rows: as they came, byte for byte, in a form that can be mended and loaded again. */
import { parse } from "node:path";
import type { DocumentStore } from "../api/core/stores/mongo.ts";
import { readDeadLetters, type DeadLetter } from "./dead-letters.ts";
import { fetchLoadFile, type LoadedFileRecord } from "./load-files.ts";
import { isUnreadable, type ReadRow } from "./readers/read-rows.ts";
import { fetchRefusedGroup } from "./refused-groups.ts";
import { findSource } from "./sources/index.ts";

/** The refused rows of one file of a load. */
export interface RefusedFile {
  file: string;
  /** A file name that says what it holds; the format's own beginning of the name stays. */
  name: string;
  /** Word for `--as`. */
  source: string;
  /** Refused rows that are in it. */
  refused: number;
  /** Rows that are in it because refused ones cannot be read without them. */
  others: number;
  /** Lines of refused rows that are left out, being kept in part only. */
  cut: number[];
  /** Header where the format has one, rows, trailer where the format has one. */
  lines: Buffer[];
}

/** The refused rows of a load, a file at a time. The lines of one file are held in memory. */
export async function* exportRefused(documents: DocumentStore, load: string): AsyncGenerator<RefusedFile> {
  let letters: DeadLetter[] = [];
  for await (const letter of readDeadLetters(documents, load)) {
    if (letters[0] && letters[0].file !== letter.file) {
      yield await buildFile(documents, letters);
      letters = [];
    }
    letters.push(letter);
  }
  if (letters.length > 0) yield await buildFile(documents, letters);
}

async function buildFile(documents: DocumentStore, letters: DeadLetter[]): Promise<RefusedFile> {
  const [{ load = "", file = "", source: name = "" } = {}] = letters;
  const facts = await fetchLoadFile(documents, { load, file });
  const rows = await collectRows(documents, letters);
  const refused = letters.filter(({ line }) => rows.has(line)).length;
  const encoding = facts?.encoding ?? "utf-8";
  const lines = [...rows.values()].sort((a, b) => a.line - b.line).map((row) => toBytes(row, encoding));
  return {
    file,
    name: nameOf(facts?.name ?? file),
    source: name,
    refused,
    others: rows.size - refused,
    cut: letters.filter(({ cut }) => cut).map(({ line }) => line),
    lines: frame(name, facts, lines),
  };
}

/** The rows by line; of groups all rows. */
async function collectRows(documents: DocumentStore, letters: DeadLetter[]): Promise<Map<number, ReadRow>> {
  const rows = new Map<number, ReadRow>();
  const groups = new Set(letters.flatMap(({ group }) => group ?? []));
  for (const { line, text, bytes = "", reason, cut } of letters) {
    if (!cut) rows.set(line, text === undefined ? { line, bytes, reason } : { line, text });
  }
  const [{ load = "", file = "" } = {}] = letters;
  for (const line of groups) {
    const group = await fetchRefusedGroup(documents, { load, file, line });
    for (const row of group?.rows ?? []) rows.set(row.line, row);
  }
  return rows;
}

function frame(sourceName: string, facts: LoadedFileRecord | null, rows: Buffer[]): Buffer[] {
  const source = findSource(sourceName);
  const encoding = facts?.encoding ?? "utf-8";
  const header = facts && source.hasHeader ? [Buffer.from(facts.first.text, encoding)] : [];
  const trailer = source.trailerOf?.(rows.map((row) => row.toString(encoding)));
  return [...header, ...rows, ...(trailer === undefined ? [] : [Buffer.from(trailer, encoding)])];
}

function toBytes(row: ReadRow, encoding: BufferEncoding): Buffer {
  return isUnreadable(row) ? Buffer.from(row.bytes, "base64") : Buffer.from(row.text, encoding);
}

function nameOf(given: string): string {
  const { name, ext } = parse(given);
  return `${name.replace(/\s+/g, "-")}-refused${ext}`;
}
