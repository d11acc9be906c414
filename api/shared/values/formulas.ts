/** Owns what a spreadsheet would run as a formula. Pure. */

// At the beginning of a cell, or behind what a spreadsheet of another country takes for the separator: to it, quotes count only
// behind its own separator. Also in full width.
const BEFORE_FORMULA =
  /[;\t][\s"]*(?=[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

/** The cell with an apostrophe before each part that a spreadsheet would run as a formula. */
export function withoutFormulas(cell: string): string {
  return cell.replace(BEFORE_FORMULA, "$&'");
}
