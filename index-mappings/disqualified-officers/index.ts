/** Owns the index of disqualified officers, persons and bodies, and what its documents are made from. */
import type { Address } from "../../api/shared/values/address.ts";
import type { DisqualifiedOfficer } from "../../api/resources/disqualified-officer/members.ts";
import {
  disqualifiedOfficerRecord,
  type StoredDisqualifiedOfficer,
} from "../../api/resources/disqualified-officer/record.ts";
import { defineIndex, type SearchDocument } from "../../api/shared/definitions/define-index.ts";
import { buildCompanyEntry, buildPersonEntry, personTitle } from "../names/entries.ts";
import { personNames, withNames } from "../names/mapping.ts";
import { placeFields } from "../places.ts";
import settings from "../settings.json" with { type: "json" };
import mapping from "./mapping.json" with { type: "json" };

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
  const naming = nameFields(officer);
  const [latest] = officer.disqualifications;
  return (
    naming && {
      kind: "disqualified-officer",
      id: officer.officer_id,
      // One group: whether a disqualification is in force depends on the day, so the search decides it.
      status_rank: 0,
      disqualified_until: lastDay(officer),
      words: naming.words,
      order_key: naming.orderKey,
      born: officer.date_of_birth?.slice(0, MONTH_CHARACTERS),
      ...placeFields(officer.disqualifications.map((disqualification) => disqualification.address)),
      names: [naming.entry],
      shown: {
        kind: officer.kind,
        title: naming.entry.name,
        date_of_birth: officer.date_of_birth,
        address: latest?.address,
      },
    }
  );
}

function nameFields(officer: DisqualifiedOfficer) {
  if (officer.kind === "corporate-disqualification") {
    const { entry, name } = buildCompanyEntry({ name: officer.name ?? "", current: true });
    return name.key ? { entry, orderKey: name.key, words: name.words.length } : null;
  }
  const built = buildPersonEntry({ name: personTitle(officer), current: true }, officer);
  return built && { entry: built.entry, orderKey: built.name.orderKey, words: built.name.forenames };
}

/** The day the last disqualification ends; ISO dates compare as texts. */
function lastDay(officer: DisqualifiedOfficer): string | undefined {
  const days = officer.disqualifications.map((disqualification) => disqualification.disqualified_until);
  return days.toSorted().at(-1);
}

export const disqualifiedOfficersIndex = defineIndex({
  name: "disqualified-officers",
  version: 3,
  mappings: withNames(mapping, personNames),
  settings,
  record: disqualifiedOfficerRecord,
  groupBy: "_id",
  document: disqualifiedOfficerDocument,
});
