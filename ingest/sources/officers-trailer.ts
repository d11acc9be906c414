/** Owns the trailer of the officers files: `99999999` and the number of lines between it and the header. */
import { SourceError } from "../../api/core/errors.ts";
import type { RawRow } from "../define-source.ts";

/** A trailer, and the count in it. */
export const TRAILER = /^99999999(\d{8})\s*$/;

/** A count of lines as it stands in a trailer. */
export function padCount(count: number): string {
  return String(count).padStart(8, "0");
}

/** Throws SourceError when a file does not end with its trailer, or has more or fewer lines than it says. */
export function checkTrailer(last: RawRow | undefined, rows: number): void {
  const stated = TRAILER.exec(last?.text ?? "")?.[1];
  if (stated === undefined) {
    throw new SourceError("truncated: the trailer 99999999 with its count is not the last line");
  }
  const records = rows - 1;
  if (Number(stated) !== records) {
    throw new SourceError(`the trailer says ${Number(stated)} records, the file has ${records}`);
  }
}
