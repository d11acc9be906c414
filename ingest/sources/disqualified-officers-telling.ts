/**
 * Owns what the file of disqualified persons tells of one who is held, and how: one table. It lacks honours in practice,
 * separate premises, and the court of a permission (bulk formats 4), so that absent values leave what is held. What is no
 * more in force vanishes from it: disqualifications and permissions that it does not list are gone.
 */
import { isSameDisqualification } from "../../api/resources/disqualified-officer/normalise.ts";
import type { Disqualification, PermissionToAct } from "../../api/resources/disqualified-officer/record.ts";
import { address } from "../merge-address.ts";
import { besides, given, mergeRecords, says, value, type Telling } from "../merge.ts";

const mergePermissions = given((held: PermissionToAct[], incoming: PermissionToAct[]) =>
  incoming.map((item) => held.find((before) => says(before, item)) ?? item),
);

/** All but the id, which is the API's to give. */
export const DISQUALIFIED_TELLING: Telling = {
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
};

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

function mergeDisqualifications(held: Disqualification[], incoming: Disqualification[]): Disqualification[] {
  return incoming.map((item) => {
    const same = held.find((before) => isSameDisqualification(before, item));
    // The cast: both are disqualifications.
    return same ? (mergeRecords(same, item, OF_DISQUALIFICATION) as Disqualification) : item;
  });
}
