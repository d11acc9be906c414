/**
 * Owns the company CSV, the register's free monthly list of live companies (Prod217).
 *
 * Publisher and cadence: the registrar, within five working days of each month's end.
 * Size: 5.7 million rows, 2.8 GB, 500 MB zipped; one zip, or parts `-partK_7` with a header in each.
 * Encoding: UTF-8, CRLF; older extracts Latin-1 (`--encoding latin1`). Sorted by name, punctuation first.
 *
 * Oddities, and what is done:
 * - Fourteen header names begin with a space: names are trimmed and matched. Columns may move or lack; each row warns
 *   of those that the format does not know.
 * - Every field is quoted, a quote inside doubled, a backslash is data. One real former name holds a line feed.
 * - Numbers that a spreadsheet stripped of zeros are padded; `9.9E+07` is refused.
 * - Foreign companies (FC, SF, NF) carry a meaningless confirmation date of 2016: left out.
 * - Charitable bodies and societies have no address: absent. Their incorporation date is kept.
 * - Community interest companies lose their form: PLC by name, else limited by guarantee. Where a category does not say
 *   which of several types a company is of, the guess does not replace one of them that is held.
 * - What it leaves out or cannot tell of a company that is held stays: see `company-csv-telling.ts`.
 *
 * Choices where the format leaves one:
 * - A row of more or fewer fields than the header, an unclosed quote, no name, no valid number: refused. The last row of a
 *   file is said to be cut then.
 * - Nothing states how many rows there are: an edition of far fewer than the one before is refused (`load/check-files.ts`).
 * - Unknown category: loaded as type `other`, or the type that is held. Unknown status or account category: loaded without. Both warn.
 * - Impossible dates and dates from 2100 on: left out with a warning, the record is loaded.
 * - A count of mortgages that is no number: loaded without has_charges, with a warning.
 * - A row whose fields are all empty is skipped like a blank line; a number that comes again is written again,
 *   so the last row wins.
 */
import { CsvError, parse } from "csv-parse/sync";
import { RecordError, SourceError } from "../../api/core/errors.ts";
import { normaliseCompany } from "../../api/resources/company-profile/normalise.ts";
import {
  companyRecord,
  ENDED_STATUSES,
  type CompanyProfile,
} from "../../api/resources/company-profile/record.ts";
import type { StoredRecord } from "../../api/resources/define-record.ts";
import { defineSource, toOutcome, type Outcome, type RawRow, type SourceContext } from "./define-source.ts";
import { layoutOf, readCompany, type Layout } from "./company-csv-row.ts";
import { companyTellings, tellingOf } from "./company-csv-telling.ts";

import { readPart, readProductionDate } from "./file-name.ts";

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
  open: (first, fileName) => ({
    ...openCompanyCsv(first),
    ...readProductionDate(fileName),
    ...readPart(fileName),
  }),
  completeness: {
    records: [companyRecord],
    members: ["data"],
    covers: isInEveryEdition,
    nameWithDay: "BasicCompanyDataAsOneFile-2026-11-01.csv",
  },
  mapRows: (rows, { columns = [], delimiter = "," }) => {
    const table = { layout: layoutOf(columns), width: columns.length, delimiter };
    return rows.map((row) => mapRow(row, table));
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

interface Table {
  layout: Layout;
  width: number;
  delimiter: string;
}

function mapRow(row: RawRow, { layout, width, delimiter }: Table): Outcome {
  return toOutcome(row, (warnings) => {
    const parsed = parseFields(row.text, delimiter);
    if ("fault" in parsed) throw new RecordError(parsed.fault);
    const { fields } = parsed;
    if (fields.every((field) => field.trim() === "")) return { kind: "skipped" };
    if (fields.length !== width)
      throw new RecordError(`${fields.length} fields where the header has ${width}`);
    warnings.push(...layout.warnings);
    const { raw, oneOf } = readCompany(fields, layout, warnings);
    const { data, warnings: dropped } = normaliseCompany(raw);
    warnings.push(...dropped);
    return { kind: "record", record: companyRecord, data, tells: tellingOf(layout, oneOf) };
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

/** An edition holds no company that has ended, and never a UK establishment (bulk formats 1.6). */
function isInEveryEdition({ data }: StoredRecord): boolean {
  const { company_status = "", type } = data as Partial<CompanyProfile>; // records of this kind
  return !ENDED_STATUSES.has(company_status) && type !== "uk-establishment";
}
