/** Owns what frames the officers files: a header with run number and day, and the trailer `99999999` with a count. */
import { parseDate } from "../../api/core/dates.ts";
import { SourceError } from "../../api/core/errors.ts";
import { WAY_OUT, type RawRow, type SourceContext } from "./define-source.ts";

const HEADER = /^(DDDDSNAP|DDDDUPDT)(\d{4})(\d{8})\s*$/;

/** Run number and day of a header that begins so; null when it is none. */
export function readHeader(text: string, magic: "DDDDSNAP" | "DDDDUPDT"): SourceContext | null {
  const [, found, run, date] = HEADER.exec(text) ?? [];
  const productionDate = parseDate(date ?? "");
  return found === magic && run && productionDate ? { run, productionDate } : null;
}

/** A trailer, and the count in it. */
export const TRAILER = /^99999999(\d{8})\s*$/;

/** What keeps the lines of one company together; the trailer is of none. */
export function groupKeyOf(text: string): string {
  return TRAILER.test(text) ? "trailer" : text.slice(0, 8);
}

/** The trailer of a file that holds these lines. */
export function buildTrailer(texts: readonly string[]): string {
  return `99999999${String(texts.length).padStart(8, "0")}`;
}

/** Throws SourceError when a file does not end with its trailer, or has more or fewer lines than it says. */
export function checkTrailer(last: RawRow | undefined, rows: number): void {
  const stated = TRAILER.exec(last?.text ?? "")?.[1];
  if (stated === undefined) {
    throw new SourceError(`truncated: the trailer 99999999 with its count is not the last line; ${WAY_OUT}`);
  }
  const records = rows - 1;
  if (Number(stated) !== records) {
    throw new SourceError(`the trailer says ${Number(stated)} records, the file has ${records}; ${WAY_OUT}`);
  }
}
