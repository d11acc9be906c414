/** Owns what a file's rows say of its encoding, where that is not the one it is read with. Pure. */
import { isUtf8 } from "node:buffer";
import { SourceError } from "../../api/core/errors.ts";
import { isUnreadable, type Encoding, type ReadRow } from "../readers/read-rows.ts";

// A single row of bytes that are no text is a damaged row; from two on, with nothing to the contrary, it is the file.
const LEAST_ROWS = 2;

// eslint-disable-next-line no-control-regex -- ASCII is what is looked for
const BEYOND_ASCII = /[^\u0000-\u007f]/;

/** Follows the rows of one file; a file of ASCII alone says nothing, and is the same in every encoding. */
export class EncodingSigns {
  /** Rows that cannot be of the encoding, and the line of the first. */
  private against = 0;
  private firstAgainst = 0;
  /** True once a row beyond ASCII was of the encoding. */
  private isBorneOut = false;

  constructor(private readonly encoding: Encoding) {}

  /** Takes a row into account. Free of cost once a row has borne the encoding out. */
  add(row: ReadRow): void {
    if (this.isBorneOut) return;
    const isAgainst = this.encoding === "latin1" ? isUtf8Row(row) : isNoUtf8(row);
    if (isAgainst && (this.against += 1) === 1) this.firstAgainst = row.line;
    else if (!isAgainst && !isUnreadable(row) && BEYOND_ASCII.test(row.text)) this.isBorneOut = true;
  }

  /** Throws SourceError when rows speak against the encoding and none for it. */
  check(): void {
    if (this.isBorneOut || this.against === 0) return;
    const rows = `${this.against} ${this.against === 1 ? "row" : "rows"} (the first on line ${this.firstAgainst})`;
    if (this.encoding === "latin1") {
      throw new SourceError(
        `expected Latin-1, as --encoding says, found UTF-8 in ${rows} and nothing else beyond ASCII: ` +
          "load it without --encoding",
      );
    }
    if (this.against < LEAST_ROWS) return;
    throw new SourceError(
      `expected UTF-8, found bytes that are none in ${rows} and no row beyond ASCII that is: ` +
        "it is of another encoding; if that is Latin-1, load it with --encoding latin1, and if only those rows are " +
        "damaged, with --unchecked",
    );
  }
}

/** True for a row that could not be decoded; one that holds a NUL could. */
function isNoUtf8(row: ReadRow): boolean {
  return isUnreadable(row) && !isUtf8(Buffer.from(row.bytes, "base64"));
}

/** True for a row of Latin-1 whose bytes beyond ASCII make UTF-8: hardly any text of Latin-1 does. */
function isUtf8Row(row: ReadRow): boolean {
  if (isUnreadable(row) || !BEYOND_ASCII.test(row.text)) return false;
  return isUtf8(Buffer.from(row.text, "latin1"));
}
