/** Owns the files of refused rows: as they came, byte for byte, in a form that can be mended and loaded again. */
import { parse } from "node:path";
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import { isRefused, readKeptRows, type KeptRow } from "./dead-letters.ts";
import { fetchLoad, rowsFileOf, type SurveyedFile } from "../history/loads.ts";
import type { Encoding } from "../readers/read-rows.ts";
import { findSource } from "../sources/index.ts";

/** A file of a load, of which rows are kept. */
export interface RefusedFile {
  file: string;
  /** A file name that says what it holds; the format's own beginning of the name stays. No two of a load are equal. */
  name: string;
  /** Word for `--as`. */
  source: string;
  encoding: Encoding;
  /** Lines of the rows that its export holds, in their order. */
  lines: number[];
  /** Refused rows among them. */
  refused: number;
  /** How it was read; absent: no record of its load is there. */
  facts?: SurveyedFile | undefined;
}

/** The files of a load of which rows are kept. */
export async function listRefusedFiles(documents: DocumentStore, load: string): Promise<RefusedFile[]> {
  const { surveyed = [], plan } = (await fetchLoad(documents, load)) ?? {};
  const encoding = plan?.encoding ?? "utf-8";
  const files = new Map<string, RefusedFile>();
  const taken = new Set<string>();
  for await (const row of readKeptRows(documents, load, ["file", "line", "source", "reason"])) {
    const { file, source, line } = row;
    const facts = surveyed.find((known) => rowsFileOf(known) === file);
    const known = files.get(file) ?? {
      ...{ file, source, encoding, facts, lines: [], refused: 0 },
      name: chooseFree(nameOf(facts?.name ?? file), taken),
    };
    files.set(file, known);
    known.lines.push(line);
    if (isRefused(row)) known.refused += 1;
  }
  return [...files.values()];
}

/** Header where the format has one, rows, trailer where the format has one. They are held in memory. */
export async function exportLines(
  documents: DocumentStore,
  load: string,
  { file, source: name, encoding, facts }: RefusedFile,
): Promise<Buffer[]> {
  const rows: Buffer[] = [];
  for await (const row of readKeptRows(documents, `${load}:${file}`))
    rows.push(toBytes(row, encoding));
  const header = facts?.header === undefined ? [] : [Buffer.from(facts.header, encoding)];
  const trailer = findSource(name).trailerOf?.(rows.map((row) => row.toString(encoding)));
  return [...header, ...rows, ...(trailer === undefined ? [] : [Buffer.from(trailer, encoding)])];
}

function toBytes({ text, bytes = "" }: KeptRow, encoding: Encoding): Buffer {
  return text === undefined ? Buffer.from(bytes, "base64") : Buffer.from(text, encoding);
}

function nameOf(given: string): string {
  const { name, ext } = parse(given);
  return `${name.replace(/\s+/g, "-")}-refused${ext}`;
}

/** Files of one name in different folders are numbered. */
function chooseFree(name: string, taken: Set<string>): string {
  for (let count = 2, free = name; ; count += 1) {
    if (!taken.has(free)) {
      taken.add(free);
      return free;
    }
    free = name.replace(/(\.[^.]*)?$/, (ending) => `-${count}${ending}`);
  }
}
