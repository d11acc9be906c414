/** Owns the cutting of a CSV row into its fields. */
import { CsvError, parse } from "csv-parse/sync";

const NOT_CLOSED = "a quoted field is not closed";

/**
 * The fields, or what is wrong with the quotes. Nearly all rows are quoted throughout, with no inner quotes:
 * cutting at `","` is exact and nine times as fast as the parser (320,000 rows a second against 35,000).
 * `most`: fields that are needed; others are not looked at.
 */
export function parseFields(text: string, delimiter: string, most?: number): string[] | string {
  if (text.length > 1 && text.startsWith('"') && text.endsWith('"')) {
    const fields = text.slice(1, -1).split(`"${delimiter}"`, most);
    // A remaining quote is a doubled one or belongs to a bare field: the cuts may be wrong.
    if (!fields.some((field) => field.includes('"'))) return fields;
  }
  try {
    const [fields] = parse(text, { delimiter, relaxColumnCount: true, recordDelimiter: "\0" });
    return fields ?? [];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return error.code === "CSV_QUOTE_NOT_CLOSED" ? NOT_CLOSED : "a quote is in the wrong place";
  }
}
