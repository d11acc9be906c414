/** Reads the person of a search document, and makes disqualified officers from some officers. Pure. */
import type { Address } from "../../../api/shared/values/address.ts";
import { deriveId } from "../../../api/shared/values/identifiers.ts";
import type { StoredRecord } from "../../../api/shared/definitions/define-record.ts";
import type { DisqualifiedOfficer } from "../../../api/resources/disqualified-officer/members.ts";
import { disqualifiedOfficerRecord } from "../../../api/resources/disqualified-officer/record.ts";
import type { SearchDocument } from "../../../api/shared/definitions/define-index.ts";
import type { IndexedPerson } from "./sample.ts";

/** Members of the records of people; each kind of record has some of them. */
interface PersonData extends NameParts {
  name_elements?: NameParts;
}

interface NameParts {
  title?: string;
  forename?: string;
  other_forenames?: string;
  middle_name?: string;
  surname?: string;
}

/** The shown members of the documents of people. */
interface ShownPerson {
  date_of_birth?: string | { month: number; year: number };
  address?: Address;
}

// The generator makes no disqualifications, so every fiftieth officer becomes disqualified: far more than in reality.
const OFFICERS_TO_EACH_DISQUALIFIED = 50;
const DAYS = 28;

/** The person of a document that these records make; null for a corporate body, or if there is no forename. */
export function readPerson(document: SearchDocument, records: readonly StoredRecord[]): IndexedPerson | null {
  const parts = namePartsOf(records);
  if (!parts?.forename || !parts.surname) return null;
  const shown = document.shown as ShownPerson; // callers give documents of people
  return {
    id: String(document.id),
    forename: parts.forename,
    otherForenames: parts.other_forenames ?? parts.middle_name,
    surname: parts.surname,
    birth: formatBirth(shown.date_of_birth),
    address: shown.address,
  };
}

/** Makes a disqualified officer from a document's officer if `position` is a multiple of fifty; otherwise null. */
export function disqualify(
  position: number,
  document: SearchDocument,
  records: readonly StoredRecord[],
): StoredRecord | null {
  const person = position % OFFICERS_TO_EACH_DISQUALIFIED === 0 ? readPerson(document, records) : null;
  if (!person?.birth) return null;
  const { forename, surname, otherForenames, birth, address = {} } = person;
  const officer: DisqualifiedOfficer = {
    officer_id: deriveId("bench-disqualified", person.id),
    kind: "natural-disqualification",
    forename,
    ...(otherForenames && { other_forenames: otherForenames }),
    surname,
    date_of_birth: `${birth}-${String(1 + (position % DAYS)).padStart(2, "0")}`,
    nationality: "British",
    disqualifications: [
      {
        address,
        disqualification_type: "court-order",
        disqualified_from: "2020-01-01",
        disqualified_until: position % 3 === 0 ? "2022-12-31" : "2034-12-31",
        reason: {
          description_identifier: "order-or-undertaking-and-reporting-provisions",
          act: "company-directors-disqualification-act-1986",
          section: "6",
        },
      },
    ],
  };
  const keys = disqualifiedOfficerRecord.keysOf(officer);
  return { ...keys, _id: disqualifiedOfficerRecord.identify(officer), etag: "", revision: 1, data: officer };
}

function namePartsOf(records: readonly StoredRecord[]): NameParts | undefined {
  for (const { data } of records) {
    const person = data as PersonData; // callers give records of people
    const parts = person.name_elements ?? person;
    if (parts.surname) return parts;
  }
  return undefined;
}

/** A birth as text: `YYYY-MM`, or `YYYY-MM-DD` if the day is known. */
export function formatBirth(birth: ShownPerson["date_of_birth"]): string | undefined {
  if (typeof birth === "string") return birth;
  return birth && `${birth.year}-${String(birth.month).padStart(2, "0")}`;
}
