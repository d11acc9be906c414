/**
 * The snapshot of persons with significant control.
 *
 * Publisher: the registrar, every morning, as one file and in some thirty parts; 16 million lines, 13 GB.
 * UTF-8, LF, one JSON object a line: `{"company_number":…,"data":{…}}`, with the API's answer as `data`: a
 * person (eight kinds), a statement or exemptions. Parts are in no order; the last one ends with the totals.
 * - Refused: cut lines, unknown kinds, no `links.self` (no identity) or one of another company, an invalid
 *   day of cessation.
 * - Left out with a warning: unknown members, since a new member must not cause an edition to be refused; invalid
 *   notification dates, and those from 2100 on; invalid birth months; the birth years 0 and 9999, which mean unknown;
 *   optional members of a statement that are not valid.
 * - Kept with a warning: natures of control, statements and reasons that are on no list, since lists grow.
 * - Kept: days from the year 1 on, those of cessation up to 9999-12-31, cessation before notification, unknown
 *   companies, legal persons under the path of individuals or in the published spelling of their kind.
 * - Lost zeros of a company number are restored; of two lines for one record the later wins.
 * - Totals count all parts together. They are checked for a single file (named `1of1` or without `KofN`) and
 *   when one load has all parts. A single file or last part without totals is an incomplete download.
 */
import { isDeepStrictEqual } from "node:util";
import { parseCompanyNumber } from "../../api/shared/values/company-number.ts";
import { RecordError, SourceError } from "../../api/shared/runtime/errors.ts";
import { exemptionsRecord } from "../../api/resources/exemptions/index.ts";
import { pscSchema } from "../../api/resources/person-with-significant-control/members.ts";
import { normalisePsc } from "../../api/resources/person-with-significant-control/normalise.ts";
import { pscRecord } from "../../api/resources/person-with-significant-control/record.ts";
import {
  normaliseStatement,
  pscStatementRecord,
  STATEMENT_KIND,
  statementSchema,
} from "../../api/resources/psc-statement/index.ts";
import { each, exactly, type MemberMerge } from "../statements/merge.ts";
import { defineSource, toOutcome, type Mapped, type SetFile, type Tally } from "./define-source.ts";
import { readEdition, requireCounts, WAY_OUT } from "./frame.ts";
import { parseWithoutNulls, requireStorable } from "./api-json-lines.ts";

const EXEMPTIONS_KIND = "exemptions";
const EXEMPTIONS_LINK = /^\/?company\/([^/]+)\/exemptions$/;
const TOTALS_KIND = "totals#persons-of-significant-control-snapshot";

const PSC = "psc-snapshot";
const STATEMENT = "psc-snapshot-statement";
// The file has all members of a statement but this one.
const STATEMENT_MEMBERS = Object.keys(statementSchema.properties).filter(
  (name) => name !== "notification_id",
);

const records = [pscRecord, pscStatementRecord, exemptionsRecord];

// `links.self`, whose last part is the id, and the first number; exemptions have no id of their own.
const OWN_LINK = /"self"\s*:\s*"([^"]*)"/;
const OWN_NUMBER = /"company_number"\s*:\s*"?([^",}]*)/;

export const pscSnapshot = defineSource({
  name: "psc-snapshot",
  title: "persons with significant control",
  fills: records,
  fileNames: /^(persons-with-significant-control-snapshot|psc-snapshot)-/i,
  recognises: isSnapshotLine,
  reader: "lines",
  open: (first, fileName) => {
    // A damaged first line may be one bad row among good ones; a line of another format is not.
    if (isSnapshotLine(first.text) || first.text.startsWith('{"company_number"'))
      return readEdition(fileName);
    const found = first.text.slice(0, 60);
    throw new SourceError(`expected JSON with company_number and data in the first line, found ${found}`);
  },
  hasHeader: false,
  recordKey: (text) => {
    const id = unescape(OWN_LINK.exec(text)?.[1]).trim().split("/").at(-1);
    if (id && id !== EXEMPTIONS_KIND) return id;
    return parseCompanyNumber(unescape(OWN_NUMBER.exec(text)?.[1])) ?? undefined;
  },
  mapRows: (rows) => rows.map((row) => toOutcome(row, (warnings) => mapLine(row.text, warnings))),
  // Values that only other sources give are kept.
  mergeRules: {
    [PSC]: {
      rules: { ...each(Object.keys(pscSchema.properties), exactly), birth_day: mergeBirthDay },
      replaces: [PSC],
    },
    [STATEMENT]: { rules: each(STATEMENT_MEMBERS, exactly), replaces: [STATEMENT] },
  },
  close: (last, rows, { part, parts }, tally) => {
    if (parts === 1) checkTotals([{ last, rows, tally }]);
    else if (part === parts) requireTotals(last);
  },
  closeSet: checkTotals,
  completeness: {
    records,
    members: [],
    covers: () => true,
    nameWithDay: "persons-with-significant-control-snapshot-2026-11-01.txt",
  },
  // One count for all kinds together, since mended rows may be of other kinds.
  trailerOf: (rows) => JSON.stringify({ data: { records_count: rows, kind: TOTALS_KIND } }),
  kindOf: countedAs,
});

/** The text of a JSON string; unchanged if its escapes are broken. */
function unescape(json = ""): string {
  try {
    return JSON.parse(`"${json}"`) as string;
  } catch {
    return json;
  }
}

/** Only other sources give the day of birth. It stays while month and year are the same. */
function mergeBirthDay(...[stored, incoming, records]: Parameters<MemberMerge>): unknown {
  const isSameMonth = isDeepStrictEqual(records.stored.date_of_birth, records.incoming.date_of_birth);
  return incoming ?? (isSameMonth ? stored : undefined);
}

function isSnapshotLine(text: string): boolean {
  const line = text.startsWith("{") ? parseSnapshotLine(text) : null;
  return line !== null && (line.company_number !== undefined || line.data.kind === TOTALS_KIND);
}

function mapLine(text: string, warnings: string[]): Mapped {
  const line = parseSnapshotLine(text);
  if (!line) throw new RecordError("is not a JSON object with data: cut or damaged");
  requireStorable(text, line);
  const { company_number: given, data } = line;
  if (data.kind === TOTALS_KIND) return { kind: "skipped" };
  const isText = typeof given === "string" || typeof given === "number";
  const companyNumber = isText ? parseCompanyNumber(String(given)) : null;
  if (!companyNumber) throw new RecordError("is not a company number", "company_number");
  if (data.kind === EXEMPTIONS_KIND)
    return { kind: "record", record: exemptionsRecord, data: readExemptions(companyNumber, data, warnings) };
  const raw = { companyNumber, data };
  return data.kind === STATEMENT_KIND
    ? {
        kind: "record",
        record: pscStatementRecord,
        data: normaliseStatement(raw, warnings),
        tells: STATEMENT,
      }
    : { kind: "record", record: pscRecord, data: normalisePsc(raw, warnings), tells: PSC };
}

/** Exemptions come as in the API, so their API rule reads them. */
function readExemptions(companyNumber: string, data: Record<string, unknown>, warnings: string[]): unknown {
  const uri = `/company/${companyNumber}/exemptions`;
  const { self } = (data.links ?? {}) as { self?: unknown };
  const own = typeof self === "string" ? self : uri;
  if (parseCompanyNumber(EXEMPTIONS_LINK.exec(own)?.[1] ?? "") !== companyNumber) {
    throw new RecordError(`is of another company than ${companyNumber}: ${own}`, "links.self");
  }
  const resource = { kind: EXEMPTIONS_KIND, uri, id: companyNumber, data };
  return exemptionsRecord.incoming?.normalise(resource, warnings);
}

type SnapshotLine = { company_number?: unknown; data: Record<string, unknown> }; // totals have no number

const COUNTS = {
  persons: "persons_of_significant_control_count",
  statements: "statements_count",
  exemptions: "exemptions_count",
};

/** Null for a line that is cut or of another format. */
function parseSnapshotLine(text: string): SnapshotLine | null {
  try {
    const line = parseWithoutNulls(text) as Partial<SnapshotLine> | undefined;
    return typeof line?.data === "object" ? (line as SnapshotLine) : null;
  } catch {
    return null;
  }
}

// Finds the member of `data`: within a text the quotes would be escaped.
const KIND = /"kind"\s*:\s*"(persons-with-significant-control-statement|exemptions|totals#[^"]*)"/;

/** The kind as which the totals count a line, found without parsing it; an unknown kind counts as a person. */
function countedAs(text: string): string {
  const kind = KIND.exec(text)?.[1];
  if (kind === STATEMENT_KIND) return "statements";
  return kind?.replace(/^totals#.*/, "totals") ?? "persons";
}

/** The counts of the totals line, the overall count first. Throws SourceError for any other line. */
function requireTotals(last: SetFile["last"]): Tally {
  const { data } = (last && parseSnapshotLine(last.text)) ?? { data: {} };
  const kinds = data.records_count === undefined ? COUNTS : { records: "records_count" };
  const counts = Object.entries(kinds).map(([kind, member]) => [kind, Number(data[member])] as const);
  const isCounted = counts.every(([, count]) => Number.isInteger(count));
  if (data.kind !== TOTALS_KIND || !isCounted)
    throw new SourceError(`no totals line: incomplete download; ${WAY_OUT}`);
  const records = counts.reduce((sum, [, count]) => sum + count, 0);
  return { records, ...Object.fromEntries(counts) };
}

const EARLY_TOTALS =
  "the totals line is not the last line: put the parts together in the order of their numbers, or load them as they are";

/** Throws SourceError unless the totals match a whole edition, in one file or several. */
function checkTotals(files: readonly Pick<SetFile, "last" | "rows" | "tally">[]): void {
  const isAlone = files.length === 1;
  const isEnd = ({ last }: Pick<SetFile, "last">) => last !== undefined && countedAs(last.text) === "totals";
  if (files.some((file) => file.tally.totals && !isEnd(file))) throw new SourceError(EARLY_TOTALS);
  const ending = files.find((file) => isAlone || isEnd(file));
  if (!ending) throw new SourceError(`no part ends with the totals line: incomplete download; ${WAY_OUT}`);
  const counted: Record<string, number> = { records: -1 }; // the totals line is none
  for (const { rows, tally } of files)
    for (const [kind, count] of [["records", rows] as const, ...Object.entries(tally)])
      counted[kind] = (counted[kind] ?? 0) + count;
  const where = isAlone ? "the file has" : `the ${files.length} parts have`;
  requireCounts("the totals line says", requireTotals(ending.last), where, counted);
}
