/** Owns what a file's rows say of its encoding, where that is not the one it is read with. Pure. */
import { isUtf8 } from "node:buffer";
import { SourceError } from "../../api/core/errors.ts";
import { isUnreadable, textOf, type Encoding, type ReadRow } from "../readers/read-rows.ts";

// A single row of bytes that are no text is a damaged row; from two on, with nothing to the contrary, it is the file.
const LEAST_ROWS = 2;

// eslint-disable-next-line no-control-regex -- ASCII is what is looked for
const BEYOND_ASCII = /[^\u0000-\u007f]/;

/** Follows the rows of one file; those of ASCII alone say nothing, being the same in every encoding. */
export class EncodingSigns {
  /** Rows that speak against the encoding, and the line of the first. */
  private against = 0;
  private firstAgainst = 0;
  private isBorneOut = false;

  constructor(private readonly encoding: Encoding) {}

  /** Takes a row into account: hardly any text of Latin-1 makes UTF-8. Free of cost once a row has borne the encoding out. */
  add(row: ReadRow): void {
    if (this.isBorneOut || !BEYOND_ASCII.test(textOf(row))) return;
    const isOfUtf8 = isUtf8(Buffer.from(textOf(row), isUnreadable(row) ? "latin1" : this.encoding));
    if (isOfUtf8 === (this.encoding === "utf-8")) this.isBorneOut = true;
    else if ((this.against += 1) === 1) this.firstAgainst = row.line;
  }

  /** Throws SourceError when rows speak against the encoding and none for it. */
  check(): void {
    if (this.isBorneOut || this.against === 0) return;
    const rows = `${this.against} ${this.against === 1 ? "row" : "rows"} (the first on line ${this.firstAgainst})`;
    if (this.encoding === "latin1")
      throw new SourceError(
        `expected Latin-1, as --encoding says, found UTF-8 in ${rows} and nothing else beyond ASCII: ` +
          "load it without --encoding",
      );
    if (this.against < LEAST_ROWS) return;
    throw new SourceError(
      `expected UTF-8, found bytes that are none in ${rows} and no row beyond ASCII that is: ` +
        "it is of another encoding; if that is Latin-1, load it with --encoding latin1, and if only those rows are " +
        "damaged, with --unchecked",
    );
  }
}
