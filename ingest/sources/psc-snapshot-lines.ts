/** Owns the lines of the snapshot of persons with significant control: what each becomes. */
import { parseCompanyNumber } from "../../api/core/company-number.ts";
import { RecordError } from "../../api/core/errors.ts";
import { exemptionsRecord } from "../../api/resources/exemptions/record.ts";
import { pscSchema } from "../../api/resources/person-with-significant-control/members.ts";
import { normalisePsc } from "../../api/resources/person-with-significant-control/normalise.ts";
import { formatLoss, type Losses } from "../../api/resources/person-with-significant-control/raw-members.ts";
import { pscRecord } from "../../api/resources/person-with-significant-control/record.ts";
import { normaliseStatement, STATEMENT_KIND } from "../../api/resources/psc-statement/normalise.ts";
import { pscStatementRecord, statementSchema } from "../../api/resources/psc-statement/record.ts";
import type { Outcome, RawRow } from "./define-source.ts";
import { tellExactly } from "../statements/merge.ts";
import { requireStorable } from "./json-line.ts";
import { refusing, withWarnings } from "./outcomes.ts";

const TOTALS_KIND = "totals#persons-of-significant-control-snapshot";
const EXEMPTIONS_KIND = "exemptions";

// What other sources tell of a record and no snapshot does stays when it is loaded again.
const UNTOLD = ["psc_id", "birth_day", "notification_id"];
const PSC_TOLD = tellExactly(
  Object.keys(pscSchema.properties).filter(
    (member) => member === "notification_id" || !UNTOLD.includes(member),
  ),
);
const STATEMENT_TOLD = tellExactly(
  Object.keys(statementSchema.properties).filter((member) => !UNTOLD.includes(member)),
);

/** How lines are merged with what is held, by the names under which records remember it; exemptions replace it. */
export const pscTellings = { "psc-snapshot": PSC_TOLD, "psc-snapshot-statement": STATEMENT_TOLD };

/** A line that is JSON of the right outline. */
export interface SnapshotLine {
  /** Absent on the totals line. */
  company_number?: unknown;
  data: Record<string, unknown>;
}

/** Counts of all parts together. */
export interface Totals {
  records: number;
  /** Absent in a file of refused rows: what is wrong with a row may be its kind. */
  kinds?: KindTotals;
}

interface KindTotals {
  persons: number;
  statements: number;
  exemptions: number;
}

/** The line, or null when it is cut or something else. */
export function parseSnapshotLine(text: string): SnapshotLine | null {
  try {
    const line = JSON.parse(text) as Partial<SnapshotLine> | null;
    return line && typeof line.data === "object" && line.data ? (line as SnapshotLine) : null;
  } catch {
    return null;
  }
}

/** The totals, or null when the line is none with all three, nor with the one of refused rows. */
export function readTotals({ data }: SnapshotLine): Totals | null {
  if (data.kind !== TOTALS_KIND) return null;
  const areCounts = (...counts: number[]) => counts.every((count) => Number.isInteger(count) && count >= 0);
  const records = Number(data.records_count);
  if (areCounts(records)) return { records };
  const persons = Number(data.persons_of_significant_control_count);
  const statements = Number(data.statements_count);
  const exemptions = Number(data.exemptions_count);
  if (!areCounts(persons, statements, exemptions)) return null;
  return { records: persons + statements + exemptions, kinds: { persons, statements, exemptions } };
}

// The member of `data`: within a text its quotes would be escaped.
const KIND = /"kind"\s*:\s*"(persons-with-significant-control-statement|exemptions|totals#[^"]*)"/;

/** What the totals count a line as, without parsing it; a line of no known kind counts as a person. */
export function countedAs(text: string): keyof KindTotals | "totals" {
  const kind = KIND.exec(text)?.[1];
  if (kind === undefined) return "persons";
  if (kind === EXEMPTIONS_KIND) return "exemptions";
  return kind === STATEMENT_KIND ? "statements" : "totals";
}

/** The totals line of a file of refused rows; mended they may be of other kinds, so that it counts all together. */
export function buildTotalsLine(texts: readonly string[]): string {
  return JSON.stringify({ data: { records_count: texts.length, kind: TOTALS_KIND } });
}

/** What becomes of a row; never throws for a bad one. */
export function mapSnapshotLine(row: RawRow): Outcome {
  return refusing(row, () => {
    const line = parseSnapshotLine(row.text);
    if (!line) throw new RecordError("is no JSON object with data: cut or damaged");
    requireStorable(row.text, line);
    return line.data.kind === TOTALS_KIND ? { kind: "skipped", row } : mapRecord(row, line);
  });
}

function mapRecord(row: RawRow, { company_number: given, data }: SnapshotLine): Outcome {
  const companyNumber = typeof given === "string" ? parseCompanyNumber(given) : null;
  if (!companyNumber) throw new RecordError("is no company number", "company_number");
  switch (data.kind) {
    case STATEMENT_KIND: {
      const { statement, losses } = normaliseStatement({ companyNumber, data });
      return withWarnings(
        { kind: "record", row, record: pscStatementRecord, data: statement, tells: STATEMENT_TOLD },
        warningsOf(losses),
      );
    }
    case EXEMPTIONS_KIND:
      return mapExemptions(row, companyNumber, data);
    default: {
      const { psc, losses } = normalisePsc({ companyNumber, data });
      return withWarnings(
        { kind: "record", row, record: pscRecord, data: psc, tells: PSC_TOLD },
        warningsOf(losses),
      );
    }
  }
}

/** Exemptions come as the API answers them, so that their API-shaped rule reads them. */
function mapExemptions(row: RawRow, companyNumber: string, data: Record<string, unknown>): Outcome {
  const uri = `/company/${companyNumber}/exemptions`;
  const { self } = (data.links ?? {}) as { self?: unknown };
  if (typeof self === "string" && self !== uri) {
    throw new RecordError(`is of another company than ${companyNumber}: ${self}`, "links.self");
  }
  const warnings: string[] = [];
  const resource = { kind: EXEMPTIONS_KIND, uri, id: companyNumber, data };
  const exemptions = exemptionsRecord.incoming?.normalise(resource, (warning) => warnings.push(warning));
  return withWarnings({ kind: "record", row, record: exemptionsRecord, data: exemptions }, warnings);
}

function warningsOf({ faults, leftOut }: Losses): string[] {
  return [...faults, ...leftOut].map(formatLoss);
}
