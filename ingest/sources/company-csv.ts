/**
 * The company CSV, the register's free monthly list of live companies (Prod217).
 *
 * Publisher: the registrar, within five working days of the month's end. 5.7 million rows, 2.8 GB (500 MB
 * zipped), one file or parts `-partK_7`, each with a header. UTF-8, CRLF; old ones need `--encoding latin1`.
 * - Header names are trimmed (fourteen begin with a space). Columns may move or be missing; a new one causes warnings,
 *   a missing one a note. A header without a comma shows by its own separator how the fields are separated.
 * - Every field is quoted, quotes inside are doubled, a backslash is data. One former name has a line feed.
 * - Zeros that a spreadsheet stripped from a number are restored; `9.9E+07` is refused.
 * - Foreign companies (FC, SF, NF) carry a meaningless confirmation date of 2016, which is left out.
 * - Some categories fit several company types: the guessed type does not replace a stored one that also fits.
 * - Refused: a row with more or fewer fields than the header, an unclosed quote, no name, no valid number.
 * - Left out with a warning: unknown statuses, whose texts are not the API's words, impossible dates, dates from 2100
 *   on, a mortgage count that is not a number. An unknown category gives type `other` or keeps the stored type. An
 *   unknown account category becomes its own key.
 * - A row of empty fields is skipped like a blank line, and so is a repeated header, where parts were joined. The last
 *   row for a number wins.
 * - If a field is empty, values that only earlier editions stated are removed, but only if the edition has all columns
 *   of that member.
 * - The file does not state its number of rows: an edition far smaller than the one before is refused. One that ends
 *   within a row is no whole edition; only that row is refused.
 */
import { RecordError, SourceError } from "../../api/shared/runtime/errors.ts";
import { formatNumber } from "../../api/shared/runtime/format.ts";
import { readCompany, settleCompany } from "../../api/resources/company-profile/normalise.ts";
import type { CompanyProfile } from "../../api/resources/company-profile/members.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { parseCompanyNumber } from "../../api/shared/values/company-number.ts";
import { ENDED_STATUSES } from "../../api/shared/values/enumerations.ts";
import { SEPARATORS, type RawRow } from "../readers/read-rows.ts";
import { parseFields } from "../readers/csv-fields.ts";
import { defineSource, FORMATS_PAGE, toOutcome, type Mapped, type SourceContext } from "./define-source.ts";
import { layoutOf, leavesOf, listMissing, listUnknown, type Layout } from "./company-csv-columns.ts";
import { companyMergeRules, GUESSED_TYPE, KNOWN_TYPE } from "./company-csv-merge-rules.ts";
import { readRow } from "./company-csv-row.ts";
import { readEdition } from "./frame.ts";

const REQUIRED_COLUMNS = ["CompanyNumber", "CompanyName", "CompanyCategory", "CompanyStatus"];

export const companyCsv = defineSource({
  name: "company-csv",
  title: "company CSV (Prod217)",
  fills: [companyRecord],
  fileNames: /^BasicCompanyData/i,
  recognises: (firstLine) => {
    const columns = parseHeader(firstLine)?.columns ?? [];
    // A header without some column is recognised, so that the error can name the column.
    return REQUIRED_COLUMNS.filter((name) => columns.includes(name)).length > 1;
  },
  reader: "csv",
  hasHeader: true,
  open: (first, fileName) => ({ ...openCompanyCsv(first), ...readEdition(fileName) }),
  completeness: {
    records: [companyRecord],
    members: ["data"],
    // An edition has no ended companies and never a UK establishment (bulk formats 1.6).
    covers: ({ data }) => {
      const { company_status = "", type } = data as Partial<CompanyProfile>; // records of this kind
      return !ENDED_STATUSES.has(company_status) && type !== "uk-establishment";
    },
    nameWithDay: "BasicCompanyDataAsOneFile-2026-11-01.csv",
  },
  recordKey: (text, { columns = [], delimiter = "," }) => {
    const place = columns.indexOf("CompanyNumber");
    const fields = parseFields(text, delimiter, place + 1);
    const number = typeof fields === "string" ? "" : (fields[place] ?? "");
    return parseCompanyNumber(number) ?? undefined;
  },
  mapRows: (rows, context) => {
    const layout = layoutOf(context);
    return rows.map((row) => toOutcome(row, (warnings) => mapRow(row.text, layout, warnings)));
  },
  mergeRules: companyMergeRules,
  noteOn: ({ columns = [] }) => {
    const missing = listMissing(columns);
    if (missing.length === 0) return undefined;
    return `the header has no ${formatColumns(missing)}: what is stored of ${missing.length === 1 ? "it" : "them"} stays`;
  },
  describeCutEnd: ({ line, text }, { columns = [], delimiter = "," }) => {
    const fields = parseFields(text, delimiter);
    if (typeof fields !== "string" && fields.length >= columns.length) return null;
    return `its last row, line ${line}, is cut off: most likely an incomplete download; download it again`;
  },
  close: (_last, rows) => {
    if (rows === 0) throw new SourceError("no rows: the file has only a header");
  },
});

function openCompanyCsv({ text }: RawRow): SourceContext {
  const header = parseHeader(text);
  const columns = header?.columns ?? [];
  const missing = REQUIRED_COLUMNS.filter((name) => !columns.includes(name));
  if (header && missing.length === 0) return header;
  const expected = "expected the header of the company CSV";
  if (/^\s*</.test(text)) throw new SourceError(`${expected}, found a web page (an error page?)`);
  if (missing.length === REQUIRED_COLUMNS.length)
    throw new SourceError(`${expected}, found "${text.trim().slice(0, 60)}"; see ${FORMATS_PAGE}`);
  const unknown = listUnknown(columns).map((name) => `"${name}"`);
  throw new SourceError(
    `the header has no ${formatColumns(missing)}` +
      (unknown.length > 0 ? `, but the unknown ${formatColumns(unknown)}` : "") +
      `; see ${FORMATS_PAGE}`,
  );
}

// Limit: how many columns a message names.
const SHOWN_COLUMNS = 3;

function formatColumns(names: readonly string[]): string {
  const more = names.length - SHOWN_COLUMNS;
  const shown = names.slice(0, SHOWN_COLUMNS).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return `column${names.length === 1 ? "" : "s"} ${shown}`;
}

function parseHeader(text: string): { columns: string[]; delimiter: string } | null {
  // Spreadsheets write semicolons in much of Europe, some re-exports write bars. No known column name has either.
  const delimiter = SEPARATORS.find((one) => text.includes(one)) ?? ",";
  const fields = parseFields(text, delimiter);
  return typeof fields === "string" ? null : { columns: fields.map((name) => name.trim()), delimiter };
}

function mapRow(text: string, layout: Layout, warnings: string[]): Mapped {
  const given = parseFields(text, layout.delimiter);
  if (typeof given === "string") throw new RecordError(given);
  const fields = given.map((field) => field.trim());
  const { columns } = layout;
  // `""` alone is not an empty row: a row with a quote in its name may be cut off after `""`.
  if (text !== '""' && fields.every((field) => field === "")) return { kind: "skipped" };
  if (fields.every((field, at) => field === columns[at])) return { kind: "skipped" };
  if (fields.length !== columns.length)
    throw new RecordError(`${formatNumber(fields.length, "field")} where the header has ${columns.length}`);
  const found: string[] = [];
  const { raw, isTypeKnown } = readRow(fields, layout, found);
  const data = settleCompany(readCompany(raw, found));
  const last = data.accounts?.last_accounts;
  // An unknown account category, which causes a warning, becomes a key in lower case with dashes (bulk formats 1.5).
  if (last?.type && found.length > 0) last.type = last.type.toLowerCase().replace(/\s+/g, "-");
  warnings.push(...layout.warnings, ...found);
  const leaves = leavesOf(layout, data, { isTypeKnown, warnings: found });
  const tells = isTypeKnown ? KNOWN_TYPE : GUESSED_TYPE;
  return { kind: "record", record: companyRecord, data, tells, ...(leaves.length > 0 && { leaves }) };
}
