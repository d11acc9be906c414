/** Keeps spreadsheets from running the cells of a CSV file as formulas. Pure. */

// A formula begins at the start of a cell, or after a semicolon or a tab, which spreadsheets of some countries take for
// the separator. These ignore quotes that do not follow their own separator. Full-width signs begin a formula, too.
const BEFORE_FORMULA =
  /[;\t][\s"]*(?=[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

/** The cell with an apostrophe before each part that a spreadsheet would run as a formula. */
export function withoutFormulas(cell: string): string {
  return cell.replace(BEFORE_FORMULA, "$&'");
}
