/** The index of officers: one document for each person, made from all their appointments. */
import type { Address } from "../../api/shared/values/address.ts";
import {
  appointmentRecord,
  type Appointment,
  type StoredAppointment,
} from "../../api/resources/officer-appointment/record.ts";
import {
  defineIndex,
  type GroupBounds,
  type GroupCounts,
  type SearchDocument,
} from "../../api/shared/definitions/define-index.ts";
import { personTitle, readName, type ReadName } from "../names/entries.ts";
import { searchedPeople } from "../names/mapping.ts";
import type { PersonNameParts } from "../names/person-name.ts";
import { birthMonthKey, placeFields } from "../places.ts";
import { SEARCHED_KEYWORD } from "../fields.ts";

/** The members that answers of the officer searches show. */
export interface ShownOfficer {
  title: string;
  /** True for a body; absent for a person. */
  is_corporate?: true;
  /** Other present names. */
  other_names: string[];
  former_names: string[];
  appointment_count: number;
  date_of_birth?: { month: number; year: number };
  address?: Address;
}

/** A name as the appointments state it; the name of a body has no parts. */
interface GivenName {
  name: string;
  parts?: PersonNameParts;
  current: boolean;
}

/**
 * The largest officers of the register, nominee secretaries, have tens of thousands of appointments.
 *
 * Limit: an officer with more than 1,000 appointments gets names, addresses, companies and month of birth from the
 * first 1,000 in the order of the officer's own list; what only later ones state is not found. Counts are of all.
 */
export const officerBounds = {
  most: 1_000,
  order: ["is_resigned", "person_order"],
  counted: { appointments: {}, posts: { is_resigned: false, is_company_ended: false } },
} satisfies GroupBounds;

/** An officer's search document; null when no appointment has a name. */
function officerDocument(
  records: StoredAppointment[],
  counts: GroupCounts = countAppointments(records),
): SearchDocument | null {
  const sorted = records.toSorted(compareAppointments).slice(0, officerBounds.most);
  const appointments = sorted.map((record) => record.data);
  // Present names first: a former name that is also a present one counts as present.
  const names = readNames([...appointments.flatMap(givenName), ...appointments.flatMap(formerNames)]);
  const [shownName] = names;
  const [shown] = appointments;
  if (!shown || !shownName) return null;

  const { posts = 0 } = counts;
  const birth = birthMonth(appointments);
  return {
    kind: "officer",
    id: shown.officer_id,
    status_rank: posts > 0 ? 0 : 1,
    posts,
    words: shownName.words,
    order_key: shownName.orderKey,
    born: birth && birthMonthKey(birth),
    ...placeFields(appointments.map((appointment) => appointment.address)),
    companies: [...new Set(appointments.map((appointment) => appointment.company_number))],
    names: names.map((name) => name.entry),
    shown: {
      title: shownName.entry.name,
      is_corporate: "end" in shownName.entry || undefined,
      other_names: namesOf(names.slice(1), true),
      former_names: namesOf(names.slice(1), false),
      appointment_count: counts.appointments,
      date_of_birth: birth,
      address: shown.address,
    },
  };
}

/** The counts of `officerBounds`. */
function countAppointments(records: StoredAppointment[]): GroupCounts {
  const posts = records.filter((record) => !record.is_resigned && !record.is_company_ended);
  return { appointments: records.length, posts: posts.length };
}

/** The order of the person's own list of appointments: serving before resigned, the latest first. */
function compareAppointments(a: StoredAppointment, b: StoredAppointment): number {
  if (a.is_resigned !== b.is_resigned) return a.is_resigned ? 1 : -1;
  return a.person_order < b.person_order ? -1 : 1;
}

function givenName({ name, name_elements: parts }: Appointment): GivenName[] {
  if (parts) return [{ name: personTitle(parts), parts, current: true }];
  return name ? [{ name, current: true }] : [];
}

/** A former name states only what has changed; the present forenames or surname complete it. */
function formerNames({ former_names = [], name_elements: elements }: Appointment): GivenName[] {
  return former_names.map(({ forenames, surname }) => {
    const { forename, other_forenames } = elements ?? {};
    const given = forenames ? { forename: forenames } : { forename, other_forenames };
    const parts = { ...given, surname: surname ?? elements?.surname };
    return { name: personTitle(parts), parts, current: false };
  });
}

/** Each name once: of names that differ only in letter case, accents and honorific, the first. */
function readNames(givenNames: GivenName[]): ReadName[] {
  const byKey = new Map<string, ReadName>();
  const seen = new Set<string>();
  for (const given of givenNames) {
    // Most appointments of a person repeat one spelling, which is parsed once.
    const { name: text, parts, current } = given;
    const name = seen.has(text) ? null : readName({ name: text, current }, parts);
    seen.add(text);
    if (name && !byKey.has(keyOf(name))) byKey.set(keyOf(name), name);
  }
  return [...byKey.values()];
}

function namesOf(names: ReadName[], current: boolean): string[] {
  return names.filter(({ entry }) => entry.current === current).map(({ entry }) => entry.name);
}

function keyOf({ entry, orderKey }: ReadName): string {
  return "end" in entry ? `${orderKey}|${String(entry.end)}` : orderKey;
}

function birthMonth(appointments: Appointment[]): ShownOfficer["date_of_birth"] {
  const birth = appointments.find((appointment) => appointment.date_of_birth)?.date_of_birth;
  return birth && { month: birth.month, year: birth.year };
}

export const officersIndex = defineIndex({
  name: "officers",
  version: 4,
  ...searchedPeople({ posts: { type: "integer" }, companies: SEARCHED_KEYWORD }),
  record: appointmentRecord,
  groupBy: "officer_id",
  bounds: officerBounds,
  document: officerDocument,
});
