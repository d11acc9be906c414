/** The index of disqualified officers, persons and bodies, and its documents. */
import type { Address } from "../../api/shared/values/address.ts";
import type { DisqualifiedOfficer } from "../../api/resources/disqualified-officer/members.ts";
import {
  disqualifiedOfficerRecord,
  type StoredDisqualifiedOfficer,
} from "../../api/resources/disqualified-officer/record.ts";
import { defineIndex, type SearchDocument } from "../../api/shared/definitions/define-index.ts";
import { personTitle, readName } from "../names/entries.ts";
import { searchedPeople } from "../names/mapping.ts";
import { placeFields } from "../places.ts";
import { DAY } from "../fields.ts";

/** The members that answers of the searches for disqualified officers show. */
export interface ShownDisqualifiedOfficer {
  kind: DisqualifiedOfficer["kind"];
  title: string;
  date_of_birth?: string;
  address?: Address;
}

const MONTH_CHARACTERS = "YYYY-MM".length;

/** A disqualified officer's search document; null when there is no name to find. */
function disqualifiedOfficerDocument([record]: StoredDisqualifiedOfficer[]): SearchDocument | null {
  if (!record) return null;
  const { data: officer } = record;
  const isBody = officer.kind === "corporate-disqualification";
  const title = isBody ? (officer.name ?? "") : personTitle(officer);
  const name = readName({ name: title, current: true }, isBody ? undefined : officer);
  if (!name?.orderKey) return null;
  const [latest] = officer.disqualifications;
  return {
    kind: "disqualified-officer",
    id: officer.officer_id,
    // All in one group: whether a disqualification is in force depends on the day of the search, which ranks by it.
    status_rank: 0,
    // ISO dates compare as texts.
    disqualified_until: officer.disqualifications
      .map((item) => item.disqualified_until)
      .sort()
      .at(-1),
    words: name.words,
    order_key: name.orderKey,
    born: officer.date_of_birth?.slice(0, MONTH_CHARACTERS),
    ...placeFields(officer.disqualifications.map((item) => item.address)),
    names: [name.entry],
    shown: { kind: officer.kind, title, date_of_birth: officer.date_of_birth, address: latest?.address },
  };
}

export const disqualifiedOfficersIndex = defineIndex({
  name: "disqualified-officers",
  version: 3,
  ...searchedPeople({ disqualified_until: DAY }),
  record: disqualifiedOfficerRecord,
  groupBy: "_id",
  document: disqualifiedOfficerDocument,
});
