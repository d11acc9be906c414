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
import {
  address,
  besides,
  given,
  mergeRecords,
  richer,
  says,
  value,
  type Telling,
} from "../statements/merge.ts";

const OF_DISQUALIFICATION: Telling = {
  address,
  case_identifier: value,
  company_names: value,
  court_name: value,
  heard_on: value,
  last_variation: value,
  reason: value,
  undertaken_on: value,
};

const OF_DISQUALIFICATION_IN_PART: Telling = {
  ...OF_DISQUALIFICATION,
  // Each of its companies and variations has a line of its own, which may be the refused one.
  company_names: given((held: string[], incoming: string[]) => add(held, incoming, says)),
  last_variation: given((held: Variation, incoming: Variation) =>
    held.varied_on > incoming.varied_on ? held : richer(held, incoming),
  ),
};

const mergePermissions = given((held: PermissionToAct[], incoming: PermissionToAct[]) =>
  incoming.map((item) => held.find((before) => says(before, item)) ?? item),
);

/** All but the id, which is the API's to give. */
export const DISQUALIFIED_TELLING: Telling = {
  company_number: value,
  country_of_registration: value,
  date_of_birth: value,
  disqualifications: given((held: Disqualification[], incoming: Disqualification[]) =>
    incoming.map((item) => mergeSame(held.find(sameAs(item)), item, OF_DISQUALIFICATION)),
  ),
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
};

/** Of a person of whom a line was refused: what the others do not list may be what that line says. */
export const DISQUALIFIED_IN_PART_TELLING: Telling = {
  ...DISQUALIFIED_TELLING,
  disqualifications: given((held: Disqualification[], incoming: Disqualification[]) => {
    const kept = held.map((before) => {
      const same = incoming.find(sameAs(before));
      return same ? mergeSame(before, same, OF_DISQUALIFICATION_IN_PART) : before;
    });
    return add(kept, incoming, isSameDisqualification).sort(compareDisqualifications);
  }),
  permissions_to_act: given((held: PermissionToAct[], incoming: PermissionToAct[]) =>
    add(held, incoming, says),
  ),
};

function sameAs(item: Disqualification) {
  return (other: Disqualification) => isSameDisqualification(other, item);
}

function mergeSame(held: Disqualification | undefined, incoming: Disqualification, telling: Telling) {
  // The cast: both are disqualifications.
  return held ? (mergeRecords(held, incoming, telling) as Disqualification) : incoming;
}

function add<Item>(held: Item[], incoming: Item[], isSame: (held: Item, incoming: Item) => boolean): Item[] {
  return [...held, ...incoming.filter((item) => !held.some((before) => isSame(before, item)))];
}
