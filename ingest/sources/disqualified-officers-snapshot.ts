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
import { disqualifiedOfficerRecord } from "../../api/resources/disqualified-officer/record.ts";
import { cutGroups } from "../readers/cut-groups.ts";
import { isUnreadable, type ReadRow } from "../readers/read-rows.ts";
import { defineSource, type Outcome } from "./define-source.ts";
import { DISQUALIFIED_IN_PART_TELLING, DISQUALIFIED_TELLING } from "./disqualified-officers-telling.ts";
import { IN_PART, mapPersonLines, WHOLE } from "./disqualified-person-lines.ts";
import { frameOf } from "./frame.ts";

const { isTrailer, framed } = frameOf({
  header: "DISQUALS",
  trailer: "DISQUALS/",
  types: ["1", "2", "3", "4"],
  keyOf: (text) => text.slice(1, 13),
});

export const disqualifiedOfficersSnapshot = defineSource({
  name: "disqualified-officers-snapshot",
  title: "disqualified persons (Prod192)",
  fills: [disqualifiedOfficerRecord],
  fileNames: /^Prod192_/i,
  recognises: (firstLine) => /^DISQUALS\d{12}\s*$/.test(firstLine),
  ...framed,
  mapRows: (rows, _context, unreadable = []) => {
    const inFileOrder = [...rows, ...unreadable].toSorted((a, b) => a.line - b.line);
    const groups = cutGroups<ReadRow>(inFileOrder, framed.groupKey);
    return groups.flatMap((group, at) =>
      isEnd(group) ? skip(group) : mapPersonLines(group, !isStray(groups[at + 1])),
    );
  },
  tellings: {
    [WHOLE]: { rules: DISQUALIFIED_TELLING, outdates: [WHOLE, IN_PART] },
    [IN_PART]: { rules: DISQUALIFIED_IN_PART_TELLING, outdates: [] },
  },
  completeness: { records: [disqualifiedOfficerRecord], members: [], covers: () => true },
});

/** Undecoded lines behind the trailer are of its group. */
function isEnd([first]: ReadRow[]): boolean {
  return first !== undefined && !isUnreadable(first) && isTrailer(first.text);
}

function skip(group: ReadRow[]): Outcome[] {
  return group.flatMap((row) => (isUnreadable(row) ? [] : { kind: "skipped", row }));
}

/** True for lines whose own person is not there. */
function isStray(group: ReadRow[] = []): boolean {
  const isBeginning = (row: ReadRow) => !isUnreadable(row) && row.text.startsWith("1");
  return group.length > 0 && !isEnd(group) && !group.some(isBeginning);
}
