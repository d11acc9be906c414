/**
 * Owns what the file of disqualified persons tells of one who is held, and how: one table. It lacks honours in practice,
 * separate premises, and the court of a permission (bulk formats 4), so that absent values leave what is held. What is no
 * more in force vanishes from it: disqualifications and permissions that it does not list are gone. Of a person of whom a
 * line was refused that cannot be said: a second table adds and changes, and takes nothing away.
 */
import {
  compareDisqualifications,
  isSameDisqualification,
} from "../../api/resources/disqualified-officer/normalise.ts";
import type {
  Disqualification,
  PermissionToAct,
  Variation,
} from "../../api/resources/disqualified-officer/record.ts";
import { address } from "../statements/merge-address.ts";
import { besides, given, mergeRecords, richer, says, value, type Telling } from "../statements/merge.ts";

const mergePermissions = given((held: PermissionToAct[], incoming: PermissionToAct[]) =>
  incoming.map((item) => held.find((before) => says(before, item)) ?? item),
);

/** All but the id, which is the API's to give. */
export const DISQUALIFIED_TELLING = {
  company_number: value,
  country_of_registration: value,
  date_of_birth: value,
  disqualifications: given(mergeDisqualifications),
  forename: value,
  honours: value,
  kind: value,
  name: value,
  nationality: value,
  // Of one field with the first forename.
  other_forenames: besides("forename"),
  permissions_to_act: (held, incoming, records) => incoming && mergePermissions(held, incoming, records),
  person_number: value,
  surname: value,
  title: value,
} satisfies Telling;

/** Of a person of whom a line was refused: what the others do not list may be what that line says. */
export const DISQUALIFIED_IN_PART_TELLING: Telling = {
  ...DISQUALIFIED_TELLING,
  disqualifications: given(addDisqualifications),
  permissions_to_act: given(addPermissions),
};

const OF_DISQUALIFICATION = {
  address,
  case_identifier: value,
  company_names: value,
  court_name: value,
  heard_on: value,
  last_variation: value,
  reason: value,
  undertaken_on: value,
} satisfies Telling;

const OF_DISQUALIFICATION_IN_PART: Telling = {
  ...OF_DISQUALIFICATION,
  // Each of its companies and variations has a line of its own, which may be the refused one.
  company_names: given(addNames),
  last_variation: given(laterOf),
};

function mergeDisqualifications(held: Disqualification[], incoming: Disqualification[]): Disqualification[] {
  return incoming.map((item) => {
    const same = held.find((before) => isSameDisqualification(before, item));
    // The cast: both are disqualifications.
    return same ? (mergeRecords(same, item, OF_DISQUALIFICATION) as Disqualification) : item;
  });
}

function addDisqualifications(held: Disqualification[], incoming: Disqualification[]): Disqualification[] {
  const kept = held.map((before) => {
    const same = incoming.find((item) => isSameDisqualification(before, item));
    // The cast: both are disqualifications.
    return same ? (mergeRecords(before, same, OF_DISQUALIFICATION_IN_PART) as Disqualification) : before;
  });
  const added = incoming.filter((item) => !held.some((before) => isSameDisqualification(before, item)));
  return [...kept, ...added].sort(compareDisqualifications);
}

function addPermissions(held: PermissionToAct[], incoming: PermissionToAct[]): PermissionToAct[] {
  return [...held, ...incoming.filter((item) => !held.some((before) => says(before, item)))];
}

function addNames(held: string[], incoming: string[]): string[] {
  return [...held, ...incoming.filter((name) => !held.some((before) => says(before, name)))];
}

function laterOf(held: Variation, incoming: Variation): Variation {
  return held.varied_on > incoming.varied_on ? held : richer(held, incoming);
}
