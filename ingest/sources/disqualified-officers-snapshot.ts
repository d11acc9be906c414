/**
 * The snapshot of disqualified persons, Prod192 (bulk formats 4).
 *
 * Publisher: the registrar, every Saturday; 3.5 MB, 16,000 lines. Text, LF, UTF-8; positions count
 * characters. It has only disqualifications in force: ended ones disappear with all their lines.
 * - A person's lines make one record, reported for the line of type 1; the others count as skipped.
 * - Lines of type 2 with equal start, end, section, type and case are one disqualification for several companies.
 * - Of several variations the latest is stored. Permissions to act belong to the person, as in the API.
 * - Blank fields leave stored values: the file lacks honours (in practice), separate premises and the court
 *   of a permission. Disqualifications and permissions that it does not list are removed.
 * - If a line of a person is refused, nothing of the person is removed; good lines add and change. A person
 *   without a readable disqualification stays as stored.
 * - Kept with a warning: an unknown type; an unknown section, which has no description; a variation without a day,
 *   which gets the day of the order.
 * - Only the line is refused: one without start, end, section or type (the API requires them), a variation that follows
 *   no readable disqualification, a second line of type 1.
 * - Refused: lines without a line of type 1 for their person. They may belong to the person before, under a wrong
 *   number, so that person counts as having a refused line. Limit: not across two batches.
 */
import {
  compareDisqualifications,
  isSameDisqualification,
} from "../../api/resources/disqualified-officer/normalise.ts";
import {
  corporateMemberSchemas,
  naturalMemberSchemas,
  type Disqualification,
  type DisqualificationReason,
  type Variation,
} from "../../api/resources/disqualified-officer/members.ts";
import { disqualifiedOfficerRecord } from "../../api/resources/disqualified-officer/record.ts";
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
  type MemberRules,
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
  mergeRules: {
    [WHOLE]: { rules: rulesOf(true), replaces: [WHOLE, IN_PART] },
    [IN_PART]: { rules: rulesOf(false), replaces: [] },
  },
  completeness: { records: [disqualifiedOfficerRecord], members: [], covers: () => true },
});

/** True for a group without a line of type 1. Undecodable lines after the trailer are in the trailer's group. */
function isStray(group: ReadRow[] = []): boolean {
  const isOwn = (row: ReadRow) => !isUnreadable(row) && (row.text.startsWith("1") || isTrailer(row.text));
  return group.length > 0 && !group.some(isOwn);
}

/** Each company and each variation has its own line, so the lists of a whole person are complete. */
function rulesOf(isWhole: boolean): MemberRules {
  const texts = mergeLists<unknown>(isWhole, says, richer);
  const ofOne: MemberRules = {
    ...each(["case_identifier", "court_name", "heard_on", "undertaken_on"], value),
    address,
    company_names: texts,
    // Both are of one section. If the file's section is unknown here, another source may have given a description.
    reason: given((stored: DisqualificationReason, incoming: DisqualificationReason) => ({
      ...stored,
      ...incoming,
    })),
    last_variation: given((stored: Variation, incoming: Variation) =>
      !isWhole && stored.varied_on > incoming.varied_on ? stored : richer(stored, incoming),
    ),
  };
  // The casts: all items are disqualifications.
  const mergeOne = (stored: object, incoming: object) =>
    mergeRecords(stored, incoming, ofOne) as Disqualification;
  const disqualifications = mergeLists(isWhole, isSameDisqualification, mergeOne);
  const members = [...Object.keys(naturalMemberSchemas), ...Object.keys(corporateMemberSchemas)];
  return {
    ...each([...members, "kind", "person_number"], value),
    disqualifications: (...values) =>
      (disqualifications(...values) as Disqualification[]).sort(compareDisqualifications),
    // The file has them in one field with the first forename.
    other_forenames: besides("forename"),
    permissions_to_act: (stored, incoming, records) =>
      isWhole && incoming === undefined ? undefined : texts(stored, incoming, records),
  };
}

/** Merges lists item by item; items missing from a whole list are removed. */
function mergeLists<Item>(
  isWhole: boolean,
  isSame: (stored: Item, incoming: Item) => boolean,
  merge: (stored: Item, incoming: Item) => Item,
): MemberMerge {
  return given((stored: Item[], incoming: Item[]) => {
    const find = (item: Item) => stored.find((before) => isSame(before, item));
    const settle = (before?: Item, item?: Item) =>
      (before && item ? merge(before, item) : (item ?? before)) as Item; // one of them is there
    if (isWhole) return incoming.map((item) => settle(find(item), item));
    const findIncoming = (before: Item) => incoming.find((item) => isSame(before, item));
    const kept = stored.map((before) => settle(before, findIncoming(before)));
    return [...kept, ...incoming.filter((item) => find(item) === undefined)];
  });
}
