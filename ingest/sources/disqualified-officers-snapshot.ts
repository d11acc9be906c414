/**
 * Owns the snapshot of disqualified persons, Prod192 (bulk formats 4), and how it is merged with what is stored.
 *
 * Publisher: the registrar, every Saturday; 3.5 MB, 16,000 lines. Text, LF, UTF-8; positions count characters. It holds
 * disqualifications in force only: one that ended vanishes with all its lines.
 *
 * - The lines of a person make one record, whose outcome stands at the line of type 1; the others count as skipped.
 * - Lines of type 2 with equal start, end, section, type and case are one disqualification of several companies.
 * - Of several variations the latest stays; exemptions belong to the person, as in the API.
 * - Blank fields leave what is stored: the file lacks honours in practice, separate premises, and the court of a permission.
 *   Disqualifications and permissions that it does not list are removed.
 * - While a line of a person is refused, nothing is removed of that person; what the good lines say is added or changed. A
 *   person of whom no disqualification could be read stays as stored.
 * - Refused, the person's other lines being kept: what the API requires and a line lacks (start, end, a known section and
 *   type), a variation that follows no disqualification that could be read, a second line of type 1.
 * - Refused too: lines whose person has no line of type 1. Such a line may be one of the person before it, its number being
 *   wrong, so that this person counts as one with a refused line.
 *
 * Limit: that person does not, where a batch ends between the two.
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
  corporateMemberSchemas,
  naturalMemberSchemas,
  type Disqualification,
  type DisqualifiedOfficer,
  type PermissionToAct,
  type Variation,
} from "../../api/resources/disqualified-officer/record.ts";
import { cutGroups, isUnreadable, textOf, type ReadRow } from "../readers/read-rows.ts";
import {
  address,
  besides,
  each,
  given,
  mergeRecords,
  richer,
  says,
  value,
  type MemberMerge,
  type Telling,
} from "../statements/merge.ts";
import { defineSource, toOutcome, type Outcome, type RawRow } from "./define-source.ts";
import {
  readDisqualificationLine,
  readPermissionLine,
  readPersonLine,
  readVariationLine,
} from "./disqualified-officers-layout.ts";
import { frameOf } from "./frame.ts";

// Names of the rules for a person of whom every line was read, and for one of whom some line was not.
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
  ...framed,
  mapRows: (rows, _context, unreadable = []) => {
    const inFileOrder = [...rows, ...unreadable].toSorted((a, b) => a.line - b.line);
    const groups = cutGroups<ReadRow>(inFileOrder, framed.groupKey);
    return groups.flatMap((group, at) => mapPersonLines(group, !isStray(groups[at + 1])));
  },
  tellings: {
    [WHOLE]: { rules: rulesOf({ isWhole: true }), outdates: [WHOLE, IN_PART] },
    [IN_PART]: { rules: rulesOf({ isWhole: false }), outdates: [] },
  },
  completeness: { records: [disqualifiedOfficerRecord], members: [], covers: () => true },
});

/** True for lines whose own person is not there. Undecoded lines behind the trailer are of its group. */
function isStray(group: ReadRow[] = []): boolean {
  const isOwn = (row: ReadRow) => !isUnreadable(row) && (row.text.startsWith("1") || isTrailer(row.text));
  return group.length > 0 && !group.some(isOwn);
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

/** The lines of one person to outcomes, in file order. `isWhole`: no line of the person is elsewhere. */
function mapPersonLines(rows: ReadRow[], isWhole: boolean): Outcome[] {
  const draft: Draft = { disqualifications: [], current: null, permissions: [], warnings: [] };
  const outcomes = rows.flatMap((row) => {
    // What follows a line that cannot be read may vary the disqualification of that one, unless it shows another type.
    if (!/^[134]/.test(textOf(row))) draft.current = null;
    return isUnreadable(row) ? [] : toOutcome(row, () => addLine(row, draft));
  });
  const isEachRead = outcomes.length === rows.length && outcomes.every(({ kind }) => kind === "skipped");
  const tells = isWhole && isEachRead ? WHOLE : IN_PART;
  return outcomes.map((outcome) =>
    outcome.row === draft.begun?.row ? finishPerson(draft.begun, draft, tells) : outcome,
  );
}

function addLine(row: RawRow, draft: Draft): { kind: "skipped" } {
  if (isTrailer(row.text)) return { kind: "skipped" };
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
  const added = normaliseDisqualification(readDisqualificationLine(text), address, draft.warnings);
  const known = draft.disqualifications.find((item) => isSameDisqualification(item, added));
  const names = new Set([...(known?.company_names ?? []), ...(added.company_names ?? [])]);
  if (known && names.size > 0) known.company_names = [...names];
  if (!known) draft.disqualifications.push(added);
  draft.current = known ?? added;
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

/** How a person is merged with the stored one. Each company and each variation has a line of its own, too. */
function rulesOf({ isWhole }: { isWhole: boolean }): Telling {
  const names = listed<string>({ isWhole, isSame: says, merge: richer });
  const permissions = listed<PermissionToAct>({ isWhole, isSame: says, merge: richer });
  const ofOne: Telling = {
    ...each(["case_identifier", "court_name", "heard_on", "reason", "undertaken_on"], value),
    address,
    company_names: names,
    last_variation: given((held: Variation, incoming: Variation) =>
      !isWhole && held.varied_on > incoming.varied_on ? held : richer(held, incoming),
    ),
  };
  // The casts: all of them are disqualifications.
  const disqualifications = listed<Disqualification>({
    ...{ isWhole, isSame: isSameDisqualification },
    merge: (held, incoming) => mergeRecords(held, incoming, ofOne) as Disqualification,
  });
  return {
    ...each(Object.keys({ ...naturalMemberSchemas, ...corporateMemberSchemas }), value),
    ...each(["kind", "person_number"], value),
    disqualifications: (...told) =>
      (disqualifications(...told) as Disqualification[]).sort(compareDisqualifications),
    // Of one field with the first forename.
    other_forenames: besides("forename"),
    permissions_to_act: (held, incoming, records) =>
      isWhole && incoming === undefined ? undefined : permissions(held, incoming, records),
  };
}

/** Merges lists item by item; what a whole one lacks is gone. */
function listed<Item>(how: {
  isWhole: boolean;
  isSame: (held: Item, incoming: Item) => boolean;
  merge: (held: Item, incoming: Item) => Item;
}): MemberMerge {
  const { isWhole, isSame, merge } = how;
  return given((held: Item[], incoming: Item[]) => {
    const find = (item: Item) => held.find((before) => isSame(before, item));
    const told = incoming.map((item) => {
      const before = find(item);
      return before === undefined ? item : merge(before, item);
    });
    if (isWhole) return told;
    const kept = held.map((before) => {
      const item = incoming.find((one) => isSame(before, one));
      return item === undefined ? before : merge(before, item);
    });
    return [...kept, ...incoming.filter((item) => find(item) === undefined)];
  });
}
