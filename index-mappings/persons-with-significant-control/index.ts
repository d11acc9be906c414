/** The index of persons with significant control: one document for each notification. */
import { LEADING_TITLE } from "../../api/resources/leading-title.ts";
import { findPscKind } from "../../api/resources/person-with-significant-control/kinds.ts";
import {
  pscRecord,
  type Psc,
  type StoredPsc,
} from "../../api/resources/person-with-significant-control/record.ts";
import { pickMembers } from "../../api/shared/values/members.ts";
import { defineIndex, type SearchDocument } from "../../api/shared/definitions/define-index.ts";
import { personTitle, readName } from "../names/entries.ts";
import { searchedPeople } from "../names/mapping.ts";
import type { PersonNameParts } from "../names/person-name.ts";
import { birthMonthKey, placeFields } from "../places.ts";
import { SEARCHED_KEYWORD } from "../fields.ts";

const SHOWN_MEMBERS = [
  "kind",
  "company_number",
  "date_of_birth",
  "address",
  "natures_of_control",
  "notified_on",
  "ceased_on",
] as const satisfies (keyof Psc)[];

/** The members that answers of the searches for persons with significant control show. */
export type ShownPsc = Pick<Psc, (typeof SHOWN_MEMBERS)[number]> & {
  title: string;
  /** True for a body; absent for a person. */
  is_corporate?: true;
};

const SPACES = /\s+/;

/** The search document of a person with significant control; null for the super-secure, who have no name. */
function pscDocument([record]: StoredPsc[]): SearchDocument | null {
  if (!record) return null;
  const { data: psc, is_ceased } = record;
  if (psc.name === undefined) return null;
  const isIndividual = findPscKind(psc.kind)?.subject === "individual";
  const parts = isIndividual ? partsOf(psc, psc.name) : undefined;
  const name = readName({ name: parts ? personTitle(parts) : psc.name, current: true }, parts);
  if (!name?.orderKey) return null;
  const { entry, orderKey, words } = name;
  return {
    kind: "person-with-significant-control",
    id: psc.notification_id,
    // Among equal matches, current control comes first.
    status_rank: is_ceased ? 1 : 0,
    words,
    order_key: orderKey,
    born: psc.date_of_birth && birthMonthKey(psc.date_of_birth),
    ...placeFields([psc.address, psc.principal_office_address]),
    companies: [psc.company_number],
    names: [entry],
    shown: {
      title: entry.name,
      is_corporate: isIndividual ? undefined : true,
      ...pickMembers(psc, SHOWN_MEMBERS),
    },
  };
}

/** Some records have an individual's name only as one text; its last word is taken as the surname. */
function partsOf({ name_elements }: Psc, name: string): PersonNameParts & { title?: string | undefined } {
  if (name_elements) {
    const { title, forename, middle_name, surname } = name_elements;
    return { title, forename, other_forenames: middle_name, surname };
  }
  const words = name.trim().replace(LEADING_TITLE, "").trim().split(SPACES);
  const forenames = words.slice(0, -1).join(" ");
  return { ...(forenames && { forename: forenames }), surname: words.at(-1) };
}

export const personsWithSignificantControlIndex = defineIndex({
  name: "persons-with-significant-control",
  version: 1,
  ...searchedPeople({ companies: SEARCHED_KEYWORD }),
  record: pscRecord,
  groupBy: "_id",
  document: pscDocument,
});
