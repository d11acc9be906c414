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
import { RecordError } from "../../api/core/errors.ts";
import {
  compareDisqualifications,
  isSameDisqualification,
  normaliseDisqualification,
  normalisePermission,
  normalisePerson,
  normalisePersonAddress,
  normaliseVariation,
} from "../../api/resources/disqualified-officer/normalise.ts";
import {
  disqualifiedOfficerRecord,
  type Disqualification,
  type DisqualifiedOfficer,
  type PermissionToAct,
} from "../../api/resources/disqualified-officer/record.ts";
import { cutGroups } from "../readers/cut-groups.ts";
import { isUnreadable, type ReadRow, type UnreadableRow } from "../readers/read-rows.ts";
import { defineSource, toOutcome, type Outcome, type RawRow } from "./define-source.ts";
import {
  readDisqualificationLine,
  readPermissionLine,
  readPersonLine,
  readVariationLine,
} from "./disqualified-officers-layout.ts";
import { DISQUALIFIED_IN_PART_TELLING, DISQUALIFIED_TELLING } from "./disqualified-officers-telling.ts";
import { frameOf } from "./frame.ts";

// Names of the tellings: of a person of whom every line was read, and of one of whom some line was not.
const WHOLE = "disqualified-officers-snapshot";
const IN_PART = "disqualified-officers-snapshot-in-part";

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

/** A record in the making. */
interface Draft {
  /** The line of type 1 and what it says; absent until it has been read. */
  begun?: { row: RawRow; person: DisqualifiedOfficer; address: Disqualification["address"] };
  disqualifications: Disqualification[];
  /** The disqualification that a variation would belong to; null when its line could not be read. */
  current: Disqualification | null;
  permissions: PermissionToAct[];
  warnings: string[];
}

/**
 * The lines of one person to outcomes, in file order: the record at its line of type 1, `skipped` at the
 * lines that went into it, `refused` at those that could not be read. Rows that could not be decoded are among `rows`
 * and have no outcome. `isWhole`: no line of the person is elsewhere.
 */
function mapPersonLines(rows: ReadRow[], isWhole: boolean): Outcome[] {
  const draft: Draft = { disqualifications: [], current: null, permissions: [], warnings: [] };
  const outcomes = rows.flatMap((row) => {
    if (isUnreadable(row)) return passOver(row, draft);
    return toOutcome(row, () => addLine(row, draft));
  });
  const isEachRead = outcomes.length === rows.length && outcomes.every(({ kind }) => kind === "skipped");
  const tells = isWhole && isEachRead ? WHOLE : IN_PART;
  return outcomes.map((outcome) =>
    outcome.row === draft.begun?.row ? finishPerson(draft.begun, draft, tells) : outcome,
  );
}

/** What follows an undecoded line may vary its disqualification, unless the line shows that it is of another type. */
function passOver({ bytes }: UnreadableRow, draft: Draft): [] {
  const type = Buffer.from(bytes, "base64").toString("latin1").charAt(0);
  if (type !== "3" && type !== "4") draft.current = null;
  return [];
}

function addLine(row: RawRow, draft: Draft): { kind: "skipped" } {
  const type = row.text.charAt(0);
  if (!/[1234]/.test(type)) throw new RecordError(`is not known: ${type}`, "record_type");
  if (type === "1") beginPerson(row, draft);
  else if (!draft.begun) throw new RecordError("belongs to a person whose own record is not in the file");
  else if (type === "2") addDisqualification(row.text, draft.begun.address, draft);
  else if (type === "3") draft.permissions.push(normalisePermission(readPermissionLine(row.text)));
  else addVariation(row.text, draft.current);
  return { kind: "skipped" };
}

function beginPerson(row: RawRow, draft: Draft): void {
  if (draft.begun) throw new RecordError("the person has a record already");
  const raw = readPersonLine(row.text);
  const person = normalisePerson(raw, draft.warnings);
  draft.begun = { row, person, address: normalisePersonAddress(raw) };
}

function addDisqualification(text: string, address: Disqualification["address"], draft: Draft): void {
  draft.current = null;
  const added = normaliseDisqualification(readDisqualificationLine(text), address, draft.warnings);
  const known = draft.disqualifications.find((item) => isSameDisqualification(item, added));
  if (known) addCompanies(known, added.company_names ?? []);
  else draft.disqualifications.push(added);
  draft.current = known ?? added;
}

function addCompanies(known: Disqualification, names: string[]): void {
  const all = new Set([...(known.company_names ?? []), ...names]);
  if (all.size > 0) known.company_names = [...all];
}

function addVariation(text: string, current: Disqualification | null): void {
  if (!current) throw new RecordError("follows no disqualification that could be read");
  const variation = normaliseVariation(readVariationLine(text));
  const isLatest = !current.last_variation || current.last_variation.varied_on <= variation.varied_on;
  if (isLatest) current.last_variation = variation;
}

function finishPerson({ row, person }: NonNullable<Draft["begun"]>, draft: Draft, tells: string): Outcome {
  return toOutcome(row, (warnings) => {
    const { permissions, disqualifications } = draft;
    if (disqualifications.length === 0)
      throw new RecordError("no disqualification of this person could be read");
    const data: DisqualifiedOfficer = {
      ...person,
      disqualifications: [...disqualifications].sort(compareDisqualifications),
      ...(permissions.length > 0 && { permissions_to_act: permissions }),
    };
    warnings.push(...draft.warnings);
    return { kind: "record", record: disqualifiedOfficerRecord, data, tells };
  });
}
