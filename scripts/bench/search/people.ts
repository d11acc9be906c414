/** Owns people as the indices have them: who stands in a document, and who of the officers is made a disqualified one. Pure. */
import type { Address } from "../../../api/shared/values/address.ts";
import { deriveId } from "../../../api/shared/values/identifiers.ts";
import type { StoredRecord } from "../../../api/shared/definitions/define-record.ts";
import type { DisqualifiedOfficer } from "../../../api/resources/disqualified-officer/members.ts";
import { disqualifiedOfficerRecord } from "../../../api/resources/disqualified-officer/record.ts";
import type { SearchDocument } from "../../../api/shared/definitions/define-index.ts";
import type { IndexedPerson } from "./sample.ts";

/** The members of which the records of people have some. */
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

/** What the documents of people show. */
interface ShownPerson {
  date_of_birth?: string | { month: number; year: number };
  address?: Address;
}

// Invented: the generator makes no disqualifications. One in fifty officers is many more than in life.
const OFFICERS_TO_EACH_DISQUALIFIED = 50;
const DAYS = 28;

/** The person of a document, made from these records; null for a body, and for a name without a forename. */
export function readPerson(document: SearchDocument, records: readonly StoredRecord[]): IndexedPerson | null {
  const parts = namePartsOf(records);
  if (!parts?.forename || !parts.surname) return null;
  const shown = document.shown as ShownPerson; // the document of an index of people
  return {
    id: String(document.id),
    forename: parts.forename,
    otherForenames: parts.other_forenames ?? parts.middle_name,
    surname: parts.surname,
    birth: formatBirth(shown.date_of_birth),
    address: shown.address,
  };
}

/** The disqualified officer that is made of each fiftieth officer, who is known by this document; null of any other. */
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
    const person = data as PersonData; // the records of an index of people
    const parts = person.name_elements ?? person;
    if (parts.surname) return parts;
  }
  return undefined;
}

/** `YYYY-MM`, or `YYYY-MM-DD` where the day is known. */
export function formatBirth(birth: ShownPerson["date_of_birth"]): string | undefined {
  if (typeof birth === "string") return birth;
  return birth && `${birth.year}-${String(birth.month).padStart(2, "0")}`;
}
