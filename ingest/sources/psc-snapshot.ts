/**
 * Owns the snapshot of persons with significant control.
 *
 * Publisher: the registrar, every morning, as one file and in some thirty parts; 16 million lines, 13 GB. UTF-8, LF,
 * one JSON object a line, no header: `{"company_number":…,"data":{…}}`, where `data` is what the API answers. Parts
 * are in no order; statements stand in the last two, then exemptions, and the totals are the last line of the last.
 *
 * Lines: persons of eight kinds, statements and exemptions become records of three kinds; totals are checked at the
 * end. A record that is held keeps what no snapshot tells: the day of birth, the joining id, a statement's notification. All
 * else is as the line has it, absence and letter case included.
 *
 * Oddities, and what is done:
 * - refused: cut lines, a kind that is not known (the line is kept aside with it), no `links.self` (no identity),
 *   another company in `links.self` than in `company_number`, a day of cessation that is none, a word that its closed
 *   list does not have;
 * - kept with a warning: members that are not known are ignored, for one new member must not refuse a whole edition
 *   (API-shaped input refuses them, see `person-with-significant-control/normalise.ts`); a notification date or birth
 *   month that is none is dropped, as are the birth years 0 and 9999, which stand for unknown;
 * - kept as they are: days from the first millennium to the last, cessation before notification, companies that are
 *   not in the register, legal persons under the path of individuals or in the published spelling of their kind;
 * - lost zeros of a company number are put back; of two lines for one record the later stays.
 *
 * Totals count the lines of all parts together, so that they are compared where one file holds them all (its name
 * does not say `KofN`, or says `1of1`) or one load has all parts. A part before the last needs none; without them
 * any other file is an incomplete download. With `--complete` all parts must be there.
 */
import { SourceError } from "../../api/core/errors.ts";
import { exemptionsRecord } from "../../api/resources/exemptions/record.ts";
import { pscRecord } from "../../api/resources/person-with-significant-control/record.ts";
import { pscStatementRecord } from "../../api/resources/psc-statement/record.ts";
import {
  defineSource,
  WAY_OUT,
  type RawRow,
  type SetFile,
  type SourceContext,
  type Tally,
} from "./define-source.ts";
import { readProductionDate } from "./production-date.ts";
import { partOf, readPart } from "./set-part.ts";
import {
  buildTotalsLine,
  countedAs,
  mapSnapshotLine,
  parseSnapshotLine,
  pscTellings,
  readTotals,
  type Totals,
} from "./psc-snapshot-lines.ts";

export const pscSnapshot = defineSource({
  name: "psc-snapshot",
  title: "persons with significant control",
  fills: [pscRecord, pscStatementRecord, exemptionsRecord],
  fileNames: /^(persons-with-significant-control-snapshot|psc-snapshot)-/i,
  recognises: isSnapshotLine,
  reader: "lines",
  open,
  hasHeader: false,
  mapRows: (rows) => rows.map(mapSnapshotLine),
  tellings: pscTellings,
  outdates: Object.fromEntries(Object.keys(pscTellings).map((name) => [name, [name]])),
  close: checkTotals,
  partOf,
  closeSet: checkTotalsOfSet,
  completeness: {
    records: [pscRecord, pscStatementRecord, exemptionsRecord],
    members: [],
    covers: () => true,
    nameWithDay: "persons-with-significant-control-snapshot-2026-11-01.txt",
  },
  trailerOf: buildTotalsLine,
  kindOf: countedAs,
});

function isSnapshotLine(text: string): boolean {
  if (!text.startsWith("{")) return false;
  const line = parseSnapshotLine(text);
  return line !== null && (line.company_number !== undefined || readTotals(line) !== null);
}

function open(first: RawRow, fileName: string): SourceContext {
  // A first line that is cut or odd may be one bad row among good ones; a line of another format is not.
  if (!isSnapshotLine(first.text) && !first.text.startsWith('{"company_number"')) {
    const found = first.text.slice(0, 60);
    throw new SourceError(`expected JSON with company_number and data in the first line, found ${found}`);
  }
  return { ...readPart(fileName), ...readProductionDate(fileName) };
}

function checkTotals(last: RawRow | undefined, rows: number, context: SourceContext, tally: Tally): void {
  const { part, parts } = context as { part: number; parts: number };
  if (part < parts) return;
  const line = last ? parseSnapshotLine(last.text) : null;
  const totals = line && readTotals(line);
  if (!totals) throw new SourceError(`no totals line: incomplete download; ${WAY_OUT}`);
  if (parts === 1) compareTotals(totals, { rows, tally, what: "the file has" });
}

function checkTotalsOfSet(files: readonly SetFile[]): void {
  const totals = files
    .map(({ last }) => last && parseSnapshotLine(last.text))
    .map((line) => line && readTotals(line));
  const stated = totals.find((candidate) => candidate);
  if (!stated) throw new SourceError(`no part ends with the totals line: incomplete download; ${WAY_OUT}`);
  const tally: Record<string, number> = {};
  for (const file of files) {
    for (const [kind, count] of Object.entries(file.tally)) tally[kind] = (tally[kind] ?? 0) + count;
  }
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  compareTotals(stated, { rows, tally, what: `the ${files.length} parts have` });
}

/** Throws SourceError when the totals are not those of what was read; `what` is the beginning of what was found. */
function compareTotals(stated: Totals, read: { rows: number; tally: Tally; what: string }): void {
  const { records, kinds } = stated;
  const found = read.rows - 1;
  if (records !== found)
    throw new SourceError(`the totals line says ${records} records, ${read.what} ${found}; ${WAY_OUT}`);
  for (const [kind, count] of Object.entries<number>({ ...kinds })) {
    const counted = read.tally[kind] ?? 0;
    if (counted !== count)
      throw new SourceError(`the totals line says ${count} ${kind}, ${read.what} ${counted}; ${WAY_OUT}`);
  }
}
