/**
 * Disqualifications that are probably an officer's: found by name and month of birth and rated by place, or found by
 * the number that the register gives a person.
 */
import type { Address } from "../../shared/values/address.ts";
import type { Page, RecordReader } from "../../shared/definitions/record-reader.ts";
import { deriveLikeness, foldLetters } from "../disqualified-officer/likeness.ts";
import type { DisqualifiedOfficer } from "../disqualified-officer/members.ts";
import {
  disqualifiedOfficerRecord,
  segmentOf,
  type StoredDisqualifiedOfficer,
} from "../disqualified-officer/record.ts";
import { DATE, objectWithOptional, listOf } from "../../shared/schemas/schemas.ts";
import { personOf } from "../officer-appointment/identity.ts";
import type { Appointment, StoredAppointment } from "../officer-appointment/record.ts";

// Limit: most disqualified people that are shown. The register has at most two or three of one name and month of birth,
// or of one number.
const MOST = 10;

const AGREEMENTS = ["name", "date_of_birth", "postcode", "locality", "person_number"] as const;

/** Disqualified people with the name and month of birth, or the number, of these appointments; likely ones first. */
export async function fetchLikelyDisqualifications(
  records: RecordReader,
  appointments: readonly StoredAppointment[],
) {
  const people = appointments.map(({ data }) => data);
  const likeness = new Set(people.flatMap(keysOf));
  const person = new Set(
    people.flatMap(({ person_number }) => (person_number ? personOf(person_number) : [])),
  );
  const fetch = (key: "likeness" | "person", values: ReadonlySet<string>) => {
    const page: Page = { filter: { [key]: [...values] }, sort: [["officer_id", 1]], skip: 0, limit: MOST };
    return values.size > 0 ? records.fetchPage(disqualifiedOfficerRecord, page) : [];
  };
  const found = await Promise.all([fetch("likeness", likeness), fetch("person", person)]);
  const distinct = new Map(found.flat().map((officer) => [officer._id, officer]));
  const weighed = [...distinct.values()].map((officer) =>
    weigh(officer, people, likeness.has(officer.likeness)),
  );
  const ranked = weighed.toSorted(
    (a, b) => Number(b.likelihood === "likely") - Number(a.likelihood === "likely"),
  );
  return ranked.slice(0, MOST);
}

/** The likeness keys of an appointment. Secretaries show no birth date, so another appointment may give it. */
function keysOf({ name_elements, date_of_birth }: Appointment, _at: number, all: Appointment[]): string[] {
  if (!name_elements) return [];
  const birth = date_of_birth ?? all.find((other) => other.date_of_birth)?.date_of_birth;
  return [deriveLikeness(name_elements, birth)].filter(Boolean);
}

function weigh({ data: officer }: StoredDisqualifiedOfficer, people: Appointment[], isAlike: boolean) {
  const here = officer.disqualifications.map(({ address }) => address);
  const there = people.flatMap(({ address }) => address ?? []);
  const agreements: Record<(typeof AGREEMENTS)[number], boolean> = {
    name: isAlike,
    date_of_birth: isAlike,
    postcode: haveOneOf("postal_code", here, there),
    locality: haveOneOf("locality", here, there),
    person_number: people.some((person) => isNumberOf(person, officer)),
  };
  const { postcode, locality, person_number } = agreements;
  return {
    link: `/disqualified-officers/${segmentOf(officer)}/${officer.officer_id}`,
    name: [officer.forename, officer.other_forenames, officer.surname?.toUpperCase(), officer.name]
      .filter(Boolean)
      .join(" "),
    disqualified_until: officer.disqualifications
      .map((disqualification) => disqualification.disqualified_until)
      .reduce((last, day) => (day > last ? day : last)),
    likelihood: postcode || locality || person_number ? "likely" : "possible",
    matched: AGREEMENTS.filter((agreement) => agreements[agreement]),
  };
}

function haveOneOf(member: "postal_code" | "locality", here: Address[], there: Address[]): boolean {
  const valuesOf = (addresses: Address[]) => addresses.map((address) => foldLetters(address[member] ?? ""));
  const known = new Set(valuesOf(there).filter(Boolean));
  return valuesOf(here).some((value) => known.has(value));
}

function isNumberOf(
  { person_number: one }: Appointment,
  { person_number: other }: DisqualifiedOfficer,
): boolean {
  return one !== undefined && other !== undefined && personOf(one) === personOf(other);
}

/** JSON Schema of the member. */
export const likelyDisqualificationsSchema = {
  description:
    "Disqualified people who may be this officer; absent where there are none. The link is inferred from an equal " +
    "surname, first forename, and month and year of birth, and from the place, or from the register's number of the person: " +
    "it is not certain that they are one person.",
  ...listOf(MOST, {
    title: "likely-disqualification",
    description: "A disqualified person who may be this officer.",
    ...objectWithOptional([], {
      link: {
        type: "string",
        pattern: "^/disqualified-officers/(natural|corporate)/[A-Za-z0-9_-]+$",
        description: "The disqualifications of that person.",
      },
      name: { type: "string", minLength: 1, description: "The name under which the person is disqualified." },
      disqualified_until: { ...DATE, description: "The day on which the last disqualification ends." },
      likelihood: {
        enum: ["likely", "possible"],
        description:
          "`likely`: the place agrees as well, or the register's number of the person does; `possible`: only name and birth agree.",
      },
      matched: {
        type: "array",
        description: "What agrees between the two people.",
        minItems: 1,
        items: { enum: [...AGREEMENTS] },
      },
    }),
  }),
};
