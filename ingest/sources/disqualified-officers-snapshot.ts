/**
 * Owns the snapshot of disqualified persons, Prod192 (bulk formats 4), and how it is merged with what is stored.
 *
 * Publisher: the registrar, every Saturday; 3.5 MB, 16,000 lines. Text, LF, UTF-8; positions count characters. It holds
 * disqualifications in force only: one that ended vanishes with all its lines.
 *
 * - The lines of a person make one record, which is that of the line of type 1; the others count as skipped.
 * - Lines of type 2 with equal start, end, section, type and case are one disqualification of several companies.
 * - Of several variations the latest stays; exemptions belong to the person, as in the API.
 * - Blank fields leave what is stored: the file lacks honours in practice, separate premises, and the court of a permission.
 *   Disqualifications and permissions that it does not list are removed.
 * - While a line of a person is refused, nothing is removed of that person; what the good lines say is added or changed. A
 *   person of whom no disqualification could be read stays as stored.
 * - Refused, the person's other lines being kept: what the API requires and a line lacks (start, end, a known section and
 *   type), a variation that follows no disqualification that could be read, a second line of type 1.
 * - Refused too: lines whose person has no line of type 1. Such a line may be one of the person before it, its number being
 *   wrong, so that this person counts as one with a refused line. Limit: not where a batch ends between the two.
 */
import {
  compareDisqualifications,
  isSameDisqualification,
} from "../../api/resources/disqualified-officer/normalise.ts";
import {
  disqualifiedOfficerRecord,
  corporateMemberSchemas,
  naturalMemberSchemas,
  type Disqualification,
  type Variation,
} from "../../api/resources/disqualified-officer/record.ts";
import { cutGroups, isUnreadable, type ReadRow } from "../readers/read-rows.ts";
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
import { defineSource } from "./define-source.ts";
import { framed, IN_PART, isTrailer, mapPersonLines, WHOLE } from "./disqualified-officers-layout.ts";

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
    [WHOLE]: { rules: rulesOf(true), outdates: [WHOLE, IN_PART] },
    [IN_PART]: { rules: rulesOf(false), outdates: [] },
  },
  completeness: { records: [disqualifiedOfficerRecord], members: [], covers: () => true },
});

/** True for lines whose own person is not there. Undecoded lines behind the trailer are of its group. */
function isStray(group: ReadRow[] = []): boolean {
  const isOwn = (row: ReadRow) => !isUnreadable(row) && (row.text.startsWith("1") || isTrailer(row.text));
  return group.length > 0 && !group.some(isOwn);
}

/** How a person is merged with the stored one. Each company and each variation has a line of its own, too. */
function rulesOf(isWhole: boolean): Telling {
  const texts = listed<unknown>(isWhole, says, richer);
  const ofOne: Telling = {
    ...each(["case_identifier", "court_name", "heard_on", "reason", "undertaken_on"], value),
    address,
    company_names: texts,
    last_variation: given((held: Variation, incoming: Variation) =>
      !isWhole && held.varied_on > incoming.varied_on ? held : richer(held, incoming),
    ),
  };
  // The casts: all of them are disqualifications.
  const mergeOne = (held: object, incoming: object) =>
    mergeRecords(held, incoming, ofOne) as Disqualification;
  const disqualifications = listed(isWhole, isSameDisqualification, mergeOne);
  const members = [...Object.keys(naturalMemberSchemas), ...Object.keys(corporateMemberSchemas)];
  return {
    ...each([...members, "kind", "person_number"], value),
    disqualifications: (...told) =>
      (disqualifications(...told) as Disqualification[]).sort(compareDisqualifications),
    // Of one field with the first forename.
    other_forenames: besides("forename"),
    permissions_to_act: (held, incoming, records) =>
      isWhole && incoming === undefined ? undefined : texts(held, incoming, records),
  };
}

/** Merges lists item by item; what a whole one lacks is gone. */
function listed<Item>(
  isWhole: boolean,
  isSame: (held: Item, incoming: Item) => boolean,
  merge: (held: Item, incoming: Item) => Item,
): MemberMerge {
  return given((held: Item[], incoming: Item[]) => {
    const find = (item: Item) => held.find((before) => isSame(before, item));
    const settle = (before?: Item, item?: Item) =>
      (before && item ? merge(before, item) : (item ?? before)) as Item; // one of them is there
    if (isWhole) return incoming.map((item) => settle(find(item), item));
    const findTold = (before: Item) => incoming.find((item) => isSame(before, item));
    const kept = held.map((before) => settle(before, findTold(before)));
    return [...kept, ...incoming.filter((item) => find(item) === undefined)];
  });
}
