/**
 * Owns the company CSV, the register's free monthly list of live companies (Prod217).
 *
 * Publisher: the registrar, within five working days of each month's end; 5.7 million rows, 2.8 GB, 500 MB zipped, in one
 * file or in parts `-partK_7` with a header in each. UTF-8, CRLF; older extracts Latin-1 (`--encoding latin1`).
 *
 * Oddities, and what is done:
 * - Header names are trimmed and matched, since fourteen begin with a space. Columns may move or lack; rows warn of new ones.
 * - Every field is quoted, a quote inside doubled, a backslash is data. One real former name holds a line feed.
 * - Numbers that a spreadsheet stripped of zeros are padded; `9.9E+07` is refused.
 * - Foreign companies (FC, SF, NF) carry a meaningless confirmation date of 2016: left out.
 * - Some categories do not say which of several types a company has: the guess does not replace one of these that is stored.
 *
 * Choices where the format leaves one:
 * - Refused: a row of more or fewer fields than the header, an unclosed quote, no name, no valid number.
 * - Left out with a warning: unknown statuses and account categories, impossible dates and those from 2100 on, a count of
 *   mortgages that is no number. A company of an unknown category is loaded as type `other`, or keeps the stored type.
 * - A row whose fields are all empty is skipped like a blank line. Of rows with one number the last counts.
 * - Nothing states how many rows there are: an edition of far fewer than the one before is refused (`load/editions.ts`).
 */
import { CsvError, parse } from "csv-parse/sync";
import { RecordError, SourceError } from "../../api/core/errors.ts";
import { normaliseCompany } from "../../api/resources/company-profile/normalise.ts";
import {
  companyRecord,
  ENDED_STATUSES,
  type CompanyProfile,
} from "../../api/resources/company-profile/record.ts";
import { defineSource, toOutcome, type Outcome, type RawRow, type SourceContext } from "./define-source.ts";
import { layoutOf, readCompany, type Layout } from "./company-csv-row.ts";
import { companyTellings, tellingOf } from "./company-csv-telling.ts";
import { readEdition } from "./file-name.ts";

const REQUIRED_COLUMNS = ["CompanyNumber", "CompanyName", "CompanyCategory", "CompanyStatus"];

export const companyCsv = defineSource({
  name: "company-csv",
  title: "company CSV (Prod217)",
  fills: [companyRecord],
  fileNames: /^BasicCompanyData/i,
  recognises: (firstLine) => {
    const columns = parseHeader(firstLine)?.columns ?? [];
    // A header that lacks a column is one all the same, so that the column can be named.
    return REQUIRED_COLUMNS.filter((name) => columns.includes(name)).length > 1;
  },
  reader: "csv",
  hasHeader: true,
  open: (first, fileName) => ({ ...openCompanyCsv(first), ...readEdition(fileName) }),
  completeness: {
    records: [companyRecord],
    members: ["data"],
    // An edition holds no company that has ended, and never a UK establishment (bulk formats 1.6).
    covers: ({ data }) => {
      const { company_status = "", type } = data as Partial<CompanyProfile>; // records of this kind
      return !ENDED_STATUSES.has(company_status) && type !== "uk-establishment";
    },
    nameWithDay: "BasicCompanyDataAsOneFile-2026-11-01.csv",
  },
  mapRows: (rows, context) => {
    const layout = layoutOf(context);
    return rows.map((row) => mapRow(row, layout));
  },
  tellings: companyTellings,
  doubtEnd: ({ line, text }, { columns = [], delimiter = "," }) => {
    const parsed = parseFields(text, delimiter);
    if ("fields" in parsed && parsed.fields.length >= columns.length) return null;
    return `its last row, line ${line}, is cut off: most likely an incomplete download; get it again`;
  },
  close: (_last, rows) => {
    if (rows === 0) throw new SourceError("no rows: the file holds a header and nothing else");
  },
});

function openCompanyCsv({ text }: RawRow): SourceContext {
  const header = parseHeader(text);
  const columns = header?.columns ?? [];
  const missing = REQUIRED_COLUMNS.filter((name) => !columns.includes(name));
  if (header && missing.length === 0) return header;
  const found = `found: ${text.trim().slice(0, 120)}`;
  const expected = "expected the header of the company CSV";
  if (/^\s*</.test(text)) throw new SourceError(`${expected}, found a web page (an error page?); ${found}`);
  if (missing.length === REQUIRED_COLUMNS.length) throw new SourceError(`${expected}, ${found}`);
  const word = missing.length === 1 ? "column" : "columns";
  throw new SourceError(
    `${word} ${missing.join(", ")} missing among the ${columns.length} of the header; ${found}`,
  );
}

function parseHeader(text: string): { columns: string[]; delimiter: string } | null {
  // A comma; re-exports with a bar have been seen.
  const delimiter = !text.includes(",") && text.includes("|") ? "|" : ",";
  const parsed = parseFields(text, delimiter);
  return "fault" in parsed ? null : { columns: parsed.fields.map((name) => name.trim()), delimiter };
}

function mapRow(row: RawRow, layout: Layout): Outcome {
  return toOutcome(row, (warnings) => {
    const parsed = parseFields(row.text, layout.delimiter);
    if ("fault" in parsed) throw new RecordError(parsed.fault);
    const { fields } = parsed;
    if (fields.every((field) => field.trim() === "")) return { kind: "skipped" };
    if (fields.length !== layout.width)
      throw new RecordError(`${fields.length} fields where the header has ${layout.width}`);
    warnings.push(...layout.warnings);
    const { raw, isTypeKnown } = readCompany(fields, layout, warnings);
    const { data, warnings: dropped } = normaliseCompany(raw);
    warnings.push(...dropped);
    return { kind: "record", record: companyRecord, data, tells: tellingOf(layout, isTypeKnown) };
  });
}

type Parsed = { fields: string[] } | { fault: string };

/**
 * Fields of one row. Nearly all rows are quoted throughout and hold no quote inside: cutting those at `","`
 * is exact and nine times as fast as a parser (320,000 rows a second against 35,000), which takes the rest.
 */
function parseFields(text: string, delimiter: string): Parsed {
  if (text.length > 1 && text.startsWith('"') && text.endsWith('"')) {
    const fields = text.slice(1, -1).split(`"${delimiter}"`);
    // A quote left in a field is a doubled one, or a field is bare: then the cuts may be wrong.
    if (!fields.some((field) => field.includes('"'))) return { fields };
  }
  try {
    const [fields] = parse(text, { delimiter, relaxColumnCount: true, recordDelimiter: "\0" });
    return { fields: fields ?? [] };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const isOpen = error.code === "CSV_QUOTE_NOT_CLOSED";
    return { fault: isOpen ? "a quoted field is not closed" : "quotes stand where the format has none" };
  }
}
