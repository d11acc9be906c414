/**
 * Owns the snapshot of disqualified persons, Prod192.
 *
 * Publisher: the registrar, every Saturday; 3.5 MB, 16,000 lines. Text, LF, UTF-8; positions count
 * characters. Disqualifications in force only: one that ended vanishes with all its lines.
 *
 * Lines: a header `DISQUALS` + run + date; of each person a line of type 1, then for each disqualification
 * lines of type 2 (one for each company), followed by its exemptions (3) and variations (4); a trailer
 * `DISQUALS` + `/` + the number of lines of each type and of all. Header and trailer share their word. A name must not
 * tell another run than the header.
 *
 * What is done:
 * - a person's lines make one record; its outcome stands at the line of type 1, the lines that went into it
 *   count as skipped, so that the counts add up;
 * - lines of type 2 with equal start, end, section, type and case are one disqualification of several companies;
 * - of several variations the latest stays; exemptions belong to the person, as in the API;
 * - of a person who is held, blank fields leave what is held; what is no more in force is gone;
 * - while a line of a person is refused, nothing that is held of that person goes: what the good lines tell is added or
 *   changed, what they do not list stays. The mended line (`--mends`), or the next edition without a refused one,
 *   tells the person whole;
 * - refused, each with its line, while the person's other lines are kept: unknown record types, sections and
 *   disqualification types (the API requires a description), a missing start or end, a length that does not
 *   fit, a variation that follows no disqualification that could be read, a second line of type 1;
 * - refused too: lines whose person has no line of type 1, and a person of whom no disqualification could be read,
 *   who stays as held. A line without its person may be one of the person before it, its number being wrong.
 *
 * Limit: that person is not known to lack it where a batch ends between the two.
 */
import { parseDate } from "../../api/core/dates.ts";
import { SourceError } from "../../api/core/errors.ts";
import { disqualifiedOfficerRecord } from "../../api/resources/disqualified-officer/record.ts";
import { cutGroups } from "../readers/cut-groups.ts";
import {
  defineSource,
  WAY_OUT,
  type Outcome,
  type RawRow,
  type SourceContext,
  type Tally,
} from "./define-source.ts";
import { isUnreadable, type ReadRow, type UnreadableRow } from "../readers/read-rows.ts";
import { DISQUALIFIED_IN_PART_TELLING, DISQUALIFIED_TELLING } from "./disqualified-officers-telling.ts";
import { mapPersonLines } from "./disqualified-person-lines.ts";
import { requireRunOfName } from "./run-name.ts";

const HEADER = /^DISQUALS(\d{4})(\d{8})\s*$/;
const TRAILER = /^DISQUALS\/(\d{8})\/(\d{8})\/(\d{8})\/(\d{8})\/(\d{8})\s*$/;

const TYPES = ["1", "2", "3", "4"];
const LAST_TYPE = "4";

// Names of the tellings.
const WHOLE = "disqualified-officers-snapshot";
const IN_PART = "disqualified-officers-snapshot-in-part";

export const disqualifiedOfficersSnapshot = defineSource({
  name: "disqualified-officers-snapshot",
  title: "disqualified persons (Prod192)",
  fills: [disqualifiedOfficerRecord],
  fileNames: /^Prod192_/i,
  recognises: (firstLine) => HEADER.test(firstLine),
  reader: "lines",
  open: (first, fileName) => requireRunOfName(readHeader(first.text), fileName),
  hasHeader: true,
  groupKey,
  mapRows,
  tellings: {
    [WHOLE]: DISQUALIFIED_TELLING,
    [IN_PART]: DISQUALIFIED_IN_PART_TELLING,
  },
  outdates: { [WHOLE]: [WHOLE, IN_PART] },
  completeness: { records: [disqualifiedOfficerRecord], members: [], covers: () => true },
  close: (last, rows, _context, tally) => checkTrailer(last, rows, tally),
  kindOf: typeOf,
  trailerOf: buildTrailer,
});

function readHeader(text: string): SourceContext {
  const [, run, date] = HEADER.exec(text) ?? [];
  const productionDate = parseDate(date ?? "");
  if (run && productionDate) return { run, productionDate };
  const found = text.slice(0, 40).trimEnd();
  throw new SourceError(`expected DISQUALS, a run number and a date in the first line, found ${found}`);
}

function groupKey(text: string): string {
  return TRAILER.test(text) ? "trailer" : text.slice(1, 13);
}

function mapRows(
  rows: RawRow[],
  _context: SourceContext,
  unreadable: readonly UnreadableRow[] = [],
): Outcome[] {
  const inFileOrder = [...rows, ...unreadable].toSorted((a, b) => a.line - b.line);
  const groups = cutGroups<ReadRow>(inFileOrder, groupKey);
  return groups.flatMap((group, at) =>
    isTrailer(group) ? skip(group) : mapPersonLines(group, !isStray(groups[at + 1])),
  );
}

/** Undecoded lines behind the trailer are of its group. */
function isTrailer([first]: [ReadRow, ...ReadRow[]]): boolean {
  return !isUnreadable(first) && TRAILER.test(first.text);
}

function skip(group: ReadRow[]): Outcome[] {
  return group.flatMap((row) => (isUnreadable(row) ? [] : { kind: "skipped", row }));
}

/** True for lines whose own person is not there. */
function isStray(group: [ReadRow, ...ReadRow[]] | undefined): boolean {
  if (!group || isTrailer(group)) return false;
  return !group.some((row) => !isUnreadable(row) && row.text.startsWith("1"));
}

function buildTrailer(texts: readonly string[]): string {
  const byType = TYPES.map((type) => texts.filter((text) => typeOf(text) === type).length);
  const counts = [...byType, texts.length].map((count) => String(count).padStart(8, "0"));
  return `DISQUALS/${counts.join("/")}`;
}

/** What the trailer counts a line as; unknown types go with the last, so that a file of them adds up. */
function typeOf(text: string): string {
  if (TRAILER.test(text)) return "trailer";
  return TYPES.find((type) => text.startsWith(type)) ?? LAST_TYPE;
}

function checkTrailer(last: RawRow | undefined, rows: number, tally: Tally): void {
  const match = TRAILER.exec(last?.text ?? "");
  if (!match)
    throw new SourceError(
      `truncated: the trailer DISQUALS/ with its counts is not the last line; ${WAY_OUT}`,
    );
  const byType = match.slice(1).map(Number);
  const total = byType.pop() ?? 0;
  const sum = byType.reduce((left, right) => left + right, 0);
  if (sum !== total)
    throw new SourceError(`the trailer says ${total} records, its types add up to ${sum}; ${WAY_OUT}`);
  const records = rows - 1;
  if (records !== total)
    throw new SourceError(`the trailer says ${total} records, the file has ${records}; ${WAY_OUT}`);
  for (const [index, type] of TYPES.entries()) {
    const [stated = 0, found = 0] = [byType[index], tally[type]];
    if (stated === found) continue;
    throw new SourceError(
      `the trailer says ${stated} records of type ${type}, the file has ${found}; ${WAY_OUT}`,
    );
  }
}
