/** Owns the disqualifications that are probably an officer's: found by name and month of birth, rated by place. */
import type { Address } from "../../shared/values/address.ts";
import type { RecordReader } from "../../shared/definitions/record-reader.ts";
import { deriveLikeness, foldLetters } from "../disqualified-officer/likeness.ts";
import type { DisqualifiedOfficer } from "../disqualified-officer/members.ts";
import { disqualifiedOfficerRecord, type StoredDisqualifiedOfficer } from "../disqualified-officer/record.ts";
import { DATE, objectWithOptional, listOf } from "../../shared/schemas/schemas.ts";
import { personOf } from "../officer-appointment/identity.ts";
import type { Appointment, StoredAppointment } from "../officer-appointment/record.ts";

// Limit: shown disqualified people of one name and month of birth; the register has two or three at most.
const MOST = 10;

const AGREEMENTS = ["name", "date_of_birth", "postcode", "locality", "person_number"] as const;
/** The disqualifications of people with the name and month of birth of these appointments, the likely ones first. */
export async function fetchLikelyDisqualifications(
  records: RecordReader,
  appointments: readonly StoredAppointment[],
) {
  const people = appointments.map(({ data }) => data);
  const likeness = [...new Set(people.flatMap(keysOf))];
  if (likeness.length === 0) return [];
  const found = await records.fetchPage(disqualifiedOfficerRecord, {
    filter: { likeness },
    sort: [["officer_id", 1]],
    skip: 0,
    limit: MOST,
  });
  const weighed = found.map((officer) => weigh(officer, people));
  return weighed.toSorted((a, b) => Number(b.likelihood === "likely") - Number(a.likelihood === "likely"));
}

/** Matches the name at an appointment; the month of birth may be at another one, since secretaries show none. */
function keysOf({ name_elements, date_of_birth }: Appointment, _at: number, all: Appointment[]): string[] {
  if (!name_elements) return [];
  const birth = date_of_birth ?? all.find((other) => other.date_of_birth)?.date_of_birth;
  return [deriveLikeness(name_elements, birth)].filter(Boolean);
}

function weigh({ data: officer }: StoredDisqualifiedOfficer, people: Appointment[]) {
  const here = officer.disqualifications.map(({ address }) => address);
  const there = people.flatMap(({ address }) => address ?? []);
  const agreements: Record<(typeof AGREEMENTS)[number], boolean> = {
    name: true,
    date_of_birth: true,
    postcode: haveOneOf("postal_code", here, there),
    locality: haveOneOf("locality", here, there),
    person_number: people.some((person) => isNumberOf(person, officer)),
  };
  const { postcode, locality, person_number } = agreements;
  return {
    link: `/disqualified-officers/natural/${officer.officer_id}`,
    name: [officer.forename, officer.other_forenames, officer.surname?.toUpperCase()]
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
    "surname, first forename, and month and year of birth, and from the place: it is not certain that they are one person.",
  ...listOf(MOST, {
    title: "likely-disqualification",
    description: "A disqualified person who may be this officer.",
    ...objectWithOptional([], {
      link: {
        type: "string",
        pattern: "^/disqualified-officers/natural/[A-Za-z0-9_-]+$",
        description: "The disqualifications of that person.",
      },
      name: { type: "string", minLength: 1, description: "The name under which the person is disqualified." },
      disqualified_until: { ...DATE, description: "The day on which the last disqualification ends." },
      likelihood: {
        enum: ["likely", "possible"],
        description:
          "`likely`: the place, or the register's number of the person, agrees as well; `possible`: only name and birth agree.",
      },
      matched: {
        type: "array",
        description: "What agrees between the two people.",
        minItems: 2,
        items: { enum: [...AGREEMENTS] },
      },
    }),
  }),
};
